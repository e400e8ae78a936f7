import { memoizeBy } from '../../basics/memoize.ts'
import { nearest } from '../../basics/nearest.ts'
import { MAX_PROBLEMS, show } from '../../basics/problem.ts'
import {
  anyInteger,
  anyObject,
  boolean,
  checked,
  either,
  integer,
  kindsOf,
  listOf,
  type Members,
  type Mismatch,
  mapOf,
  objectOf,
  suchThat,
  textShape,
  type Valid,
  withJson,
} from '../../basics/shape.ts'
import { withArticle } from '../../basics/text.ts'
import { MAX_SCENARIO_RULES } from '../../contract/lengths.ts'
import type { Api } from '../api.ts'
import { assumptionNames, assumptionProperties, expandAssumed, isAssumption, valuesOf } from '../assumptions.ts'
import type { FileProblem } from '../files/document.ts'
import { timestamp } from '../language/index.ts'
import type { Assumed } from '../question.ts'
import { faultKinds } from './faults/index.ts'
import { isAfterCall, type LatencySettings, latencyShape } from './latency.ts'
import { FIXED } from './rate-limit.ts'
import { nameOf, positiveDuration } from './setting.ts'
import { type When, whenOf } from './when.ts'

const fault = kindsOf<{ type: string }>(
  'type',
  Object.fromEntries(faultKinds.map(({ type, settings }) => [type, settings])),
)

const name = (maxLength: number) =>
  textShape({ minLength: 1, maxLength }, ({ length }) =>
    length === 0
      ? { expected: 'a name' }
      : length > maxLength
        ? { expected: `a name of up to ${maxLength} characters` }
        : undefined,
  )

const probability = suchThat<number>(
  'a number above 0 and up to 1',
  value => typeof value === 'number' && value > 0 && value <= 1,
  { type: 'number', exclusiveMinimum: 0, maximum: 1 },
)

/** The targets of rules other than API calls, and the faults that they support. */
const placeOf = (name: string, flag: 'onTraffic' | 'onDeliveries') => ({
  name,
  faults: faultKinds.filter(kind => kind[flag]).map(({ type }) => type),
})

/** Traffic and deliveries support only some faults: traffic forwards responses, and deliveries receive them. */
function* unsupportedOn(
  { name, faults }: ReturnType<typeof placeOf>,
  { fault, rate_limit, latency }: RuleFile,
): Generator<Mismatch> {
  const unsupported = `is not supported on ${name}`
  if (fault && !faults.includes(fault.type))
    yield { path: ['fault'], message: `${fault.type} ${unsupported}. Supported: ${faults.join(', ')}` }
  if (rate_limit) yield { path: ['rate_limit'], message: `a rate limit ${unsupported}` }
  if (isAfterCall(latency)) yield { path: ['latency'], message: `after ${unsupported}` }
}

/** The limit for all rules of a scenario: a rolling window stores the time of every request. */
export const MAX_ROLLING_REQUESTS = 100_000

/** Finds the first rule with a rolling window that exceeds the limit for the scenario. */
export function findRollingExcess(rules: RuleFile[]): FileProblem[] {
  let sum = 0
  for (const [i, { rate_limit }] of rules.entries()) {
    if (!rate_limit || rate_limit.window === FIXED) continue
    sum += rate_limit.requests
    if (sum <= MAX_ROLLING_REQUESTS) continue
    const message = `rules[${i}].rate_limit.requests: all rolling windows of a scenario can allow up to ${MAX_ROLLING_REQUESTS} requests in total, got ${sum}. Use window: fixed, which has no limit`
    return [{ path: ['rules', i, 'rate_limit', 'requests'], message }]
  }
  return []
}

/** The assumptions that a scenario changes. */
const assumeOf = (api: Api) =>
  checked(
    either(
      withJson(mapOf(textShape()), { additionalProperties: false, properties: assumptionProperties(api) }),
      textShape({ enum: Object.keys(api.presets ?? {}) }),
      listOf(textShape()),
    ),
    given => Array.from(wrongAssumptions(api, expandAssumed(api, given))).slice(0, MAX_PROBLEMS),
  )

function* wrongAssumptions(api: Api, given: Assumed): Generator<Mismatch> {
  for (const [name, value = ''] of Object.entries(given)) {
    if (!isAssumption(api, name)) {
      const near = nearest(name, assumptionNames(api))
      yield { path: [name], message: 'unknown assumption. edgesim assumptions lists them all', near }
      continue
    }
    const values = valuesOf(api, name)
    if (values.includes(value)) continue
    const expected =
      values.length > 1 ? `one of ${values.join(', ')}` : `omitted, because its value is always "${values[0]}"`
    yield { path: [name], expected, received: show(value), near: nearest(value, values) }
  }
}

const rateLimit = objectOf({
  requests: { shape: integer({ minimum: 1 }), required: true },
  per: { shape: positiveDuration, required: true },
  window: { shape: nameOf('rolling or fixed', ['rolling', FIXED]) },
})

/** The fields of scenarios for an API. */
export const scenarioMembersOf = memoizeBy((api: Api) => {
  const { shape: when, operationsOf, recordsOf } = whenOf(api)
  const onTraffic = api.traffic && placeOf(withArticle(api.traffic.condition), 'onTraffic')
  const onDeliveries = placeOf('a delivery', 'onDeliveries')
  const written = objectOf({
    name: { shape: name(100) },
    when: { shape: when },
    probability: { shape: probability },
    times: { shape: integer({ minimum: 1 }) },
    latency: { shape: latencyShape },
    fault: { shape: fault },
    rate_limit: { shape: rateLimit },
  })
  const rule = checked(written, (rule: RuleFile): Mismatch[] => {
    const { when = {}, latency, fault, rate_limit } = rule
    if (!latency && !fault && !rate_limit) return [{ message: 'has no effect. Add a latency, fault or rate_limit' }]
    if (fault && rate_limit) return [{ message: 'has a fault and a rate_limit. Write two rules' }]
    const place = recordsOf(when) ? onTraffic : when.delivery !== undefined ? onDeliveries : undefined
    if (place) return [...unsupportedOn(place, rule)]
    const { appliesTo } = faultKinds.find(({ type }) => type === fault?.type) ?? {}
    if (!appliesTo || operationsOf(when).some(appliesTo)) return []
    return [{ path: ['fault'], message: `${fault!.type} has no effect on the calls that this rule matches` }]
  })
  return {
    $schema: { shape: textShape() },
    name: { shape: name(64) },
    description: { shape: textShape() },
    fixture: { shape: textShape() },
    state: { shape: anyObject },
    clock: { shape: objectOf({ now: { shape: timestamp(), required: true }, frozen: { shape: boolean } }) },
    seed: { shape: either(textShape(), anyInteger) },
    assume: { shape: assumeOf(api) },
    rules: { shape: listOf(rule, MAX_SCENARIO_RULES) },
  } satisfies Members
})

export const scenarioShapeOf = memoizeBy((api: Api) => objectOf(scenarioMembersOf(api)))
type Written = Valid<ReturnType<typeof scenarioShapeOf>>

/** As written, but with all assumptions expanded to their names. */
export type ScenarioFile = Omit<Written, 'assume' | 'rules'> & { assume?: Record<string, string>; rules?: RuleFile[] }

/** A rule, as written. */
export interface RuleFile {
  name?: string
  when?: When
  probability?: number
  times?: number
  latency?: LatencySettings
  fault?: { type: string } & Record<string, unknown>
  rate_limit?: Valid<typeof rateLimit>
}
