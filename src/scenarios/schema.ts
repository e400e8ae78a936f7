import * as z from 'zod'
import { nearest } from '../basics/nearest.ts'
import {
  assumptionMembers,
  assumptionNames,
  assumptionSets,
  expandAssumed,
  isAssumption,
  valuesOf,
} from '../contract/assumptions.ts'
import { faultKinds } from './faults/index.ts'
import { comesAfter, latencySchema } from './latency.ts'
import { complain, someTime, timestamp, whole } from './setting.ts'
import { operationsOf, whenSchema } from './when.ts'

const fault = z.discriminatedUnion(
  'type',
  faultKinds.map(({ type, settings }) => z.strictObject({ type: z.literal(type), ...settings })) as never,
)

const PROBABILITY = 'a number above 0 and up to 1'

const ruleSchema = z
  .strictObject({
    name: z.string().min(1, { error: 'a name' }).max(100, { error: 'a name of up to 100 characters' }).optional(),
    when: whenSchema.optional(),
    probability: z
      .number({ error: PROBABILITY })
      .gt(0, { error: PROBABILITY })
      .max(1, { error: PROBABILITY })
      .optional(),
    times: whole(1).optional(),
    latency: latencySchema.optional(),
    fault: fault.optional(),
    rate_limit: z.strictObject({ requests: whole(1), per: someTime() }).optional(),
  })
  .check(ctx => {
    const { when = {}, latency, fault, rate_limit } = ctx.value
    if (!latency && !fault && !rate_limit)
      complain(ctx, { says: 'does nothing: give it a latency, fault or rate_limit' })
    if (fault && rate_limit)
      complain(ctx, { says: 'has a fault and a rate_limit, and only one could win: write two rules' })
    const kind = faultKinds.find(({ type }) => type === (fault as { type: string } | undefined)?.type)
    if (when.edge !== undefined) return checkOnEdges(ctx, kind, rate_limit !== undefined, comesAfter(latency))
    if (kind?.concerns && !operationsOf(when).some(kind.concerns))
      complain(ctx, { path: ['fault'], says: `${kind.type} does nothing to the calls that this rule is about` })
  })

const ON_EDGES = faultKinds.filter(({ onEdges }) => onEdges).map(({ type }) => type)

/** An edge has no answers of its own: some rules make no sense there. */
function checkOnEdges(
  ctx: Parameters<typeof complain>[0],
  kind: (typeof faultKinds)[number] | undefined,
  limited: boolean,
  after: boolean,
) {
  if (kind && !kind.onEdges)
    complain(ctx, { path: ['fault'], says: `${kind.type} makes no sense on an edge; ${ON_EDGES.join(', ')} do` })
  if (limited) complain(ctx, { path: ['rate_limit'], says: 'a rate limit makes no sense on an edge' })
  if (after) complain(ctx, { path: ['latency'], says: 'after makes no sense on an edge: nothing is carried out there' })
}

/** More than anybody writes: every call meets all of them. */
export const MOST_RULES = 1_000

const assume = z
  .union([
    z.record(z.string(), z.string()).meta({ additionalProperties: false, properties: assumptionMembers() }),
    z.string().meta({ enum: Object.keys(assumptionSets) }),
    z.array(z.string()),
  ])
  .check(ctx => {
    for (const [name, value = ''] of Object.entries(expandAssumed(ctx.value))) {
      if (!isAssumption(name)) {
        const near = nearest(name, assumptionNames())
        complain(ctx, { path: [name], says: 'there is no such assumption; edgesim assumptions lists them', near })
      } else if (!valuesOf(name).includes(value)) {
        const values = valuesOf(name)
        const expected = values.length > 1 ? `one of ${values.join(', ')}` : `left alone: it is always "${values[0]}"`
        complain(ctx, { path: [name], expected, near: nearest(value, values) })
      }
    }
  })

export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1, { error: 'a name' }).max(64, { error: 'a name of up to 64 characters' }).optional(),
  description: z.string().optional(),
  fixture: z.string().optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  clock: z.strictObject({ now: timestamp(), frozen: z.boolean().optional() }).optional(),
  seed: z.union([z.string(), z.int()]).optional(),
  assume: assume.optional(),
  rules: z.array(ruleSchema).max(MOST_RULES).optional(),
})

/** Its assumptions by name. */
export type ScenarioFile = Omit<z.infer<typeof scenarioSchema>, 'assume'> & { assume?: Record<string, string> }
export type RuleFile = Omit<z.infer<typeof ruleSchema>, 'fault'> & {
  fault?: { type: string } & Record<string, unknown>
}
