import fc from 'fast-check'
import { DURATION } from '../../../src/basics/duration.ts'
import { hashToken } from '../../../src/contract/token.ts'
import { anyCharacters } from './values.ts'
import { mark } from './world.ts'

/** JSON Schema, as far as ours use it. */
export interface Schema {
  [keyword: string]: unknown
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  examples?: unknown[]
  minimum?: number
  maximum?: number
}

/** Values for members by name, which the schema cannot describe. */
const HINTS: Record<string, readonly string[]> = {
  cidr: [
    '10.0.0.0/8',
    '127.0.0.0/8',
    '0.0.0.0/0',
    '::/0',
    '::1/128',
    '::ffff:10.0.0.0/104',
    '::ffff:0:0/0',
    '1.2.3.4/0',
  ],
  match: ['/', '/api', '/a%2fb', '/é', '/*', '/a/../b'],
  address: ['127.0.0.1:5432', '[::1]:80', 'db.internal:5432'],
  upstream: ['127.0.0.1:5432', 'http://127.0.0.1:3000', 'http://[::1]:1/x?y#z'],
  token: ['sim_admin', 'sim_a', 'sim_b', 'sim_c', '...', 'x'.repeat(128)],
  token_sha256: ['sim_admin', 'sim_a', 'sim_d'].map(hashToken),
}
const TIMES = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+02:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']
const HEADER_NAMES = ['X-Edge', 'x-edge', 'Cookie', '__proto__', 'constructor', 'Host', 'Accept', 'X-1']
const DURATIONS = ['1ms', '0.5ms', '3ms']

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: anyCharacters(20) },
  { weight: 1, arbitrary: fc.constantFrom('', 'é'.repeat(100), '\ud800', '\u0000', '{"a":1}', '__proto__') },
)

function fittingText({ pattern, examples, format, ...rest }: Schema, name: string): fc.Arbitrary<unknown> {
  const tables = rest['x-refers-to'] as string[] | undefined
  if (tables) return fc.tuple(fc.constantFrom(...tables), fc.nat(20)).map(([table, place]) => mark(table, place))
  if (HINTS[name]) return fc.constantFrom(...HINTS[name])
  const prefix = /^\^([a-z]+)_\[/.exec(pattern ?? '')?.[1]
  if (prefix) return fc.constantFrom('a', 'b', 'c', 'd', '-', 'x'.repeat(64)).map(end => `${prefix}_${end}`)
  if (pattern === DURATION.source) return fc.constantFrom(...DURATIONS)
  if (pattern === '^[1-5]xx$') return fc.constantFrom('2xx', '4xx')
  if (examples) return fc.constantFrom(...examples)
  if (format === 'date-time') return fc.constantFrom(...TIMES)
  return text
}

/** Values that mostly fit: the schema does not describe every check. */
export function fitting(schema: Schema, root = schema, name = ''): fc.Arbitrary<unknown> {
  const inner = (one: Schema, called = name) => fitting(one, root, called)
  if (schema.$ref) {
    const steps = schema.$ref.split('/').slice(1)
    return inner(steps.reduce((at, step) => (at as Record<string, unknown>)[step], root as unknown) as Schema)
  }
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && schema.examples) return fc.constantFrom(...schema.examples)
  if ('const' in schema) return fc.constant(schema.const)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map(one => inner(one)))
  const type = [schema.type].flat()[0]
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return wholeNumber(schema)
  if (type === 'number') return fc.constantFrom(1, 0.5, 0.01)
  if (type === 'array') return fc.array(inner(schema.items ?? {}), { maxLength: 3 })
  if (type === 'string') return fittingText(schema, name)
  if (type !== 'object') return text
  const { properties, required = [], additionalProperties } = schema
  if (properties)
    return fc.record(Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, inner(one, key)])), {
      requiredKeys: required,
    })
  const value = typeof additionalProperties === 'object' ? inner(additionalProperties) : text
  return fc.dictionary(fc.constantFrom(...HEADER_NAMES), value, { maxKeys: 3 })
}

const wholeNumber = ({ minimum = 0, maximum = 1e9 }: Schema) =>
  fc.integer({ min: Math.max(minimum, -5), max: Math.min(maximum, Math.max(minimum, 0) + 600) })
