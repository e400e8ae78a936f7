import * as z from 'zod'
import { nearest } from '../basics/nearest.ts'
import { MAX_PROBLEMS, show } from '../basics/problem.ts'
import {
  assumptionMembers,
  assumptionNames,
  assumptionSets,
  expandAssumed,
  isAssumption,
  valuesOf,
} from '../contract/assumptions.ts'
import { MAX_SCENARIO_RULES } from '../contract/lengths.ts'
import type { FileProblem } from '../files/document.ts'
import { faultKinds } from './faults/index.ts'
import { isAfterCall, latencySchema } from './latency.ts'
import { FIXED } from './rate-limit.ts'
import { addProblem, oneOf, positiveDuration, timestamp, wholeNumber } from './setting.ts'
import { operationsOf, whenSchema } from './when.ts'

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

const ruleSchema = z
  .strictObject({
    name: name(100),
    when: whenSchema.optional(),
    probability: z
      .number({ error: PROBABILITY })
      .gt(0, { error: PROBABILITY })
      .max(1, { error: PROBABILITY })
      .optional(),
    times: wholeNumber(1).optional(),
    latency: latencySchema.optional(),
    fault: fault.optional(),
    rate_limit: z
      .strictObject({
        requests: wholeNumber(1),
        per: positiveDuration(),
        window: oneOf('rolling or fixed', ['rolling', FIXED]).optional(),
      })
      .optional(),
  })
  .check(ctx => {
    const { when = {}, latency, fault, rate_limit } = ctx.value
    if (!latency && !fault && !rate_limit)
      addProblem(ctx, { message: 'does nothing: give it a latency, fault or rate_limit' })
    if (fault && rate_limit)
      addProblem(ctx, { message: 'has a fault and a rate_limit, and only one could win: write two rules' })
    const kind = faultKinds.find(({ type }) => type === (fault as { type: string } | undefined)?.type)
    const place = when.edge !== undefined ? ON_EDGES : when.delivery !== undefined ? ON_DELIVERIES : undefined
    if (place) return checkPlace(ctx, place, kind, rate_limit !== undefined, isAfterCall(latency))
    if (kind?.concerns && !operationsOf(when).some(kind.concerns))
      addProblem(ctx, { path: ['fault'], message: `${kind.type} does nothing to the calls that this rule is about` })
  })

/** Where else than on calls rules can act, and the faults that make sense there. */
const placeOf = (name: string, mark: 'onEdges' | 'onDeliveries') => ({
  name,
  faults: faultKinds.filter(kind => kind[mark]).map(({ type }) => type),
})
const ON_EDGES = placeOf('an edge', 'onEdges')
const ON_DELIVERIES = placeOf('a delivery', 'onDeliveries')

/** An edge only passes on answers, and a delivery has none of ours, so some rules make no sense there. */
function checkPlace(
  ctx: Parameters<typeof addProblem>[0],
  { name, faults }: ReturnType<typeof placeOf>,
  kind: (typeof faultKinds)[number] | undefined,
  limited: boolean,
  after: boolean,
) {
  const nonsense = `makes no sense on ${name}`
  if (kind && !faults.includes(kind.type))
    addProblem(ctx, { path: ['fault'], message: `${kind.type} ${nonsense}; ${faults.join(', ')} do` })
  if (limited) addProblem(ctx, { path: ['rate_limit'], message: `a rate limit ${nonsense}` })
  if (after) addProblem(ctx, { path: ['latency'], message: `after ${nonsense}: nothing is carried out there` })
}

/** A rolling window keeps the time of every request. This is for all rules of a scenario together. */
export const MAX_ROLLING_REQUESTS = 100_000

/** Finds the first rule whose rolling window is too much beside those before it. */
export function findRollingExcess(rules: RuleFile[]): FileProblem[] {
  let sum = 0
  for (const [i, { rate_limit }] of rules.entries()) {
    if (!rate_limit || rate_limit.window === FIXED) continue
    sum += rate_limit.requests
    if (sum <= MAX_ROLLING_REQUESTS) continue
    const message = `rules[${i}].rate_limit.requests: the rolling windows of a scenario take up to ${MAX_ROLLING_REQUESTS} requests together, and with these ${rate_limit.requests} it has ${sum}; window: fixed takes any number`
    return [{ path: ['rules', i, 'rate_limit', 'requests'], message }]
  }
  return []
}

const assume = z
  .union([
    z.record(z.string(), z.string()).meta({ additionalProperties: false, properties: assumptionMembers() }),
    z.string().meta({ enum: Object.keys(assumptionSets) }),
    z.array(z.string()),
  ])
  .check(ctx => {
    for (const [name, value = ''] of Object.entries(expandAssumed(ctx.value))) {
      if (ctx.issues.length >= MAX_PROBLEMS) return
      if (!isAssumption(name)) {
        const near = nearest(name, assumptionNames())
        addProblem(ctx, { path: [name], message: 'there is no such assumption; edgesim assumptions lists them', near })
      } else if (!valuesOf(name).includes(value)) {
        const values = valuesOf(name)
        const expected = values.length > 1 ? `one of ${values.join(', ')}` : `left alone: it is always "${values[0]}"`
        addProblem(ctx, { path: [name], expected, received: show(value), near: nearest(value, values) })
      }
    }
  })

export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: name(64),
  description: z.string().optional(),
  fixture: z.string().optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  clock: z.strictObject({ now: timestamp(), frozen: z.boolean().optional() }).optional(),
  seed: z.union([z.string(), z.int()]).optional(),
  assume: assume.optional(),
  rules: z.array(ruleSchema).max(MAX_SCENARIO_RULES).optional(),
})

/** As written, but with every assumption by its name. */
export type ScenarioFile = Omit<z.infer<typeof scenarioSchema>, 'assume'> & { assume?: Record<string, string> }
export type RuleFile = Omit<z.infer<typeof ruleSchema>, 'fault'> & {
  fault?: { type: string } & Record<string, unknown>
}
