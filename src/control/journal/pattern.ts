import { METHODS } from 'node:http'
import { suggest } from '../../basics/nearest.ts'
import type { Steps } from '../../basics/slices.ts'
import type { Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { OperationName } from '../../contract/shapes.ts'
import type { Decision } from '../../contract/traffic.ts'
import { operations } from '../../resources/index.ts'
import type { Journal } from '../../sandbox/index.ts'
import { pathPattern, routePattern } from '../../scenarios/path.ts'
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
