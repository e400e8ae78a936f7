import fc from 'fast-check'

/** Stands for a text that JSON.stringify would not write: `raw('1e999')` becomes 1e999. */
const raw = (text: string) => `@@raw.${text}@@`
const RAW = /"@@raw\.(.*?)@@"/g
export const toJson = (value: unknown) => (JSON.stringify(value) ?? '').replace(RAW, (_, text: string) => text)

const parse = (text: string): unknown => JSON.parse(text)

/** Any character, lone surrogates too: fast-check's own arbitrary takes a second to build. */
export const anyCharacters = (maxLength: number) =>
  fc.string({ unit: fc.nat(0x10ffff).map(code => String.fromCodePoint(code)), maxLength })

/** Texts that have broken programs before. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\n',
    '\r\nX-Injected: 1',
    '\ud800',
    '\udc00x',
    'é',
    '𝒳',
    '\u202e',
    '\ufeff',
    '\u2028',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    'undefined',
    'null',
    'true',
    'NaN',
  ],
  ...['..', '../..', '/', '//', '~', '*', '**', '%', '%00', '%2e%2e', '%c0%af', '{id}', '<b>', "'", '"', '\\'],
  ...['0', '-0', '-1', '1e3', '1e999', '0x10', '9007199254740993', 'ak_', 'ak_x', 'usr_admin', '2026-02-30T00:00:00Z'],
  ...['x'.repeat(256), 'é'.repeat(128), 'x'.repeat(4097), 'ak_'.padEnd(68, 'x'), '('.repeat(60), 'a'.repeat(28)],
]
export const oddText = fc.oneof(fc.constantFrom(...oddTexts), anyCharacters(12))

const oddJson: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 31), raw('-0'), raw('1e999'), raw('-1e999')],
  ...[raw(`1${'0'.repeat(400)}`), raw('0.1e-400'), [], {}, [null], [[]], [{}], ['x', 'x'], { a: { b: 1 } }],
  parse('{"__proto__":{"polluted":true}}'),
  parse('{"constructor":{"prototype":{"polluted":true}}}'),
  { valueOf: 1, toString: 1 },
  { toJSON: 1, length: 1e9 },
  parse('{"then":1}'),
  raw('['.repeat(25) + ']'.repeat(25)),
  raw('{"a":'.repeat(25) + 1 + '}'.repeat(25)),
  raw('['.repeat(3_000) + ']'.repeat(3_000)),
  Array.from({ length: 150 }, (_, i) => `x${i}`),
  // As many as a body may hold: quadratic code would take seconds.
  raw(`[${'1,'.repeat(30_000)}1]`),
  raw(`{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":""`).join(',')}}`),
]
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...oddJson), oddText)

/** One change to a value, at a place given by its number. */
export interface Edit {
  at: number
  how: 'replace' | 'remove' | 'add' | 'rename' | 'copy'
  name: string
  value: unknown
}
const how = fc.constantFrom<Edit['how'][]>('replace', 'replace', 'replace', 'remove', 'add', 'rename', 'copy')
export const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(1000), how, name: oddText, value: oddValue })

type Place = [holder: Record<string, unknown>, name: string]

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    found.push([value as Record<string, unknown>, name])
    placesIn(inner, found)
  }
  return found
}

/** Sets `__proto__` as a member like any other. */
const set = (holder: object, name: string, value: unknown) =>
  void Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })

export function edited(given: unknown, edits: Edit[]): unknown {
  const whole = { it: structuredClone(given) }
  for (const { at, how, name, value: shared } of edits) {
    const value = structuredClone(shared)
    const places = placesIn(whole)
    const [holder, member] = places[at % places.length]!
    const before = holder[member]
    if (how === 'replace') set(holder, member, value)
    else if (how === 'add' && Array.isArray(before)) before.push(value)
    else if (how === 'add' && typeof before === 'object' && before !== null) set(before, name, value)
    else if (how === 'copy' && Array.isArray(before)) before.push(...structuredClone(before.slice(0, 1)))
    else if (holder === whole) continue
    else if (how === 'remove') delete holder[member]
    else if (how === 'rename' && !Array.isArray(holder)) {
      delete holder[member]
      set(holder, name, before)
    }
  }
  return whole.it
}
