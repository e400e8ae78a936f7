import { failureOf, isOwn } from '../../state/journal.ts'
import type { Entry } from '../../types.ts'

/** As it is in the address. */
export interface Filter {
  text?: string
  method?: string
  status?: string
  operation?: string
  kind?: string
  fired?: string
  own?: string
  /** So many minutes up to now, or `range` for `from` and `to`. */
  time?: string
  /** Times of the sandbox in UTC, such as `2026-11-17T12:00` or with seconds. */
  from?: string
  to?: string
}

export const FILTER_NAMES = [
  'text',
  'method',
  'status',
  'operation',
  'kind',
  'fired',
  'own',
  'time',
  'from',
  'to',
] as const

/** All but the text, which the simulator looks for. `now` is that of the sandbox, in milliseconds. */
export function matcher(filter: Filter, now: number): (entry: Entry) => boolean {
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

/** Times are compared as texts: all are in UTC, and written alike. */
function timeMatcher({ time, from, to }: Filter, now: number): (at: string) => boolean {
  if (!time) return () => true
  const minutes = Number(time)
  const since = minutes > 0 ? new Date(now - minutes * 60_000).toISOString().slice(0, 19) : withSeconds(from)
  const until = minutes > 0 ? undefined : withSeconds(to)
  return at => (!since || at.slice(0, 19) >= since) && (!until || at.slice(0, 19) <= until)
}

const withSeconds = (time: string | undefined) => (time?.length === 16 ? `${time}:00` : time)
