import * as z from 'zod'
import { memoizeBy } from '../../basics/memoize.ts'
import { nearest } from '../../basics/nearest.ts'
import { MAX_PROBLEMS, show } from '../../basics/problem.ts'
import { withArticle } from '../../basics/text.ts'
import { MAX_SCENARIO_RULES } from '../../contract/lengths.ts'
import type { Api } from '../api.ts'
import { assumptionNames, assumptionProperties, expandAssumed, isAssumption, valuesOf } from '../assumptions.ts'
import type { FileProblem } from '../files/document.ts'
import { faultKinds } from './faults/index.ts'
import { isAfterCall, latencySchema } from './latency.ts'
import { FIXED } from './rate-limit.ts'
import { addProblem, integer, oneOf, positiveDuration, timestamp } from './setting.ts'
import { whenOf } from './when.ts'

const fault = z.discriminatedUnion(
  'type',
  faultKinds.map(({ type, settings }) => z.strictObject({ type: z.literal(type), ...settings })) as never,
)

const name = (maxLength: number) =>
  z
    .string()
    .min(1, { error: 'a name' })
    .max(maxLength, { error: `a name of up to ${maxLength} characters` })
    .optional()

const PROBABILITY = 'a number above 0 and up to 1'

/** The targets of rules other than API calls, and the faults that they support. */
const placeOf = (name: string, flag: 'onTraffic' | 'onDeliveries') => ({
  name,
  faults: faultKinds.filter(kind => kind[flag]).map(({ type }) => type),
})

/** Traffic and deliveries support only some faults: traffic forwards responses, and deliveries receive them. */
function checkPlace(
  ctx: Parameters<typeof addProblem>[0],
  { name, faults }: ReturnType<typeof placeOf>,
  kind: (typeof faultKinds)[number] | undefined,
  limited: boolean,
  after: boolean,
) {
  const unsupported = `is not supported on ${name}`
  if (kind && !faults.includes(kind.type))
    addProblem(ctx, { path: ['fault'], message: `${kind.type} ${unsupported}. Supported: ${faults.join(', ')}` })
  if (limited) addProblem(ctx, { path: ['rate_limit'], message: `a rate limit ${unsupported}` })
  if (after) addProblem(ctx, { path: ['latency'], message: `after ${unsupported}` })
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
  z
    .union([
      z.record(z.string(), z.string()).meta({ additionalProperties: false, properties: assumptionProperties(api) }),
      z.string().meta({ enum: Object.keys(api.presets ?? {}) }),
      z.array(z.string()),
    ])
    .check(ctx => {
      for (const [name, value = ''] of Object.entries(expandAssumed(api, ctx.value))) {
        if (ctx.issues.length >= MAX_PROBLEMS) return
        if (!isAssumption(api, name)) {
          const near = nearest(name, assumptionNames(api))
          addProblem(ctx, { path: [name], message: 'unknown assumption. edgesim assumptions lists them all', near })
          continue
        }
        const values = valuesOf(api, name)
        if (values.includes(value)) continue
        const expected =
          values.length > 1 ? `one of ${values.join(', ')}` : `omitted, because its value is always "${values[0]}"`
        addProblem(ctx, { path: [name], expected, received: show(value), near: nearest(value, values) })
      }
    })

/** The schema of scenarios for an API. */
export const scenarioSchemaOf = memoizeBy((api: Api) => {
  const { schema, operationsOf, recordsOf } = whenOf(api)
  const onTraffic = api.traffic && placeOf(withArticle(api.traffic.condition), 'onTraffic')
  const onDeliveries = placeOf('a delivery', 'onDeliveries')
  const rule = z
    .strictObject({
      name: name(100),
      when: schema.optional(),
      probability: z
        .number({ error: PROBABILITY })
        .gt(0, { error: PROBABILITY })
        .max(1, { error: PROBABILITY })
        .optional(),
      times: integer(1).optional(),
      latency: latencySchema.optional(),
      fault: fault.optional(),
      rate_limit: z
        .strictObject({
          requests: integer(1),
          per: positiveDuration(),
          window: oneOf('rolling or fixed', ['rolling', FIXED]).optional(),
        })
        .optional(),
    })
    .check(ctx => {
      const { when = {}, latency, fault, rate_limit } = ctx.value
      if (!latency && !fault && !rate_limit)
        addProblem(ctx, { message: 'has no effect. Add a latency, fault or rate_limit' })
      if (fault && rate_limit) addProblem(ctx, { message: 'has a fault and a rate_limit. Write two rules' })
      const kind = faultKinds.find(({ type }) => type === (fault as { type: string } | undefined)?.type)
      const place = recordsOf(when) ? onTraffic : when.delivery !== undefined ? onDeliveries : undefined
      if (place) return checkPlace(ctx, place, kind, rate_limit !== undefined, isAfterCall(latency))
      if (kind?.appliesTo && !operationsOf(when).some(kind.appliesTo))
        addProblem(ctx, { path: ['fault'], message: `${kind.type} has no effect on the calls that this rule matches` })
    })

  return z.strictObject({
    $schema: z.string().optional(),
    name: name(64),
    description: z.string().optional(),
    fixture: z.string().optional(),
    state: z.record(z.string(), z.unknown()).optional(),
    clock: z.strictObject({ now: timestamp(), frozen: z.boolean().optional() }).optional(),
    seed: z.union([z.string(), z.int()]).optional(),
    assume: assumeOf(api).optional(),
    rules: z.array(rule).max(MAX_SCENARIO_RULES).optional(),
  })
})
type Written = z.infer<ReturnType<typeof scenarioSchemaOf>>

/** As written, but with all assumptions expanded to their names. */
export type ScenarioFile = Omit<Written, 'assume'> & { assume?: Record<string, string> }
export type RuleFile = Omit<NonNullable<Written['rules']>[number], 'fault'> & {
  fault?: { type: string } & Record<string, unknown>
}
