const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** Milliseconds since 1970, or undefined if the text is not an RFC 3339 time. Date.parse accepts other formats too. */
export function parseTime(text: string): number | undefined {
  const parts = RFC3339.exec(text)
  if (!parts) return undefined
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const time = Date.parse(text.toUpperCase())
  return Number.isNaN(time) || month < 1 || month > 12 || day < 1 || day > lastDay ? undefined : time
}

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** A valid time in the stored format. Most times are already in it, so that is checked first. */
export const toStoredTime = (text: string) => (STORED.test(text) ? text : formatTime(parseTime(text)!))

/** UTC, whole seconds, `Z`. */
export const formatTime = (ms: number) => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`
