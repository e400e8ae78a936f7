import * as z from 'zod'
import { issue } from './flaw.ts'

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

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** Milliseconds since 1970 of an RFC 3339 time, or undefined: Date.parse alone takes far more than that. */
export function parseTime(text: string): number | undefined {
  const parts = RFC3339.exec(text)
  if (!parts) return undefined
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const time = Date.parse(text.toUpperCase())
  return Number.isNaN(time) || month < 1 || month > 12 || day < 1 || day > lastDay ? undefined : time
}

/** UTC, whole seconds, `Z`. */
export const formatTime = (ms: number) => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

export const timestamp = () =>
  z
    .string()
    .check(ctx => {
      if (parseTime(ctx.value) === undefined) issue(ctx, { expected: 'an RFC 3339 time like 2026-01-01T00:00:00Z' })
    })
    .meta({ format: 'date-time' })
