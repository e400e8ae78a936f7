import { METHODS } from 'node:http'
import { suggest } from '../../basics/nearest.ts'
import { contains } from '../../basics/text.ts'
import type { Pattern } from '../../contract/expectation.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import { MAX_GLOB_LENGTH } from '../../contract/lengths.ts'
import type { Decision } from '../../contract/traffic.ts'
import type { Api } from '../../engine/api.ts'
import { parseTime } from '../../engine/language/index.ts'
import type { Journal, Sandbox, StoredEntry } from '../../engine/sandbox/index.ts'
import { pathPattern, routePattern, routesOf } from '../../engine/scenarios/path.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'
import { type Compare, equals, filtered, type LogKind, readFilters } from './log-kind.ts'

type LogEntry = JournalEntry | Decision

/** The journal, and the edge decisions. */
export const requestLog: LogKind<LogEntry> = {
  words: { one: 'request', log: 'the journal' },
  compare: {
    edge: equals,
    verdict: equals,
    source_ip: equals,
    route: equals,
    operation: equals,
    status: wanted => (status: number | null) => statusMatches(status, String(wanted)),
    method: wanted => equals(wanted.toUpperCase()),
    path: wanted => {
      const matches = pathPattern(wanted)
      return (path: string | null) => matches(path ?? '')
    },
    caller: wanted => (caller: JournalEntry['caller']) => caller?.id === wanted || caller?.key_id === wanted,
  } satisfies Record<Exclude<keyof Pattern, 'where'>, Compare>,
  roots(entry) {
    const { request, query, response } = entry as JournalEntry
    return { body: request.body, query, headers: request.headers, response: response?.body }
  },
  shown: (field, received) => (field === 'caller' ? ((received as JournalEntry['caller'])?.id ?? null) : received),
  summary: ({ method, path, status }) => ({ method, path, status }),
  foremost: 'operation',
}

/** `wanted` is a status, a class like `4xx`, or `null` for no response. */
const statusMatches = (status: number | null, wanted: string) =>
  /^[1-5]xx$/.test(wanted) ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : String(status) === wanted

/** Rejects an operation, method or path that matches nothing, because it is a typo. */
export function checkPattern({ operation, method, path }: Pattern, { api, journal }: Sandbox) {
  if (operation !== undefined) checkOperation(api, operation)
  if (method !== undefined && !METHODS.includes(method.toUpperCase()))
    rejectUnknown('method', method.toUpperCase(), METHODS)
  if (path === undefined) return
  checkLength('path', path)
  const routes = routesOf(api.catalog)
  const matches = pathPattern(path)
  if (routes.some(routePattern(path)) || journal.newestFirst().some(entry => matches(entry.path))) return
  const known = routes.map(route => route.path)
  reject(`No route has the path ${quoted(path)}.${suggest(path, known)}`)
}

/** Limits a path or event type with `*`, which is slow to match. */
export function checkLength(name: string, written: string) {
  if (written.length > MAX_GLOB_LENGTH)
    reject(`"${name}" can have up to ${MAX_GLOB_LENGTH} characters, got ${written.length}`)
}

export function checkOperation({ catalog: { operations } }: Api, name: string): string {
  const known = operations.map(({ id }) => id)
  if (known.includes(name)) return name
  rejectUnknown('operation', name, known)
}

/** Query parameters. */
export const ENTRY_FILTERS = {
  limit: 'Maximum number [default: 100]',
  operation: 'Operation id',
  method: 'Method',
  path: 'Path (* matches any characters of a segment, ** any segments)',
  status: 'Status, class like 4xx, or null for no response',
  caller: 'User, bot or key',
  since: 'Only requests after this operation id, or since this time',
  until: 'Only requests until this time',
  text: 'Case-insensitive search in the path, query, ids, bodies, error and explanation',
  sandboxes: 'all, for every sandbox',
}

/** Whether the parameter `sandboxes` selects every sandbox. */
export function wantsAll(given: string | undefined): boolean {
  if (given !== undefined && given !== 'all') reject(`"sandboxes" must be all or omitted, got ${quoted(given)}`)
  return given !== undefined
}

/** Filters search one sandbox, or all of them. */
export interface Searched {
  sandbox: Sandbox
  all(): Sandbox[]
}

/** Returns the newest first. */
export function filterEntries(
  { sandbox, all }: Searched,
  query: URLSearchParams,
  defaultLimit: number,
): { entries: StoredEntry[]; dropped: number } {
  const given = readFilters(query, Object.keys(ENTRY_FILTERS))
  const { limit = defaultLimit, since, until, text, sandboxes, ...pattern } = given
  if (pattern.status !== undefined && !/^([1-5](xx|\d\d)|null)$/.test(pattern.status))
    reject(`"status" must be like 404, 4xx or null, got ${quoted(pattern.status)}`)
  checkPattern(pattern as Pattern, sandbox)
  const journals = (wantsAll(sandboxes) ? all() : [sandbox]).map(({ journal }) => journal)
  const isAfter = since === undefined ? () => true : isSince(journals, since)
  const isBefore = until === undefined ? () => true : isUntil(until)
  const sought = text?.toLowerCase()
  const max = Number(limit)
  const latest: StoredEntry[] = []
  /** Requests that arrived before this one are not among the latest. */
  let oldest = 0
  const cut = () => {
    // Sandboxes have separate clocks, so sort by arrival.
    latest.sort((a, b) => b.arrival - a.arrival)
    if (latest.length < max) return
    latest.length = max
    oldest = latest.at(-1)!.arrival
  }
  for (const journal of journals) {
    const enough = latest.length + max
    for (const entry of filtered(requestLog, journal.newestFirst(), pattern) as StoredEntry[]) {
      if (latest.length === enough || entry.arrival < oldest) break
      if (!isAfter(entry) || !isBefore(entry)) continue
      if (sought === undefined || contains(textOf(entry), sought)) latest.push(entry)
    }
    if (latest.length > 2 * max) cut()
  }
  cut()
  return { entries: latest, dropped: journals.reduce((sum, { dropped }) => sum + dropped, 0) }
}

/** The searchable text of an entry. */
function textOf({
  id,
  path,
  search,
  operation,
  caller,
  source_ip,
  request,
  response,
  explanation,
}: StoredEntry): string {
  const { body, text } = request
  const parts = [id, path + search, operation, caller, source_ip, body, text, response?.body, explanation]
  return parts
    .map(part => (typeof part === 'string' ? part : JSON.stringify(part ?? '')))
    .join('\n')
    .toLowerCase()
}

/** Whether an entry is after a request, or not before a time. */
function isSince(journals: Journal[], since: string): (entry: StoredEntry) => boolean {
  const known = journals.map(journal => journal.get(since)).find(Boolean)
  if (known) return entry => entry.arrival > known.arrival
  const time = parseTime(since)
  if (time === undefined)
    reject(`"since" must be an operation id in the journal or an RFC 3339 time, got ${quoted(since)}`)
  return entry => entry.beganAt >= time
}

function isUntil(until: string): (entry: StoredEntry) => boolean {
  const time = parseTime(until)
  if (time === undefined) reject(`"until" must be an RFC 3339 time, got ${quoted(until)}`)
  // A whole second includes its milliseconds.
  return entry => Math.floor(entry.beganAt / 1000) * 1000 <= time
}
