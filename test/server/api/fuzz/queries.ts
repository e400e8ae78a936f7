import fc from 'fast-check'
import { fieldsOf } from '../../../../src/engine/fixtures/index.ts'
import { ngrok } from '../../../../src/ngrok/api.ts'
import { listed, mix, oddText, oddValue, oneOf, toJson } from './values.ts'

type Pair = readonly [name: string, value: string]
/** Sends a lone surrogate, which can't be encoded, as U+FFFD. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())
const write = (pairs: Pair[]) => `?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`

const FILTERS = listed(String.raw`obj.id == "ak_ci"  true  null  obj  a.b.c  "  (  !  obj.description.startsWith("a")
  obj.created_at > timestamp("2026-01-01T00:00:00Z")  obj.metadata.matches("(a+)+$")  1/0 == 1  has(obj.description)
  obj.__proto__ == null  obj["constructor"] == 1  obj.ip_policies.exists(p, p.id == "x")  size(obj.description) > 0
  [1,2,3].map(x, x * 2) == [2]  "a" + 1 == "a1"  obj.id in ["ak_ci"]  obj.id == "😀"  obj.id.size() == 5
  obj.created_at < timestamp(time.now).subtract("7d").add("24h")  duration("1h") > duration("1s")  b"a" == b"a"
  obj.ip_policy != null && obj.ip_policy.id == "ipp_local"  !(obj.description == "" || obj.metadata == null)
  9223372036854775807 + 1 > 0  -9223372036854775808 < 0  dyn(1) == 1.0  int("x") == 1  0x10 == 16  1u == 1
  timestamp("x") == timestamp("y")  type(obj) == map  obj.all(k, k != "")  obj.description.matches("[")
  obj.description.split(",").join("") == ""  {"a": 1}.a == 1  {1: 1, 1: 2}[1] == 1  "\u0000" == ""  [obj][1] == obj
  obj.created_at.getFullYear() == 2026  string(obj) == ""  obj.id ? true : false  true || 1  1 || true
  "%s".format([1]) == "1"  (((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))`)
const filter = fc.oneof(
  fc.constantFrom(...FILTERS),
  fc
    .tuple(fc.constantFrom(...FILTERS), oneOf('&&  ||  ==  +  ? 1 :'), fc.constantFrom(...FILTERS))
    .map(parts => parts.join(' ')),
  oddText,
)

const operator = oneOf('eq  ne  lt  lte  gt  gte  in  contains  startsWith  endsWith  like  __proto__')
export function conditions(table: string) {
  const field = fc.constantFrom(
    ...fieldsOf(ngrok.catalog, table),
    ...listed(
      'rules.0  tls.enabled  hostports.length  a[b]  id[]  id.__proto__.x  __proto__  constructor.name  _x  id.',
    ),
  )
  const named = (value: fc.Arbitrary<unknown>) => fc.tuple(field, value).map(([name, inner]) => ({ [name]: inner }))
  const value = fc.oneof(fc.constantFrom<unknown[]>('x', 1, true, null, 'usr_admin', ['a', 1], ''), oddValue)
  const condition = fc.tuple(operator, value).map(([name, inner]) => ({ [name]: inner }))
  const where = fc.letrec<{ one: unknown }>(tie => ({
    one: mix<unknown>(
      [4, named(condition)],
      [2, named(oddValue)],
      [1, fc.array(tie('one'), { maxLength: 2 }).map(or => ({ or }))],
      [1, named(tie('one'))],
    ),
  })).one
  const plain = fc.constantFrom(...listed('usr_admin  true  1  null  2026  a,b  [  {}  __proto__'), '', '\u0000')
  return {
    pair: fc.tuple(
      fc.tuple(field, fc.constantFrom('', ':', '_'), operator).map(([name, by, how]) => (by ? name + by + how : name)),
      plain,
    ),
    _sort: fc.tuple(fc.constantFrom('', '-', ' ', '--', ','), field).map(([sign, name]) => sign + name),
    _where: mix([9, where], [1, oddValue]).map(toJson),
  }
}

const numbers = fc.constantFrom(...listed('1  2  5  100  0  101  -1  1.5  1e2  x  99999999999999999999  +5'), '', ' 1')
/** Values of query parameters that are not body fields. */
export const PARAMETERS: Record<string, fc.Arbitrary<string>> = {
  filter,
  limit: numbers,
  _page: numbers,
  _per_page: numbers,
  dry_run: oneOf('true  false  1'),
  sandboxes: oneOf('all  none'),
}
const RAW = fc.constantFrom(
  ...listed('?  ?&&&  ?=  ?a  ?a=%  ?%zz=%ff  ?limit=1&limit=2  ?a[b]=x  ?__proto__[x]=1  ?a[__proto__]=1  ?x=1#y  ??'),
  ...['?filter', `?${'a=1&'.repeat(500)}`, '?\xff=\xfe', '?a=\t', '?limit=%31', '?_sort=%00'],
)

export function queryOf(own: fc.Arbitrary<Pair>[]): fc.Arbitrary<string> {
  const pair = mix<Pair>(
    [own.length || 1, fc.oneof(...own, fc.tuple(oddText, oddText))],
    [1, fc.tuple(oddText, oddText)],
  )
  const pairs = fc.array(pair, { minLength: 1, maxLength: 3 }).map(write)
  return mix([own.length > 0 ? 4 : 40, fc.constant('')], [own.length > 0 ? 8 : 1, pairs], [1, RAW])
}
