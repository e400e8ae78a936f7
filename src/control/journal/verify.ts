import { runYielding, type Steps } from '../../basics/slices.ts'
import type { Difference, Expectation, Miss, Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { Decision } from '../../contract/traffic.ts'
import { pathPattern } from '../../scenarios/path.ts'
import { statusMatches } from './request-pattern.ts'
import { type Compile, isRegularExpression, type Matches, valueMatcher } from './value-matcher.ts'

/** How many of the requests that nearly matched are returned. */
const MAX_MISSES = 3

export type Verification =
  | { matched: string[]; failure?: undefined }
  | { matched: string[]; failure: string; nearest: Miss[] }

/** A request of the journal, or a decision of an edge. */
type LogEntry = Entry | Decision

/** Whether the entries, oldest first, are as expected; if not, which ones nearly match and how they differ. */
export async function verify(entries: LogEntry[], expected: Expectation): Promise<Verification> {
  const { sequence } = expected
  const compile = (sequence ?? [expected]).some(hasRegularExpression) ? await loadRegularExpressions() : undefined
  return runYielding(sequence ? verifySequence(entries, sequence, compile) : verifyCount(entries, expected, compile))
}

const hasRegularExpression = ({ where = {} }: Pattern) => Object.values(where).some(isRegularExpression)
/** Loaded on demand: most expectations have no regular expression, and loading takes a while. */
const loadRegularExpressions = async () => (await import('./regular-expression.ts')).regularExpression

function* verifyCount(entries: LogEntry[], expected: Expectation, compile?: Compile): Steps<Verification> {
  const compared = yield* compareAll(entries, expected, compile)
  const matched = compared.filter(isMatch).map(({ id }) => id)
  const { count, at_most } = expected
  const min = count ?? expected.at_least ?? (at_most === undefined ? 1 : 0)
  const max = count ?? at_most ?? Number.POSITIVE_INFINITY
  if (matched.length >= min && matched.length <= max) return { matched }
  const wanted = count !== undefined ? `exactly ${count}` : matched.length < min ? `at least ${min}` : `at most ${max}`
  const failure = `Expected ${wanted} matching request${wanted.endsWith(' 1') ? '' : 's'}, found ${matched.length} among ${entries.length} in the journal`
  return { matched, failure, nearest: matched.length < min ? nearestMisses(compared) : [] }
}

function* verifySequence(entries: LogEntry[], sequence: Pattern[], compile?: Compile): Steps<Verification> {
  const matched: string[] = []
  let from = 0
  for (const [step, wanted] of sequence.entries()) {
    const differences = yield* comparer(wanted, compile)
    let at = from
    for (; at < entries.length; at++) {
      if ((yield* differences(entries[at]!)).length === 0) break
      yield
    }
    if (at === entries.length) {
      const compared = yield* compareAll(entries, wanted, compile)
      const earlier = compared.slice(0, from).findLast(isMatch)
      const hint = earlier ? `: one came earlier, ${earlier.id}` : ''
      const failure = `Step ${step + 1} of ${sequence.length} has no matching request after the ones before it${hint}`
      return { matched, failure, nearest: nearestMisses(compared.slice(from)) }
    }
    matched.push(entries[at]!.id)
    from = at + 1
    yield
  }
  return { matched }
}

const isMatch = ({ differs }: Miss) => differs.length === 0

/** Lists how every entry differs. */
function* compareAll(entries: LogEntry[], wanted: Pattern, compile?: Compile): Steps<Miss[]> {
  const differences = yield* comparer(wanted, compile)
  const compared: Miss[] = []
  for (const entry of entries) {
    const { id, method, path, status } = entry
    compared.push({ id, method, path, status, differs: yield* differences(entry) })
    yield
  }
  return compared
}

function nearestMisses(compared: Miss[]): Miss[] {
  // Of equals the newest first: people look for their latest attempt.
  return compared
    .filter(miss => !isMatch(miss))
    .reverse()
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_MISSES)
}

/** Another operation counts more than a wrong field. */
const distance = ({ differs }: Miss) => differs.length + (differs.some(({ field }) => field === 'operation') ? 0.5 : 0)

/** Compiles a pattern to a function that lists how an entry differs. Matching a regular expression is a step. */
function* comparer(wanted: Pattern, compile?: Compile): Steps<(entry: LogEntry) => Steps<Difference[]>> {
  const { operation, method, path, status, where = {} } = wanted
  const plain = ['edge', 'verdict', 'source_ip', 'route'] as const
  const pathMatches = path === undefined ? undefined : pathPattern(path)
  const tests: { field: string; value: unknown; test: Matches }[] = []
  for (const [field, value] of Object.entries(where)) {
    tests.push({ field, value, test: valueMatcher(field, value, compile) })
    yield
  }
  return function* (entry) {
    const found: Difference[] = []
    const differ = (field: string, expected: unknown, received: unknown) => found.push({ field, expected, received })
    for (const field of plain) {
      const received = (entry as Partial<Decision>)[field]
      if (wanted[field] !== undefined && wanted[field] !== received) differ(field, wanted[field], received)
    }
    if (operation !== undefined && operation !== (entry as Entry).operation)
      differ('operation', operation, (entry as Entry).operation)
    if (status !== undefined && !statusMatches(entry.status, String(status))) differ('status', status, entry.status)
    if (method !== undefined && method.toUpperCase() !== entry.method) differ('method', method, entry.method)
    if (pathMatches && !pathMatches(entry.path ?? '')) differ('path', path, entry.path)
    const { caller } = entry as Entry
    if (wanted.caller !== undefined && wanted.caller !== caller?.id && wanted.caller !== caller?.key_id)
      differ('caller', wanted.caller, caller?.id ?? null)
    const roots = tests.length > 0 ? rootsOf(entry as Entry) : {}
    for (const { field, value, test } of tests) {
      const received = lookUp(roots, field)
      if (!test(received)) differ(field, value, received)
      yield
    }
    return found
  }
}

function rootsOf(entry: Entry): Record<string, unknown> {
  const { request, query, response } = entry
  return { body: request.body, query, headers: request.headers, response: response?.body }
}

/** Reads a field like `body.description` or `headers.user-agent`. Names may contain dots: the longest name wins. */
function lookUp(roots: Record<string, unknown>, field: string): unknown {
  const [root, ...steps] = (field.startsWith('headers.') ? field.toLowerCase() : field).split('.')
  let value = Object.hasOwn(roots, root!) ? roots[root!] : undefined
  for (let i = 0; i < steps.length; i++) {
    if (typeof value !== 'object' || value === null) return undefined
    const rest = steps.slice(i).join('.')
    if (Object.hasOwn(value, rest)) return (value as Record<string, unknown>)[rest]
    if (!Object.hasOwn(value, steps[i]!)) return undefined
    value = (value as Record<string, unknown>)[steps[i]!]
  }
  return value
}
