import fc from 'fast-check'
import { DURATION } from '../../../../src/basics/duration.ts'
import { hashToken } from '../../../../src/engine/token.ts'
import type { TestResponse } from '../../../support/http.ts'
import { listed, oneOf, text } from './values.ts'
import { mark } from './world.ts'

/** A JSON Schema or an OpenAPI document. */
export type Schema = TestResponse['body']

/** Values that the schema can't describe, by field. */
type Hints = Record<string, fc.Arbitrary<unknown>>
const HINTS: Hints = {
  cidr: oneOf('10.0.0.0/8  127.0.0.0/8  0.0.0.0/0  ::/0  ::1/128  ::ffff:10.0.0.0/104  ::ffff:0:0/0  1.2.3.4/0'),
  match: oneOf('/  /api  /a%2fb  /é  /*  /a/../b'),
  address: oneOf('127.0.0.1:5432  [::1]:80  db.internal:5432'),
  upstream: oneOf('127.0.0.1:5432  http://127.0.0.1:3000  http://[::1]:1/x?y#z'),
  token: fc.constantFrom(...listed('sim_admin  sim_a  sim_b  sim_c  ...'), 'x'.repeat(128)),
  token_sha256: oneOf('sim_admin  sim_a  sim_d').map(hashToken),
}
const times = oneOf('2026-01-01T00:00:00Z  2026-01-01T00:00:00.5+02:00  0001-01-01T00:00:00Z  9999-12-31T23:59:59Z')
export const headerNames = oneOf('X-Edge  x-edge  Cookie  __proto__  constructor  Host  Accept  X-1')

export const ids = (...tables: string[]) =>
  fc.tuple(fc.constantFrom(...tables), fc.nat(30)).map(([table, place]) => mark(table, place))

function fittingText({ pattern, examples, format }: Schema): fc.Arbitrary<unknown> {
  const prefix = /^\^([a-z\d]+)_\[/.exec(pattern ?? '')?.[1]
  if (prefix) return fc.constantFrom('a', 'b', 'c', 'd', '-', 'x'.repeat(64)).map(end => `${prefix}_${end}`)
  if (pattern === DURATION.source) return oneOf('1ms  0.5ms  3ms')
  if (examples) return fc.constantFrom(...examples)
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 128 })
  return format === 'date-time' ? times : text
}

/** Values that are usually valid: the schema doesn't describe every check. */
export function fitting(schema: Schema, root = schema, hints = HINTS, name = ''): fc.Arbitrary<unknown> {
  const inner = (one: Schema, called = name) => fitting(one, root, hints, called)
  if (schema['x-refers-to']) return ids(...schema['x-refers-to'])
  if (hints[name]) return hints[name]
  if (schema.$ref) {
    const steps: string[] = schema.$ref.split('/').slice(1)
    return inner(steps.reduce((at, step) => at[step], root))
  }
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && schema.examples) return fc.constantFrom(...schema.examples)
  if ('const' in schema) return fc.constant(schema.const)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((one: Schema) => inner(one)))
  const { type, minimum = 0, maximum = 1e9, properties, additionalProperties } = schema
  const kind = [type].flat()[0]
  switch (kind) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -5), max: Math.min(maximum, Math.max(minimum, 0) + 600) })
    case 'number':
      return fc.constantFrom(1, 0.5, 0.01)
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 3 })
    case 'string':
      return fittingText(schema)
  }
  if (kind !== 'object') return text
  const value = typeof additionalProperties === 'object' ? inner(additionalProperties) : text
  if (!properties) return fc.dictionary(headerNames, value, { maxKeys: 3 })
  const members = Object.entries<Schema>(properties).map(([key, one]) => [key, inner(one, key)] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] })
}
