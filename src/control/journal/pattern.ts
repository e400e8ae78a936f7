import { METHODS } from 'node:http'
import { suggest } from '../../basics/nearest.ts'
import { runSync, type Steps } from '../../basics/slices.ts'
import type { Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { OperationName } from '../../contract/shapes.ts'
import type { Decision } from '../../contract/traffic.ts'
import { operations } from '../../resources/index.ts'
import type { Journal, Recorded } from '../../sandbox/index.ts'
import { pathPattern, routePattern } from '../../scenarios/path.ts'
import { parseTime } from '../../schema/index.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'
import { type Compile, type Matches, valueMatcher } from './value-matcher.ts'

/** A request of the journal, or a decision of an edge. */
export type LogEntry = Entry | Decision

/** One condition of a pattern. */
export interface Condition {
  field: string
  expected: unknown
  /** The value of an entry. */
  read(entry: LogEntry): unknown
  matches: Matches
}

const equals = (wanted: unknown) => (received: unknown) => received === wanted

/** By member of a pattern: how it is compared. Differences are listed in this order. */
const COMPARE: Record<Exclude<keyof Pattern, 'where'>, (wanted: string) => (received: never) => boolean> = {
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
  caller: wanted => (caller: Entry['caller']) => caller?.id === wanted || caller?.key_id === wanted,
}

/** Compiles a pattern. A regular expression is a step. */
export function* conditionsOf(pattern: Pattern, compile?: Compile): Steps<Condition[]> {
  const conditions: Condition[] = []
  for (const [field, compare] of Object.entries(COMPARE)) {
    const expected = pattern[field as keyof Pattern] as string | undefined
    if (expected === undefined) continue
    const read = (entry: LogEntry) => (entry as unknown as Record<string, unknown>)[field]
    conditions.push({ field, expected, read, matches: compare(expected) as Matches })
  }
  for (const [field, expected] of Object.entries(pattern.where ?? {})) {
    const read = (entry: LogEntry) => lookUp(entry as Entry, field)
    conditions.push({ field, expected, read, matches: valueMatcher(field, expected, compile) })
    yield
  }
  return conditions
}

/** `wanted` is a status, a class like `4xx`, or `null` for no answer. */
const statusMatches = (status: number | null, wanted: string) =>
  /^[1-5]xx$/.test(wanted) ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : String(status) === wanted

/** Reads a field like `body.description` or `headers.user-agent`. Names may contain dots: the longest name wins. */
function lookUp({ request, query, response }: Entry, field: string): unknown {
  const roots = { body: request.body, query, headers: request.headers, response: response?.body }
  const [root, ...steps] = (field.startsWith('headers.') ? field.toLowerCase() : field).split('.')
  let value: unknown = roots[root as keyof typeof roots]
  for (let i = 0; i < steps.length; i++) {
    if (typeof value !== 'object' || value === null) return undefined
    const rest = steps.slice(i).join('.')
    if (Object.hasOwn(value, rest)) return (value as Record<string, unknown>)[rest]
    if (!Object.hasOwn(value, steps[i]!)) return undefined
    value = (value as Record<string, unknown>)[steps[i]!]
  }
  return value
}

/** Fails for an operation, a method or a path that can match nothing: it must be a typo. */
export function checkPattern({ operation, method, path }: Pattern, journal: Journal) {
  if (operation !== undefined) checkOperation(operation)
  if (method !== undefined && !METHODS.includes(method.toUpperCase()))
    rejectUnknown('method', method.toUpperCase(), METHODS)
  if (path === undefined) return
  const routes = [...new Set(operations.map(operation => operation.path))]
  const matches = pathPattern(path)
  if (routes.some(routePattern(path)) || journal.newestFirst().some(entry => matches(entry.path))) return
  reject(`No route has the path ${quoted(path)}.${suggest(path, routes)}`)
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
}

/** Returns the newest first. */
export function filterEntries(journal: Journal, query: URLSearchParams, defaultLimit: number): Recorded[] {
  const known = Object.keys(ENTRY_FILTERS)
  // A misspelt filter would have no effect.
  const unknown = [...query.keys()].find(name => !known.includes(name))
  if (unknown !== undefined) rejectUnknown('filter', unknown, known)
  // Of a filter that is given twice, the first counts.
  const { limit = defaultLimit, since, ...pattern } = Object.fromEntries([...query].reverse())
  if (pattern.status !== undefined && !/^([1-5](xx|\d\d)|null)$/.test(pattern.status))
    reject(`"status" must be like 404, 4xx or null, not ${quoted(pattern.status)}`)
  checkPattern(pattern as Pattern, journal)
  if (query.has('limit') && (!Number.isInteger(Number(limit)) || Number(limit) < 1))
    reject(`"limit" must be a whole number from 1, not ${limit}`)
  const conditions = runSync(conditionsOf(pattern as Pattern))
  const isAfter = since === undefined ? () => true : isSince(journal, since)
  return journal
    .newestFirst()
    .filter(entry => conditions.every(({ read, matches }) => matches(read(entry))) && isAfter(entry))
    .slice(0, Number(limit))
}

/** Tests whether an entry comes after a request, or not before a time. */
function isSince(journal: Journal, since: string): (entry: Entry) => boolean {
  const known = journal.get(since)
  if (known) return entry => entry.seq > known.seq
  const time = parseTime(since)
  if (time === undefined)
    reject(`"since" must be an operation id of the journal or an RFC 3339 time, not ${quoted(since)}`)
  return entry => Date.parse(entry.at) >= time
}
