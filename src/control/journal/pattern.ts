import { METHODS } from 'node:http'
import { suggest } from '../../basics/nearest.ts'
import type { Steps } from '../../basics/slices.ts'
import { contains } from '../../basics/text.ts'
import type { Pattern } from '../../contract/expectation.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import { MAX_WRITTEN_PATH } from '../../contract/lengths.ts'
import type { OperationName } from '../../contract/shapes.ts'
import type { Decision } from '../../contract/traffic.ts'
import { operations } from '../../resources/index.ts'
import type { Journal, KeptEntry, Sandbox } from '../../sandbox/index.ts'
import { pathPattern, routePattern } from '../../scenarios/path.ts'
import { parseTime } from '../../schema/index.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'
import { type Compare, equals, filtered, type LogKind, readFilters } from './log-kind.ts'

/** A request of the journal, or a decision of an edge. */
type LogEntry = JournalEntry | Decision

/** The journal, and the decisions of edges. */
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

/** `wanted` is a status, a class like `4xx`, or `null` for no answer. */
const statusMatches = (status: number | null, wanted: string) =>
  /^[1-5]xx$/.test(wanted) ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : String(status) === wanted

/** Fails for an operation, a method or a path that can match nothing: it must be a typo. */
export function checkPattern({ operation, method, path }: Pattern, journal: Journal) {
  if (operation !== undefined) checkOperation(operation)
  if (method !== undefined && !METHODS.includes(method.toUpperCase()))
    rejectUnknown('method', method.toUpperCase(), METHODS)
  if (path === undefined) return
  checkLength('path', path)
  const routes = [...new Set(operations.map(operation => operation.path))]
  const matches = pathPattern(path)
  if (routes.some(routePattern(path)) || journal.newestFirst().some(entry => matches(entry.path))) return
  reject(`No route has the path ${quoted(path)}.${suggest(path, routes)}`)
}

/** Fails for a path, or another text with stars, that is too long to be compared with others. */
export function checkLength(name: string, written: string) {
  if (written.length > MAX_WRITTEN_PATH)
    reject(`"${name}" has ${written.length} characters, of ${MAX_WRITTEN_PATH} at most`)
}

/** Fails for an unknown operation. */
export function checkOperation(name: string): OperationName {
  const known = operations.map(({ id }) => id)
  if (known.includes(name)) return name as OperationName
  rejectUnknown('operation', name, known)
}

/** Parameters of the query that choose entries of the journal. */
export const ENTRY_FILTERS = {
  limit: 'how many (100)',
  operation: 'an operation id',
  method: 'a method',
  path: 'a path; * stands for any part of a segment, ** for any segments',
  status: 'a status, a class like 4xx, or the text null where there was no answer',
  caller: 'a user, bot or key',
  since: 'an operation id or a time',
  until: 'a time; requests that began later are left out',
  text: 'a text that the path, the query, an id, a body, an error or the explanation has, in any case',
  sandboxes: 'all for the requests of every sandbox',
}

/** Whether the parameter `sandboxes` asks for those of every sandbox. */
export function wantsAll(given: string | undefined): boolean {
  if (given !== undefined && given !== 'all') reject(`"sandboxes" must be all, or left out, not ${quoted(given)}`)
  return given !== undefined
}

/** What the filters choose from: one sandbox, or all of them. */
export interface Searched {
  sandbox: Sandbox
  all(): Sandbox[]
}

/** Returns the newest first. A journal is a step, and so is looking for a text in an entry. */
export function* filterEntries(
  { sandbox, all }: Searched,
  query: URLSearchParams,
  defaultLimit: number,
): Steps<{ entries: KeptEntry[]; dropped: number }> {
  const given = readFilters(query, Object.keys(ENTRY_FILTERS))
  const { limit = defaultLimit, since, until, text, sandboxes, ...pattern } = given
  if (pattern.status !== undefined && !/^([1-5](xx|\d\d)|null)$/.test(pattern.status))
    reject(`"status" must be like 404, 4xx or null, not ${quoted(pattern.status)}`)
  checkPattern(pattern as Pattern, sandbox.journal)
  const journals = (wantsAll(sandboxes) ? all() : [sandbox]).map(({ journal }) => journal)
  const isAfter = since === undefined ? () => true : isSince(journals, since)
  const isBefore = until === undefined ? () => true : isUntil(until)
  const sought = text?.toLowerCase()
  const max = Number(limit)
  const latest: KeptEntry[] = []
  /** A request that arrived before this one is not among the latest. */
  let oldest = 0
  const cut = () => {
    // Sandboxes have clocks of their own: only the order of arrival holds for all.
    latest.sort((a, b) => b.arrival - a.arrival)
    if (latest.length < max) return
    latest.length = max
    oldest = latest.at(-1)!.arrival
  }
  for (const journal of journals) {
    const enough = latest.length + max
    for (const entry of filtered(requestLog, journal.newestFirst(), pattern) as KeptEntry[]) {
      if (latest.length === enough || entry.arrival < oldest) break
      if (!isAfter(entry) || !isBefore(entry)) continue
      if (sought === undefined || contains(textOf(entry), sought)) latest.push(entry)
      if (sought !== undefined) yield
    }
    if (latest.length > 2 * max) cut()
    yield
  }
  cut()
  return { entries: latest, dropped: journals.reduce((sum, { dropped }) => sum + dropped, 0) }
}

/** All of an entry that a text is looked for in. */
function textOf({ id, path, search, operation, caller, source_ip, request, response, explanation }: KeptEntry): string {
  const { body, text } = request
  const parts = [id, path + search, operation, caller, source_ip, body, text, response?.body, explanation]
  return parts
    .map(part => (typeof part === 'string' ? part : JSON.stringify(part ?? '')))
    .join('\n')
    .toLowerCase()
}

/** Tests whether an entry comes after a request, or not before a time. */
function isSince(journals: Journal[], since: string): (entry: KeptEntry) => boolean {
  const known = journals.map(journal => journal.get(since)).find(Boolean)
  if (known) return entry => entry.arrival > known.arrival
  const time = parseTime(since)
  if (time === undefined)
    reject(`"since" must be an operation id of the journal or an RFC 3339 time, not ${quoted(since)}`)
  return entry => Date.parse(entry.at) >= time
}

function isUntil(until: string): (entry: KeptEntry) => boolean {
  const time = parseTime(until)
  if (time === undefined) reject(`"until" must be an RFC 3339 time, not ${quoted(until)}`)
  return entry => Date.parse(entry.at) <= time
}
