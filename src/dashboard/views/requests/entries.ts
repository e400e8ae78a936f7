import { failureOf, hasFailed } from '../../state/failure.ts'
import { groupBy, sorted } from '../../state/lists.ts'
import type { ListedEntry } from '../../types.ts'

/** The operation of requests without a matching route. */
export const NONE = 'none'

/**
 * The filter parameters in the URL. `time` is the last N minutes, or `range` for `from` and `to`, which are sandbox times
 * in UTC, such as `2026-11-17T12:00`, optionally with seconds.
 */
export const FILTER_NAMES = ['text', 'method', 'status', 'operation', 'kind', 'fired', 'own', 'time', 'from', 'to']

export type Filter = Partial<Record<string, string>>

export const isFiltered = (query: Filter) => FILTER_NAMES.some(name => query[name])

/** Matches everything except the text, which the simulator searches. `now` is the sandbox time in milliseconds. */
export function matcher(filter: Filter, { now, isOwn }: { now: number; isOwn(entry: ListedEntry): boolean }) {
  const { method, status, operation, kind } = filter
  const inTime = timeMatcher(filter, now)
  return (entry: ListedEntry) =>
    (!method || entry.method === method) &&
    (!status || statusMatches(entry.status, status)) &&
    (!operation || (entry.operation ?? NONE) === operation) &&
    (!kind || failureOf(entry) === kind) &&
    (!filter.fired || entry.rules.some(({ fired }) => fired)) &&
    (filter.own !== 'hidden' || !isOwn(entry)) &&
    inTime(entry.at)
}

const statusMatches = (status: number | null, wanted: string) =>
  wanted === 'none' ? status === null : status !== null && `${Math.floor(status / 100)}xx` === wanted

/** Compares times as strings: all are in UTC and in the same format. */
function timeMatcher({ time, from, to }: Filter, now: number): (at: string) => boolean {
  if (!time) return () => true
  const minutes = Number(time)
  const since = minutes > 0 ? new Date(now - minutes * 60_000).toISOString().slice(0, 19) : withSeconds(from)
  const until = minutes > 0 ? undefined : withSeconds(to)
  return at => (!since || at.slice(0, 19) >= since) && (!until || at.slice(0, 19) <= until)
}

const withSeconds = (time: string | undefined) => (time?.length === 16 ? `${time}:00` : time)

/** Sort values. Requests without a value come first. */
const VALUES: Record<string, (entry: ListedEntry) => string | number> = {
  status: ({ status }) => status ?? 0,
  method: ({ method }) => method,
  path: ({ path }) => path,
  took: ({ duration_ms }) => duration_ms ?? -1,
  caller: ({ caller }) => caller?.id ?? '',
  sandbox: ({ sandbox }) => sandbox,
}

/** A column name, with a minus for descending order. Default: newest first. */
export const sortOf = ({ sort = '-time' }: Record<string, string>) => sort

/** `entries` must be newest first. Entries with equal values remain in that order. */
export function sortEntries(entries: readonly ListedEntry[], sort: string): readonly ListedEntry[] {
  const descending = sort.startsWith('-')
  const column = sort.replace('-', '')
  if (column === 'time') return descending ? entries : entries.toReversed()
  const value = VALUES[column]
  return value ? sorted(entries, value, descending) : entries
}

/** The statistics of each operation. */
export const linesOf = (entries: readonly ListedEntry[]) =>
  [...groupBy(entries, ({ operation }) => operation ?? NONE)].map(([operation, group]) => {
    const times = group.flatMap(({ duration_ms }) => duration_ms ?? []).sort((a, b) => a - b)
    const percentile = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)]
    const errors = group.filter(hasFailed).length
    return {
      operation,
      count: group.length,
      errors,
      share: errors / group.length,
      p50: percentile(0.5),
      p95: percentile(0.95),
      slowest: times.at(-1),
    }
  })

export type Line = ReturnType<typeof linesOf>[number]
