import fc from 'fast-check'
import { fieldsOf } from '../../../src/fixtures/index.ts'
import { operations } from '../../../src/resources/index.ts'
import { oddText, oddValue, toJson } from './values.ts'
import { mark } from './world.ts'

type Pair = [name: string, value: string]
/** A lone surrogate cannot be encoded, and is sent as U+FFFD. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())
const write = (pairs: Pair[]) =>
  pairs.length > 0 ? `?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}` : ''
const pair = (name: string, ...values: string[]) => fc.constantFrom(...values).map((value): Pair => [name, value])

const FILTERS = [
  'obj.id == "ak_ci"',
  'true',
  'obj.description.startsWith("a")',
  'obj.created_at > timestamp("2026-01-01T00:00:00Z")',
  'obj.metadata.matches("(a+)+$")',
  'obj',
  '1/0 == 1',
  'obj.__proto__ == null',
  'obj["constructor"] == 1',
  'obj.ip_policies.exists(p, p.id == "x")',
  '[1,2,3].map(x, x * 2) == [2]',
  'size(obj.description) > 0',
  '"a" + 1 == "a1"',
  '"',
  '(',
  '!',
  'obj.id in ["ak_ci"]',
  'obj.created_at < timestamp(time.now).subtract("7d").add("24h")',
  'obj.ip_policy != null && obj.ip_policy.id == "ipp_local"',
  '!(obj.description == "" || obj.metadata == null)',
  'has(obj.description)',
  'obj.id == "\ud83d\ude00"',
  'duration("1h") > duration("1s")',
  'b"a" == b"a"',
  '9223372036854775807 + 1 > 0',
  'dyn(1) == 1.0',
  'int("x") == 1',
  'timestamp("x") == timestamp("y")',
  'type(obj) == map',
  '(((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))',
  'obj.all(k, k != "")',
  'obj.description.matches("[")',
  'obj.description.split(",").join("") == ""',
  'null',
  '{"a": 1}.a == 1',
  '{1: 1, 1: 2}[1] == 1',
  'a.b.c',
  'obj.id.size() == 5',
  '0x10 == 16',
  '1u == 1',
  '-9223372036854775808 < 0',
  '"\\u0000" == ""',
  'obj.created_at.getFullYear() == 2026',
  'string(obj) == ""',
  '[obj][1] == obj',
  'obj.id ? true : false',
  'true || 1',
  '1 || true',
  '"%s".format([1]) == "1"',
]
const filter = fc.oneof(
  fc.constantFrom(...FILTERS),
  fc
    .tuple(
      fc.constantFrom(...FILTERS),
      fc.constantFrom(...FILTERS),
      fc.constantFrom(' && ', ' || ', ' == ', ' + ', ' ? 1 : '),
    )
    .map(([one, other, by]) => one + by + other),
  oddText,
)

const list = (table: string) =>
  fc.oneof(
    pair('limit', '1', '2', '100', '0', '101', '-1', '1.5', '1e2', '', ' 1', '99999999999999999999', '+5'),
    fc.nat(9).map((place): Pair => ['before_id', mark(table, place)]),
    pair('before_id', '', 'ak_x', mark('deleted', 1), '__proto__'),
    pair('beforeId', mark(table, 0)),
    filter.map((text): Pair => ['filter', text]),
  )

const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'contains',
  'startsWith',
  'endsWith',
  'like',
  '__proto__',
]
const VALUES = ['usr_admin', 'true', '1', '', 'null', '2026', 'a,b', '[', '{}', '__proto__', '\u0000']
function filters(table: string) {
  const field = fc.constantFrom(
    ...fieldsOf(table),
    'rules.0',
    'tls.enabled',
    'hostports.length',
    'a[b]',
    'id[]',
    'id.__proto__.x',
    '__proto__',
    'constructor.name',
    '_embed',
    '_x',
    'id.',
  )
  const operator = fc.constantFrom(...OPERATORS)
  const plain = fc.constantFrom<unknown[]>('x', 1, true, null, 'usr_admin', ['a', 1], '')
  const condition = fc.tuple(operator, fc.oneof(plain, oddValue)).map(([name, value]) => ({ [name]: value }))
  const where = fc.letrec<{ one: unknown; all: unknown }>(tie => ({
    one: fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(field, fc.oneof(condition, condition, oddValue))
          .map(([name, value]) => ({ [name]: value })),
      },
      { weight: 1, arbitrary: fc.array(tie('one'), { maxLength: 2 }).map(or => ({ or })) },
      { weight: 1, arbitrary: fc.tuple(field, tie('one')).map(([name, value]) => ({ [name]: value })) },
    ),
    all: fc.oneof({ weight: 9, arbitrary: tie('one') }, { weight: 1, arbitrary: oddValue }),
  })).all
  return fc.oneof(
    fc
      .tuple(field, fc.constantFrom('', ':', '_'), operator, fc.constantFrom(...VALUES))
      .map(([name, by, how, value]): Pair => [by ? name + by + how : name, value]),
    fc.tuple(fc.constantFrom('', '-', ' ', '--'), field).map(([sign, name]): Pair => ['_sort', sign + name]),
    pair('_page', '1', '2', '0', '-1', '999999999', 'x', '1.5'),
    pair('_per_page', '1', '2', '0', '1000000', ''),
    where.map((value): Pair => ['_where', toJson(value)]),
    fc.constantFrom<Pair[]>(['_where', '{'], ['_where', ''], ['_embed', 'x'], ['_sort', ''], ['_sort', ',']),
  )
}

const journal = fc.oneof(
  pair('limit', '1', '5', '0', 'x', '1e2'),
  pair('operation', operations[0]!.id, 'create_api_ke'),
  pair('method', 'get', 'POST', 'BREW'),
  pair('path', '/api_keys', '/*', '/**', '*'.repeat(500), '/api_keys/ak_*'),
  pair('status', '200', '4xx', 'null', '600', ''),
  pair('caller', 'usr_admin', mark('api_keys', 0)),
  pair('since', mark('requests', 3), '2026-01-01T00:00:00Z', 'x'),
)
const stray = fc.tuple(oddText, oddText).map((given): Pair => given)
const RAW = [
  '?',
  '?&&&',
  '?=',
  '?a',
  '?a=%',
  '?%zz=%ff',
  '?limit=1&limit=2',
  '?a[b]=x',
  '?__proto__[x]=1',
  '?a[__proto__]=1',
  '?x=1#y',
  '??',
  '?filter',
  `?${'a=1&'.repeat(500)}`,
  '?\xff=\xfe',
  '?a=\t',
  '?limit=%31',
  '?_sort=%00',
]

/** A query for a route, sometimes a malformed one. */
export function queryFor(kind: 'none' | 'list' | 'records' | 'journal' | 'scenario', table = ''): fc.Arbitrary<string> {
  const own = {
    none: stray,
    list: list(table),
    records: kind === 'records' ? filters(table) : stray,
    journal,
    scenario: pair('dry_run', 'true', 'false', '1'),
  }[kind]
  const many = fc
    .array(fc.oneof({ weight: 12, arbitrary: own }, { weight: 1, arbitrary: stray }), { minLength: 1, maxLength: 3 })
    .map(write)
  const rare = { weight: 1, arbitrary: fc.constantFrom(...RAW) }
  if (kind === 'none') return fc.oneof({ weight: 40, arbitrary: fc.constant('') }, { weight: 1, arbitrary: many }, rare)
  return fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 8, arbitrary: many }, rare)
}
