import { text } from './shape.ts'

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

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
  const parts = RFC3339.exec(time)
  if (!parts) return undefined
  const [year, month, day, hour] = parts.slice(1, 5).map(Number) as [number, number, number, number]
  // In a year at the same place of the 400-year cycle: Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23) return undefined
  const ms = Date.parse(time.toUpperCase())
  return isTime(ms) ? ms : undefined
}

export const timestamp = () =>
  text({ format: 'date-time' }, value => (parseTime(value) === undefined ? { expected: TIME } : undefined))

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** A valid time in the stored format, which most times have already. */
export const toStoredTime = (time: string) => (STORED.test(time) ? time : formatTime(parseTime(time)!))

let latest = { second: Number.NaN, text: '' }

/** In UTC, whole seconds, with `Z`. The last result is reused: most calls format the present time. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== latest.second) latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  return latest.text
}
