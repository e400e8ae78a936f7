import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { assumptionSets } from '../../src/assumptions.ts'
import { fixtureShape, recordShapes } from '../../src/fixtures/index.ts'
import { operations, tableNames } from '../../src/resources/index.ts'
import { fitting, type Schema } from './fuzz-schema.ts'
import { oddText, oddValue } from './fuzz-values.ts'
import { mark } from './fuzz-world.ts'

type Json = Record<string, unknown>
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const marked = (what: string) => fc.nat(30).map(place => mark(what, place))
const ids = (...kinds: string[]) => fc.oneof(...kinds.map(marked))
export const names = fc.constantFrom('a', 'b', 'c-1', 'd_2', '0', 'x'.repeat(64))

/** A record for each table, as a fixture has it. */
export const records = new Map(tableNames.map(table => [table, fitting(recordShapes.get(table)!.json as Schema)]))

/** Without what would make nearly all of them be refused: ids that are there twice, and names of what is not there. */
function mended({ $schema: _, ...fixture }: Record<string, unknown>): unknown {
  const tops = Object.values(fixture as Record<string, Json[]>).flat()
  const known = new Set(tops.map(({ id }) => id))
  const seen = new Set<unknown>()
  const isNew = (value: unknown) => {
    const { id } = (value ?? {}) as Json
    return id === undefined || (!seen.has(id) && seen.add(id))
  }
  const mend = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value))
      return value.filter(each => (name.endsWith('_ids') ? known.has(each) : isNew(each))).map(each => mend(each))
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(([key, inner]) => !key.endsWith('_id') || known.has(inner))
    return Object.fromEntries(kept.map(([key, inner]) => [key, mend(inner, key)]))
  }
  return mend(fixture)
}

const generated = fitting(fixtureShape.json as Schema).map(value => mended(JSON.parse(small(value))))
/** Ids in a fixture are those it has itself, not those of the sandbox. */
const small = (value: unknown) =>
  JSON.stringify(value).replace(/~~([a-z_]+)\.(\d+)~~/g, (_, table: string, place: string) => {
    const prefix = PREFIXES[table] ?? 'x'
    return `${prefix}_${'abcd'[Number(place) % 4]}`
  })
const PREFIXES: Record<string, string> = { users: 'usr', bots: 'bot', ip_policies: 'ipp', backends: 'bkdst' }
const presentState = fc.constant(mark('state', 0))
export const fixture = fc.oneof({ weight: 3, arbitrary: presentState }, { weight: 2, arbitrary: generated })

const scenarioFile = JSON.parse(readFileSync(new URL('../../scenarios/scenario.schema.json', import.meta.url), 'utf8'))
const rule = scenarioFile.properties.rules.items.properties as Record<string, Schema>
const paths = fc.constantFrom(
  '/api_keys',
  '/api_keys/{id}',
  '/api_keys/ak_*',
  '/edges/**',
  '/**',
  '/*',
  '/ip_policies/*',
)
const operationIds = fc.constantFrom(...operations.map(({ id }) => id))
const when = fc.oneof(
  fc.record({ operation: fc.oneof(operationIds, fc.array(operationIds, { minLength: 1, maxLength: 3 })) }),
  fc.record({ method: fitting(rule.when!.properties!.method!) }),
  fc.record({ path: paths }),
  fc.record({ owner: ids('users', 'bots') }),
  fc.record({ source_ip: fc.constantFrom('127.0.0.1', '10.0.0.0/8', '::1') }),
  fc.record({ calls: fc.constantFrom(2, '2-3', '6-', 1) }),
  fc.record({ between: fc.constant(['2026-01-01T00:00:00Z', '9999-01-01T00:00:00Z']) }),
  fc.record({ edge: ids('edges') }),
)
/** What only refuses, or only waits for a moment: what it answers can be judged like any other answer. */
const mild = fc.oneof(
  fc.record({ fault: fc.record({ type: fc.constant('error'), status: fc.constantFrom(400, 404, 429) }) }),
  fc.record({ fault: fc.record({ type: fc.constant('stale-reads'), delay: fc.constantFrom('1ms', '1h') }) }),
  fc.record({ rate_limit: fc.record({ requests: fc.nat(5), per: fc.constantFrom('1ms', '1s') }) }),
  fc.record({ latency: fitting(rule.latency!) }),
)
const wild = fc.oneof(
  fc.record({ fault: fitting(rule.fault!).map(fault => bounded(fault as Json)) }),
  fc.record({ fault: fitting(rule.fault!).map(fault => bounded(fault as Json)), latency: fitting(rule.latency!) }),
)
/** What would wait for ever waits for a moment: nobody could tell it from a fault of ours. */
function bounded(fault: Json): Json {
  if (fault.type === 'hang') return { for: '3ms', ...fault }
  return fault.type === 'slow-body' ? { ...fault, bytes_per_second: 1e6 } : fault
}

const assume = fc.oneof(
  fitting(scenarioFile.properties.assume.anyOf[0]),
  fc.constantFrom(...Object.keys(assumptionSets)),
  fc.constant(['ngrok', 'unset_text=omit']),
)
const toYaml = (scenario: unknown) => JSON.stringify(scenario).replace(/^\{/, '{ # a comment\n')
const YAMLS = [
  'rules: [',
  '? x',
  '&a [*a]',
  'a: &a [1]\nb: [*a, *a]',
  '!!js/function x',
  '--- 1\n--- 2',
  '\t',
  'a: 1\na: 2',
  'seed: 0x1F',
  '['.repeat(2000),
]
const shelf = ['empty-account', 'eventual-consistency', 'locked-down', 'revoked-keys', 'version-deprecated']
const wildShelf = ['flaky-writes', 'lost-replies', 'maintenance-window', 'outage', 'rate-limited']

function scenarios(scripted: boolean) {
  const rules = fc.array(
    fc.tuple(some(when), scripted ? wild : mild, some(fc.constantFrom(1, 0.5))).map(([when, effect, probability]) => ({
      ...(when && { when }),
      ...effect,
      ...(probability && { probability }),
    })),
    { maxLength: 2 },
  )
  const clock = fitting(scenarioFile.properties.clock)
  const whole = fc.record(
    {
      name: names,
      seed: fc.integer(),
      clock,
      assume,
      rules,
      state: generated,
      fixture: fc.constantFrom('default', 'empty'),
    },
    { requiredKeys: ['seed'] },
  )
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 2, arbitrary: whole.map(scenario => ({ yaml: toYaml(scenario) })) },
    { weight: 1, arbitrary: fc.constantFrom(...(scripted ? wildShelf : shelf)).map(name => ({ name })) },
    { weight: 1, arbitrary: fc.constantFrom(...YAMLS).map(yaml => ({ yaml })) },
  )
}

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

/** What the control plane takes, by method and path. */
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
    'POST /traffic/check': question,
    'POST /sandboxes': fc.tuple(recipe, some(names)).map(([given, name]) => ({ ...given, ...(name && { name }) })),
    'PUT /sandboxes/{name}': recipe,
  }
}
