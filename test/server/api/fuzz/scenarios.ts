import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { assumptionSets } from '../../../../src/ngrok/questions.ts'
import { operations } from '../../../../src/ngrok/resources/index.ts'
import { generated } from './fixtures.ts'
import { fitting, ids } from './schema.ts'
import { listed, mix, oneOf } from './values.ts'

type Json = Record<string, unknown>
export const names = fc.constantFrom('a', 'b', 'c-1', 'd_2', '0', 'x'.repeat(64))
export const operationIds = fc.constantFrom(...operations.map(({ id }) => id))
export const paths = oneOf('/api_keys  /api_keys/{id}  /api_keys/ak_*  /edges/**  /**  /*  /ip_policies/*')
const file = JSON.parse(readFileSync(new URL('../../../../scenarios/scenario.schema.json', import.meta.url), 'utf8'))
const rule = file.properties.rules.items.properties

const either = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(...Object.entries(members).map(([name, value]) => fc.record({ [name]: value })))
const when = either({
  operation: fc.oneof(operationIds, fc.array(operationIds, { minLength: 1, maxLength: 3 })),
  method: fitting(rule.when.properties.method),
  path: paths,
  owner: ids('users', 'bots'),
  source_ip: oneOf('127.0.0.1  10.0.0.0/8  ::1'),
  calls: fc.constantFrom(2, '2-3', '6-', 1),
  between: fc.constant(['2026-01-01T00:00:00Z', '9999-01-01T00:00:00Z']),
  edge: ids('edges'),
})
/** Rules with responses that can be checked like any other. */
const mild = fc.oneof(
  either({
    fault: fc.oneof(
      fc.record({ type: fc.constant('error'), status: fc.constantFrom(400, 404, 429) }),
      fc.record({ type: fc.constant('stale-reads'), delay: oneOf('1ms  1h') }),
    ),
    rate_limit: fc.record(
      { requests: fc.nat(5), per: oneOf('1ms  1s'), window: oneOf('rolling  fixed') },
      { requiredKeys: ['requests', 'per'] },
    ),
  }),
  fc.constant({ latency: '1ms', probability: 0.01 }),
)
/** Hangs are short: an endless one looks like a defect. */
const fault = fitting(rule.fault).map(given => {
  const { type, ...rest } = given as Json
  if (type === 'hang') return { type, for: '3ms', ...rest }
  return type === 'slow-body' ? { type, ...rest, bytes_per_second: 1e6 } : { type, ...rest }
})
const wild = fc.record({ fault, latency: fitting(rule.latency) }, { requiredKeys: ['fault'] })

const toYaml = (scenario: unknown) => JSON.stringify(scenario).replace(/^\{/, '{ # a comment\n')
const YAMLS = [
  ...listed('rules: [  ? x  &a [*a]  !!js/function x  seed: 0x1F'),
  ...['a: &a [1]\nb: [*a, *a]', '--- 1\n--- 2', '\t', 'a: 1\na: 2', '['.repeat(2000)],
]
const calm = oneOf('empty-account  eventual-consistency  locked-down  revoked-keys  version-deprecated')
const harsh = oneOf('flaky-writes  lost-replies  maintenance-window  outage  rate-limited')

/** Scenarios as objects, as YAML and by name. `scripted` ones change responses. */
export function scenarios(scripted: boolean) {
  const more = fc.record({ when, probability: fc.constantFrom(1, 0.5) }, { requiredKeys: [] })
  const rules = fc.tuple(scripted ? wild : mild, more).map(([effect, given]) => ({ ...effect, ...given }))
  const assume = fc.oneof(
    fitting(file.properties.assume.anyOf[0]),
    fc.constantFrom(...Object.keys(assumptionSets), ['ngrok', 'unknown_query=ignore']),
  )
  const whole = fc.record(
    {
      name: names,
      seed: fc.integer(),
      clock: fitting(file.properties.clock),
      assume,
      rules: fc.array(rules, { maxLength: 2 }),
      state: generated,
      fixture: oneOf('default  empty'),
    },
    { requiredKeys: ['seed'] },
  )
  return mix<unknown>(
    [4, whole],
    [2, whole.map(scenario => ({ yaml: toYaml(scenario) }))],
    [1, (scripted ? harsh : calm).map(name => ({ name }))],
    [1, fc.constantFrom(...YAMLS).map(yaml => ({ yaml }))],
  )
}
