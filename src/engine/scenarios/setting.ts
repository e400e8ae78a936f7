import * as z from 'zod'
import { DURATION, parseDuration } from '../../basics/duration.ts'
import { nearest } from '../../basics/nearest.ts'
import type { Problem } from '../../basics/problem.ts'
import { parseTime, TIME } from '../language/index.ts'

type Context = { value: unknown; issues: z.core.$ZodRawIssue[] }

/** Reports a problem in a zod check. `findProblems` returns it unchanged. */
export function addProblem({ value, issues }: Context, { path = [], ...problem }: Partial<Problem>) {
  issues.push({ code: 'custom', input: value, path, params: problem, message: problem.expected ?? '' })
}

export const timestamp = () =>
  z
    .string()
    .check(ctx => {
      if (parseTime(ctx.value) === undefined) addProblem(ctx, { expected: TIME })
    })
    .meta({ format: 'date-time' })

const DURATION_LIKE = 'a duration like 250ms, 2s, 5m, 24h or 7d'

/** `250ms`, `2s`, `5m`, `24h`, `7d` */
export const duration = () =>
  z
    .string({ error: DURATION_LIKE })
    .check(ctx => {
      if (parseDuration(ctx.value) === undefined) addProblem(ctx, { expected: DURATION_LIKE })
    })
    .meta({ pattern: DURATION.source, examples: ['250ms', '2s'] })

export const positiveDuration = () =>
  duration().check(ctx => {
    if (parseDuration(ctx.value) === 0) addProblem(ctx, { expected: 'a duration above zero' })
  })

/** The milliseconds of a validated duration. */
export const toMs = (text: string) => parseDuration(text)!

export function integer(from: number, to?: number) {
  const error = to === undefined ? `an integer of ${from} or more` : `an integer from ${from} to ${to}`
  const atLeast = z.int({ error }).min(from, { error })
  return to === undefined ? atLeast : atLeast.max(to, { error })
}

/** One of the names. The message lists them unless one is similar. */
export const oneOf = (what: string, names: string[]) => {
  const known = new Set(names)
  return z
    .string()
    .check(ctx => {
      if (known.has(ctx.value)) return
      const lowerCase = ctx.value.toLowerCase()
      const near = names.find(name => name.toLowerCase() === lowerCase) ?? nearest(ctx.value, names)
      addProblem(ctx, { expected: near ? what : `one of ${names.join(', ')}`, near })
    })
    .meta({ enum: names })
}

export const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.array(schema).min(1, { error: 'one or more' })])
