import fc from 'fast-check'

/** Splits at newlines and at two or more spaces. */
export const listed = (text: string) => text.trim().split(/\s*\n\s*|\s{2,}/)
export const oneOf = (text: string) => fc.constantFrom(...listed(text))

export const mix = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
export const oneIn = <T>(many: number, arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  mix([many - 1, fc.constant(otherwise)], [1, arbitrary])

/** JSON that JSON.stringify can't write: `raw('1e999')` becomes 1e999. */
const raw = (text: string) => `@@raw.${text}@@`
const RAW = /"@@raw\.(.*?)@@"/g
export const toJson = (value: unknown) => (JSON.stringify(value) ?? '').replace(RAW, (_, text: string) => text)

/** Any character, including lone surrogates. fast-check's own arbitrary takes a second to build. */
const anyCharacters = fc.string({ unit: fc.nat(0x10ffff).map(code => String.fromCodePoint(code)), maxLength: 20 })
const someTexts = fc.constantFrom('', 'é'.repeat(100), '\ud800', '\u0000', '{"a":1}', '__proto__')
export const text = mix([4, fc.string({ maxLength: 20 })], [1, anyCharacters], [1, someTexts])

const ODD_TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\n', '\r\nX-Injected: 1', '\ud800', '\udc00x', '\u202e', '\ufeff', '\u2028'],
  ...listed(`__proto__  constructor  prototype  toString  hasOwnProperty  length  undefined  null  true  NaN  é  𝒳
    ..  ../..  /  //  ~  *  **  %  %00  %2e%2e  %c0%af  {id}  <b>  '  "  \\  0  -0  -1  1e3  1e999  0x10
    9007199254740993  ak_  ak_x  usr_admin  2026-02-30T00:00:00Z`),
  ...['x'.repeat(256), 'é'.repeat(128), 'x'.repeat(4097), 'ak_'.padEnd(68, 'x'), '('.repeat(60), 'a'.repeat(28)],
]
export const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), anyCharacters)

const ODD_JSON: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 31), [], {}, [null], [[]], [{}], ['x', 'x']],
  ...['-0', '1e999', '-1e999', '0.1e-400', `1${'0'.repeat(400)}`].map(raw),
  raw('['.repeat(25) + ']'.repeat(25)),
  raw('{"a":'.repeat(25) + 1 + '}'.repeat(25)),
  raw('['.repeat(3_000) + ']'.repeat(3_000)),
  Array.from({ length: 150 }, (_, i) => `x${i}`),
  // The maximum of a body: quadratic code would take seconds.
  raw(`[${'1,'.repeat(30_000)}1]`),
  raw(`{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":""`).join(',')}}`),
]
/** Objects that break careless readers. */
const oddObject = fc.object({
  key: oneOf('__proto__  constructor  prototype  toJSON  toString  valueOf  then  length  a'),
  values: [fc.constantFrom(1, 1e9, true, null, 'x')],
  maxDepth: 2,
  maxKeys: 3,
})
export const oddValue = mix<unknown>(
  [4, fc.constantFrom(...ODD_JSON)],
  [1, oddObject],
  [1, fc.jsonValue({ maxDepth: 3 })],
  [4, oddText],
)

/** One change to a value, at the place number `at`. */
export type Edit = { at: number; how: string; name: string; value: unknown }
const how = oneOf('replace  replace  replace  remove  add  rename  copy')
export const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(1000), how, name: oddText, value: oddValue })

export function edited(given: unknown, { at, how, name, value }: Edit): unknown {
  const json = JSON.stringify(given) ?? 'null'
  let places = 0
  JSON.parse(json, (_, inner) => {
    places++
    return inner
  })
  let left = at % places
  return JSON.parse(json, function (this: object, _, inner) {
    if (left-- !== 0) return inner
    if (how === 'remove') return undefined
    if (how === 'copy' && Array.isArray(inner)) return [...inner, ...inner.slice(0, 1)]
    if (how === 'add' && Array.isArray(inner)) return [...inner, value]
    if (how === 'add' && typeof inner === 'object') return { ...inner, [name]: value }
    if (how !== 'rename' || Array.isArray(this)) return value
    Object.defineProperty(this, name, { value: inner, enumerable: true, configurable: true, writable: true })
    return undefined
  })
}
