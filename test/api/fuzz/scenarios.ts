import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { assumptionSets } from '../../../src/contract/assumptions.ts'
import { operations } from '../../../src/resources/index.ts'
import { generated } from './fixtures.ts'
import { fitting, type Schema } from './schema.ts'
import { mark } from './world.ts'

type Json = Record<string, unknown>
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const marked = (what: string) => fc.nat(30).map(place => mark(what, place))
/** Existing names. */
export const ids = (...kinds: string[]) => fc.oneof(...kinds.map(marked))
export const names = fc.constantFrom('a', 'b', 'c-1', 'd_2', '0', 'x'.repeat(64))

const scenarioFile = JSON.parse(
  readFileSync(new URL('../../../scenarios/scenario.schema.json', import.meta.url), 'utf8'),
)
const rule = scenarioFile.properties.rules.items.properties as Record<string, Schema>
export const paths = fc.constantFrom(
  '/api_keys',
  '/api_keys/{id}',
  '/api_keys/ak_*',
  '/edges/**',
  '/**',
  '/*',
  '/ip_policies/*',
)
export const operationIds = fc.constantFrom(...operations.map(({ id }) => id))
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
/** Rules whose answers can be checked like any other answer. */
const mild = fc.oneof(
  fc.record({ fault: fc.record({ type: fc.constant('error'), status: fc.constantFrom(400, 404, 429) }) }),
  fc.record({ fault: fc.record({ type: fc.constant('stale-reads'), delay: fc.constantFrom('1ms', '1h') }) }),
  fc.record({
    rate_limit: fc.record(
      { requests: fc.nat(5), per: fc.constantFrom('1ms', '1s'), window: fc.constantFrom('rolling', 'fixed') },
      { requiredKeys: ['requests', 'per'] },
    ),
  }),
  fc.record({ latency: fc.constant('1ms'), probability: fc.constant(0.01) }),
)
const wild = fc.oneof(
  fc.record({ fault: fitting(rule.fault!).map(fault => bounded(fault as Json)) }),
  fc.record({ fault: fitting(rule.fault!).map(fault => bounded(fault as Json)), latency: fitting(rule.latency!) }),
)
/** Hangs are short: an endless one could not be told from a defect. */
function bounded(fault: Json): Json {
  if (fault.type === 'hang') return { for: '3ms', ...fault }
  return fault.type === 'slow-body' ? { ...fault, bytes_per_second: 1e6 } : fault
}

const assume = fc.oneof(
  fitting(scenarioFile.properties.assume.anyOf[0]),
  fc.constantFrom(...Object.keys(assumptionSets)),
  fc.constant(['ngrok', 'unknown_query=ignore']),
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
const calmScenarios = ['empty-account', 'eventual-consistency', 'locked-down', 'revoked-keys', 'version-deprecated']
const wildScenarios = ['flaky-writes', 'lost-replies', 'maintenance-window', 'outage', 'rate-limited']

/** Scenarios, also as YAML and by name. */
export function scenarios(scripted: boolean) {
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
    { weight: 1, arbitrary: fc.constantFrom(...(scripted ? wildScenarios : calmScenarios)).map(name => ({ name })) },
    { weight: 1, arbitrary: fc.constantFrom(...YAMLS).map(yaml => ({ yaml })) },
  )
}
