import { textShape } from './shape.ts'

const RFC3339 = /^(\d{4}-\d\d-(\d\d))T([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** The range of times that can be stored. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

export const TIME_RANGE = 'from the year 1 to the year 9999 in UTC'
/** What a time must be, in words. */
export const TIME = `an RFC 3339 time like 2026-01-01T00:00:00Z, ${TIME_RANGE}`

export const isTime = (ms: number) => ms >= EARLIEST && ms <= LATEST

/** This time, but no later than the latest that can be stored. */
export const upToLatest = (ms: number) => Math.min(ms, LATEST)

/**
 * Milliseconds since 1970; undefined if the text is not an RFC 3339 time, or is out of range. Date.parse accepts other
 * formats too, and 24:00:00.
 */
export function parseTime(time: string): number | undefined {
  const [, date, day] = RFC3339.exec(time) ?? []
  // Date.parse takes February 30 for March 2.
  if (!date || new Date(date).getUTCDate() !== Number(day)) return undefined
  const ms = Date.parse(time.toUpperCase())
  return isTime(ms) ? ms : undefined
}

export const timestamp = (json: Record<string, unknown> = {}) =>
  textShape({ format: 'date-time', ...json }, value =>
    parseTime(value) === undefined ? { expected: TIME } : undefined,
  )

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** A valid time in the stored format, which most times have already. */
export const toStoredTime = (time: string) => (STORED.test(time) ? time : formatTime(parseTime(time)!))

/** In UTC, whole seconds, with `Z`. */
export const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
