const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** The years that a stored time can have, in UTC. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

export const TIME_RANGE = 'from the year 1 to the year 9999 in UTC'
/** What a time must be, in words. */
export const TIME = `an RFC 3339 time like 2026-01-01T00:00:00Z, ${TIME_RANGE}`

/** Whether the time can be stored. */
export const isTime = (ms: number) => ms >= EARLIEST && ms <= LATEST

/** The latest time that can be stored, or this one. */
export const upToLatest = (ms: number) => Math.min(ms, LATEST)

/**
 * Milliseconds since 1970, or undefined if the text is not an RFC 3339 time or is out of range. Date.parse accepts other
 * formats too, and 24:00:00.
 */
export function parseTime(text: string): number | undefined {
  const parts = RFC3339.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour] = parts.slice(1, 5).map(Number) as [number, number, number, number]
  // Of the same place in the calendar's cycle: Date.UTC takes the years 0 to 99 for those after 1900.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23) return undefined
  const time = Date.parse(text.toUpperCase())
  return isTime(time) ? time : undefined
}

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** A valid time in the stored format. Most times are already in it, so that is checked first. */
export const toStoredTime = (text: string) => (STORED.test(text) ? text : formatTime(parseTime(text)!))

let latest = { second: Number.NaN, text: '' }

/** UTC, whole seconds, `Z`. Formatted once a second: many are asked for the present time. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== latest.second) latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  return latest.text
}
