import fc from 'fast-check'
import { fixture } from './fixtures.ts'
import { names, operationIds, paths, scenarios } from './scenarios.ts'
import { fitting, headerNames, ids, type Schema } from './schema.ts'
import { listed, oddText, oddValue, oneOf } from './values.ts'
import { mark } from './world.ts'

const fields = oneOf(`body.description  query.limit  headers.user-agent  response.id  response.keys  body.add.X-Edge
  response.details.field  body  response  object.description  principal.id`)
const matcher = fc.oneof(
  oddValue,
  fc.record({ contains: oddText }),
  fc.record({ matches: oneOf(String.raw`^a  .*  (a+)+$  (  \p{L}  (?<=a)b  [  a{2}  (.*)*x`) }),
  fc.record({ absent: fc.boolean() }),
  fc.record({ gt: fc.oneof(fc.integer(), oddText), lte: fc.oneof(fc.integer(), oddText) }, { requiredKeys: [] }),
)
const globs = fc.constantFrom(
  ...listed('/*/*  /nowhere  /api_keys?limit=2'),
  '',
  '*'.repeat(500),
  `/${'*a'.repeat(200)}`,
)
const assumed = fc.dictionary(
  oneOf('page_order  unset_text  no_such_name  __proto__'),
  fc.constantFrom('newest_first', 'oldest_first', 'omit', 'empty', null),
)

/** Values that no schema describes, by field of the control plane's bodies and queries. */
export const HINTS: Record<string, fc.Arbitrary<unknown>> = {
  operation: operationIds,
  method: oneOf('GET  post  PATCH  BREW'),
  path: fc.oneof(paths, globs),
  caller: ids('users', 'api_keys'),
  where: fc.dictionary(fields, matcher, { maxKeys: 2 }),
  edge: ids('edges'),
  route: ids('https_edge_routes'),
  source_ip: oneOf('127.0.0.1  ::1  ::ffff:10.0.0.1  1.2.3.4  fe80::1%lo'),
  headers: fc.dictionary(headerNames, fc.option(fc.string()), { maxKeys: 3 }),
  count: fc.nat(3),
  at_least: fc.nat(3),
  at_most: fc.nat(9),
  since: fc.oneof(ids('requests'), oneOf('2026-01-01T00:00:00Z  x')),
  until: oneOf('2026-01-01T00:00:00Z  9999-12-31T23:59:59Z  x'),
  status: oneOf('200  2xx  4xx  null  600  kept  delivered'),
  destination: ids('event_destinations'),
  subscription: ids('event_subscriptions'),
  with: fc.oneof(ids('snapshots'), names),
  name: names,
  now: oneOf('2026-01-01T00:00:00Z  9999-12-31T23:59:59Z  0001-01-01T00:00:00Z'),
  advance: oneOf('24h  1ms  0ms  99999999h  -1s'),
  timeout: oneOf('10s  60s  61s  x'),
  token: fc.oneof(fc.constant(mark('token', 0)), fc.constantFrom('sim_none', '', null)),
  seed: fc.oneof(fc.integer(), fc.string()),
  fixture: fc.oneof(fixture, oneOf('default  empty  none  ../default')),
}

export function bodiesOf(scripted: boolean) {
  const scenario = scenarios(scripted)
  const own: Record<string, fc.Arbitrary<unknown>> = {
    'PUT /state': fixture,
    'PUT /scenario': scenario,
    'POST /scenario/yaml': scenario,
    'PATCH /assumptions': assumed,
  }
  const { status: _, ...hints }: typeof HINTS = { ...HINTS, scenario }
  /** With few fields: many cannot be combined. */
  const few = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> => {
    const sequence = properties.sequence && fc.array(few(properties.sequence.items), { minLength: 1, maxLength: 4 })
    const values = Object.entries<Schema>(properties).map(
      ([name, schema]) => [name, (name === 'sequence' && sequence) || fitting(schema, schema, hints, name)] as const,
    )
    return fc
      .subarray(values, { maxLength: Math.min(3, values.length) })
      .chain(chosen =>
        fc.record(Object.fromEntries([...values.filter(([name]) => required.includes(name)), ...chosen])),
      )
  }
  return (route: string, schema: Schema) => own[route] ?? few(schema)
}
