const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const MAX_MS = 100 * 365 * UNITS.d!

/** A number and its unit. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of `250ms`, `2s`, `5m`, `24h`, `7d`; undefined if it is not a duration, or is longer than 100 years. */
export function parseDuration(text: string): number | undefined {
  const parts = DURATION.exec(text)
  const ms = parts ? Number(parts[1]) * UNITS[parts[2]!]! : undefined
  return ms !== undefined && ms <= MAX_MS ? ms : undefined
}

/** The bounds in milliseconds of `200ms` (equal) or `50ms-300ms`; undefined if the text is neither. */
export function parseDurationRange(text: string): [from: number, to: number] | undefined {
  const [from, to = from, ...more] = text.split('-').map(parseDuration)
  if (from === undefined || to === undefined || from > to || more.length > 0) return undefined
  return [from, to]
}
