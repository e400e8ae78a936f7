const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `250ms`, `2s`, `5m`, `24h`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text)
  const ms = parts ? Number(parts[1]) * UNITS[parts[2]!]! : undefined
  return ms !== undefined && ms <= 100 * 365 * 24 * UNITS.h! ? ms : undefined
}
