import { failureOf } from '../../state/failure.ts'
import type { ListedEntry } from '../../types.ts'

/**
 * The filter parameters in the URL. `time` is the last N minutes, or `range` for `from` and `to`, which are sandbox times
 * in UTC, such as `2026-11-17T12:00`, optionally with seconds.
 */
export const FILTER_NAMES = [
  ...(['text', 'method', 'status', 'operation', 'kind', 'fired', 'own'] as const),
  ...(['time', 'from', 'to'] as const),
]

export type Filter = { [name in (typeof FILTER_NAMES)[number]]?: string }

interface Context {
  /** The sandbox time, in milliseconds. */
  now: number
  /** Whether the dashboard sent the request. */
  isOwn(entry: ListedEntry): boolean
}

/** Matches everything except the text, which the simulator searches. */
export function matcher(filter: Filter, { now, isOwn }: Context): (entry: ListedEntry) => boolean {
  const { method, status, operation, kind } = filter
  const inTime = timeMatcher(filter, now)
  return entry =>
    (!method || entry.method === method) &&
    (!status || statusMatches(entry.status, status)) &&
    (!operation || (entry.operation ?? 'none') === operation) &&
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
