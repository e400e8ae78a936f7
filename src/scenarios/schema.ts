import { isIP } from 'node:net'
import * as z from 'zod'
import { assumptions, isAssumption, valuesOf } from '../assumptions.ts'
import { nearest } from '../files/nearest.ts'
import { parseCidr } from '../ip/cidr.ts'
import { operations } from '../resources/index.ts'
import { issue, timestamp } from '../schema/index.ts'
import { duration } from './duration.ts'
import { faultKinds } from './faults/index.ts'
import { latencySchema } from './latency.ts'

const oneOrMore = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema).min(1)])

/** A name out of a list, with the closest one in the message when it is not. */
const known = (what: string, names: string[]) =>
  z
    .string()
    .check(ctx => {
      if (names.includes(ctx.value)) return
      const close = nearest(ctx.value, names)
      issue(ctx, { expected: close ? `an existing ${what}; did you mean ${close}?` : `one of ${names.join(', ')}` })
    })
    .meta({ enum: names })

const METHODS = [...new Set(operations.map(({ method }) => method))]

/** A path that no route has would never match. */
const path = z.string().check(ctx => {
  if (operations.some(operation => routeCovers(operation.path, ctx.value))) return
  issue(ctx, { expected: `a path of the API, such as ${operations[0]!.path}, or one with * for a part of it` })
})

/** Whether a written path can be that of a route: `*` and parameters stand for one segment. */
export function routeCovers(route: string, written: string): boolean {
  const [these, those] = [route.split('/'), written.split('/')]
  return (
    these.length === those.length &&
    these.every((part, i) => part.startsWith('{') || those[i] === '*' || part === those[i])
  )
}

const sourceIp = z.string().check(ctx => {
  if (!isIP(ctx.value) && !parseCidr(ctx.value)) issue(ctx, { expected: 'an IP address or a CIDR block' })
})

const calls = z
  .union([
    z.int().min(1),
    z
      .string()
      .regex(/^\d+(-\d*)?$/)
      .meta({ examples: ['2', '2-3', '6-'] }),
  ])
  .check(ctx => {
    const [from, to] = String(ctx.value).split('-')
    if (Number(from) < 1 || (to && Number(to) < Number(from)))
      issue(ctx, { expected: 'a range like 2-3 that does not fall, or 6-' })
  })

const between = z.tuple([timestamp(), timestamp()]).check(ctx => {
  if (Date.parse(ctx.value[0]) >= Date.parse(ctx.value[1])) issue(ctx, { expected: 'two times, the earlier one first' })
})

export const whenSchema = z.strictObject({
  operation: oneOrMore(
    known(
      'operation',
      operations.map(({ id }) => id),
    ),
  ).optional(),
  method: oneOrMore(known('method', METHODS)).optional(),
  path: oneOrMore(path).optional(),
  owner: oneOrMore(z.string()).optional(),
  source_ip: oneOrMore(sourceIp).optional(),
  calls: calls.optional(),
  between: between.optional(),
})
export type When = z.infer<typeof whenSchema>

const fault = z.discriminatedUnion(
  'type',
  faultKinds.map(({ type, settings }) => z.strictObject({ type: z.literal(type), ...settings })) as never,
)

const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(100).optional(),
    when: whenSchema.optional(),
    probability: z.number().gt(0).max(1).optional(),
    times: z.int().min(1).optional(),
    latency: latencySchema.optional(),
    fault: fault.optional(),
    rate_limit: z.strictObject({ requests: z.int().min(1), per: duration() }).optional(),
  })
  .check(ctx => {
    const { latency, fault, rate_limit } = ctx.value
    if (!latency && !fault && !rate_limit)
      issue(ctx, { expected: 'a rule that does something: latency, fault or rate_limit' })
    if (fault && rate_limit) issue(ctx, { expected: 'either a fault or a rate_limit; write two rules' })
  })

const assume = z.record(z.string(), z.string()).check(ctx => {
  for (const [name, value] of Object.entries(ctx.value)) {
    if (!isAssumption(name)) {
      const close = nearest(name, Object.keys(assumptions))
      issue(ctx, { path: [name], expected: `an existing assumption${close ? `; did you mean ${close}?` : ''}` })
    } else if (!valuesOf(name).includes(value)) {
      issue(ctx, { path: [name], expected: `one of ${valuesOf(name).join(', ')}` })
    }
  }
})

export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).max(64).optional(),
  description: z.string().optional(),
  fixture: z.string().optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  clock: z.strictObject({ now: timestamp(), frozen: z.boolean().optional() }).optional(),
  seed: z.union([z.string(), z.int()]).optional(),
  assume: assume.optional(),
  rules: z.array(ruleSchema).optional(),
})

export type ScenarioFile = z.infer<typeof scenarioSchema>
export type RuleFile = Omit<z.infer<typeof ruleSchema>, 'fault'> & {
  fault?: { type: string } & Record<string, unknown>
}
