import { textShape } from '../../basics/shape.ts'

const RFC3339 = /^(\d{4}-\d\d-(\d\d))T([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** The range of stored times. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

export const TIME_RANGE = 'from the year 1 to the year 9999 in UTC'
export const TIME = `an RFC 3339 time like 2026-01-01T00:00:00Z, ${TIME_RANGE}`

export const isTime = (ms: number) => ms >= EARLIEST && ms <= LATEST

/** Caps a time at the latest that can be stored. */
export const upToLatest = (ms: number) => Math.min(ms, LATEST)

/**
 * Milliseconds since 1970. Undefined if the string is out of range or not an RFC 3339 time. Date.parse also accepts
 * other formats, and 24:00:00.
 */
export function parseTime(time: string): number | undefined {
  const [, date, day] = RFC3339.exec(time) ?? []
  // Date.parse reads February 30 as March 2.
  if (!date || new Date(date).getUTCDate() !== Number(day)) return undefined
  const ms = Date.parse(time.toUpperCase())
  return isTime(ms) ? ms : undefined
}

/** Most times, checked without creating a Date. Later days do not exist in each month. */
const PLAIN = /^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3])(:[0-5]\d){2}Z$/

export const timestamp = (json: Record<string, unknown> = {}) =>
  textShape({ format: 'date-time', ...json }, value =>
    PLAIN.test(value) || parseTime(value) !== undefined ? undefined : { expected: TIME },
  )

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Converts a valid time to the stored format. */
export const toStoredTime = (time: string) => (STORED.test(time) ? time : formatTime(parseTime(time)!))

/** In UTC, in seconds, with `Z`. */
export const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
