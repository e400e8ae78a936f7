import type { Difference } from '../../contract/expectation.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'
import { type Compile, type Matches, valueMatcher } from './value-matcher.ts'

/** A log with entries that can be filtered and verified: requests, edge decisions, event deliveries. */
export interface LogKind<E extends { id: string }> {
  /** An entry and the log in messages. */
  words: { one: string; log: string }
  /** Comparisons by pattern field. Differences are listed in this order. */
  compare: Record<string, Compare>
  /** The values by the first part of the names in `where`. */
  roots(entry: E): Record<string, unknown>
  /** A value as shown in misses. */
  shown?(field: string, received: unknown): unknown
  /** An entry as shown in misses. */
  summary(entry: E): object
  /** The most important field. Its difference counts more than others. */
  foremost: string
}

export type Compare = (wanted: string) => (received: never) => boolean

export type AnyPattern = { where?: Record<string, unknown> }

export interface Condition<E> {
  field: string
  expected: unknown
  read(entry: E): unknown
  matches: Matches
}

export const equals = (wanted: unknown) => (received: unknown) => received === wanted

/** Compiles a pattern. */
export function conditionsOf<E extends { id: string }>(
  kind: LogKind<E>,
  pattern: AnyPattern,
  compile?: Compile,
): Condition<E>[] {
  const conditions: Condition<E>[] = []
  for (const [field, compare] of Object.entries(kind.compare)) {
    const expected = (pattern as Record<string, unknown>)[field] as string | undefined
    if (expected === undefined) continue
    const read = (entry: E) => (entry as unknown as Record<string, unknown>)[field]
    conditions.push({ field, expected, read, matches: compare(expected) as Matches })
  }
  for (const [field, expected] of Object.entries(pattern.where ?? {})) {
    const read = (entry: E) => lookUp(kind.roots(entry), field)
    conditions.push({ field, expected, read, matches: valueMatcher(field, expected, compile) })
  }
  return conditions
}

/** How an entry differs. */
export function differencesOf<E extends { id: string }>(
  { shown = (_field, received) => received }: LogKind<E>,
  entry: E,
  conditions: Condition<E>[],
): Difference[] {
  const found: Difference[] = []
  for (const { field, expected, read, matches } of conditions) {
    const received = read(entry)
    if (!matches(received)) found.push({ field, expected, received: shown(field, received) })
  }
  return found
}

/** Reads a field like `body.description` or `headers.user-agent`. Names can contain dots, and the longest name wins. */
function lookUp(roots: Record<string, unknown>, field: string): unknown {
  const [root, ...steps] = (field.startsWith('headers.') ? field.toLowerCase() : field).split('.')
  let value: unknown = roots[root!]
  for (let i = 0; i < steps.length; i++) {
    if (typeof value !== 'object' || value === null) return undefined
    const rest = steps.slice(i).join('.')
    if (Object.hasOwn(value, rest)) return (value as Record<string, unknown>)[rest]
    if (!Object.hasOwn(value, steps[i]!)) return undefined
    value = (value as Record<string, unknown>)[steps[i]!]
  }
  return value
}

/** The filters in a query. Rejects other parameters, because a misspelt filter has no effect. */
export function readFilters(query: URLSearchParams, known: string[]): Record<string, string> {
  const unknown = [...query.keys()].find(name => !known.includes(name))
  if (unknown !== undefined) rejectUnknown('filter', unknown, known)
  // The first value of a repeated filter counts.
  const given = Object.fromEntries([...query].reverse())
  const { limit } = given
  if (limit !== undefined && (!Number.isInteger(Number(limit)) || Number(limit) < 1))
    reject(`"limit" must be an integer from 1, got ${quoted(limit)}`)
  return given
}

/** The entries that match the filters, in their order. */
export function filtered<E extends { id: string }>(kind: LogKind<E>, entries: E[], filters: Record<string, string>) {
  const conditions = conditionsOf(kind, filters as AnyPattern)
  return entries.filter(entry => conditions.every(({ read, matches }) => matches(read(entry))))
}
