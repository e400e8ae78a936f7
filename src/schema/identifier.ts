import * as z from 'zod'
import { issue } from './flaw.ts'
import { parseTime, TIME } from './time.ts'

const REST = /^[A-Za-z0-9_-]{1,64}$/

/** Ids start with the prefix of their kind: `ak_…` is an API key wherever it appears. */
export const isIdentifier = (prefix: string, id: string) =>
  id.startsWith(`${prefix}_`) && REST.test(id.slice(prefix.length + 1))

export const looksLikeIdentifier = (id: string) => /^[a-z]+_[A-Za-z0-9_-]{1,64}$/.test(id)

export const identifier = (prefix: string) =>
  z
    .string()
    .check(ctx => {
      if (!isIdentifier(prefix, ctx.value))
        issue(ctx, { expected: `an id that starts with ${prefix}_, then 1 to 64 of A-Z a-z 0-9 _ -` })
    })
    .meta({ pattern: `^${prefix}_[A-Za-z0-9_-]{1,64}$` })

export const timestamp = () =>
  z
    .string()
    .check(ctx => {
      if (parseTime(ctx.value) === undefined) issue(ctx, { expected: TIME })
    })
    .meta({ format: 'date-time' })
