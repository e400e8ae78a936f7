import type { ListedEntry } from '../../types.ts'

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

interface Surroundings {
  /** The time of the sandbox, in milliseconds. */
  now: number
  /** Whether the page has sent the request itself. */
  isOwn(entry: ListedEntry): boolean
}

/** All but the text, which the simulator looks for. */
export function matcher(filter: Filter, { now, isOwn }: Surroundings): (entry: ListedEntry) => boolean {
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

/** What kind of failure an answer is, in a word; undefined when it is none. */
export function failureOf(entry: ListedEntry): string | undefined {
  const { status, explanation, rules } = entry
  if (status !== null && status < 400) return undefined
  if (explanation?.decided_by !== 'rule' && explanation) return explanation.decided_by
  // Latency of a rule is left out: it is not what failed.
  const effects = rules.filter(({ fired }) => fired).map(({ effect }) => effect.replace(/^\d+ ms of latency(, )?/, ''))
  return effects.find(effect => effect !== '') ?? 'no answer'
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
