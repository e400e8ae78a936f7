import fc from 'fast-check'
import { fixture } from './fixtures.ts'
import { ids, names, operationIds, paths, scenarios } from './scenarios.ts'
import { oddText, oddValue } from './values.ts'

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const FIELDS = [
  'body.description',
  'query.limit',
  'headers.user-agent',
  'response.id',
  'response.keys',
  'body.add.X-Edge',
  'response.details.field',
  'body',
  'response',
]
const REGEXES = ['^a', '.*', '(a+)+$', '(', '\\p{L}', '(?<=a)b', '[', 'a{2}', '(.*)*x']
const matcher = fc.oneof(
  oddValue,
  fc.record({ contains: oddText }),
  fc.record({ matches: fc.constantFrom(...REGEXES) }),
  fc.record({ absent: fc.boolean() }),
  fc.record({ gt: fc.oneof(fc.integer(), oddText), lte: fc.oneof(fc.integer(), oddText) }, { requiredKeys: [] }),
)
const pattern = fc.record(
  {
    operation: operationIds,
    method: fc.constantFrom('GET', 'post', 'PATCH', 'BREW'),
    path: fc.oneof(paths, fc.constantFrom('/*/*', `/${'*a'.repeat(200)}`, '/nowhere', '')),
    status: fc.constantFrom(200, 404, '2xx', '4xx'),
    caller: ids('users', 'api_keys'),
    where: fc.dictionary(fc.constantFrom(...FIELDS), matcher, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
)
const traffic = fc.record(
  {
    edge: ids('edges'),
    verdict: fc.constantFrom('allow', 'refuse'),
    source_ip: fc.constant('127.0.0.1'),
    route: ids('https_edge_routes'),
  },
  { requiredKeys: ['edge'] },
)
const count = fc.oneof(
  fc.record({ count: fc.nat(3) }),
  fc.record({ at_least: fc.nat(3), at_most: fc.nat(9) }, { requiredKeys: [] }),
)
const expectation = fc.oneof(
  fc.tuple(fc.oneof(pattern, traffic), count).map(([one, times]) => ({ ...one, ...times })),
  fc.record({
    sequence: fc.array(fc.oneof({ weight: 5, arbitrary: pattern }, { weight: 1, arbitrary: traffic }), {
      maxLength: 4,
    }),
  }),
)
const clock = fc.record(
  {
    now: fc.constantFrom('2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'),
    frozen: fc.boolean(),
    advance: fc.constantFrom('24h', '1ms', '0ms', '99999999h', '-1s'),
  },
  { requiredKeys: [] },
)
const question = fc.oneof(
  fc.record(
    {
      edge: ids('edges'),
      source_ip: fc.constantFrom('127.0.0.1', '::1', '::ffff:10.0.0.1', '1.2.3.4'),
      path: fc.constantFrom('/', '/api?x=1', '/a%2fb'),
      headers: fc.dictionary(fc.constantFrom('X-Edge', 'cookie', '__proto__', 'host'), fc.string()),
    },
    { requiredKeys: ['edge'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('dashboard', 'api', 'agent', 'endpoints'),
      source_ip: fc.constantFrom('127.0.0.1', 'fe80::1%lo'),
    },
    { requiredKeys: ['type'] },
  ),
)

const assumed = fc.dictionary(
  fc.constantFrom('page_order', 'unset_text', 'no_such_name', '__proto__'),
  fc.constantFrom('newest_first', 'oldest_first', 'omit', 'empty', null),
)

/** The bodies of the control plane, by method and path. */
export function controlBodies(scripted: boolean): Record<string, fc.Arbitrary<unknown>> {
  const scenario = scenarios(scripted)
  const seed = fc.oneof(fc.integer(), fc.string())
  const source = fc.oneof(fixture, fc.constantFrom('default', 'empty', 'none', '../default'))
  const recipe = fc.record({ fixture: source, scenario, seed }, { requiredKeys: [] })
  return {
    'PUT /state': fixture,
    'PUT /scenario': scenario,
    'POST /requests/verify': expectation,
    'PUT /clock': clock,
    'PATCH /assumptions': assumed,
    'POST /traffic/check': question,
    'POST /sandboxes': fc.tuple(recipe, some(names)).map(([given, name]) => ({ ...given, ...(name && { name }) })),
    'PUT /sandboxes/{name}': recipe,
  }
}
