import { runYielding, type Steps } from '../../basics/slices.ts'
import type { Difference, Expectation, Miss, Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import { type Condition, conditionsOf, type LogEntry } from './pattern.ts'
import { type Compile, isRegularExpression } from './value-matcher.ts'

/** How many of the requests that nearly matched are returned. */
const MAX_MISSES = 3

export type Verification =
  | { matched: string[]; failure?: undefined }
  | { matched: string[]; failure: string; nearest: Miss[] }

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
    const conditions = yield* conditionsOf(wanted, compile)
    let at = from
    while (at < entries.length && (yield* differencesOf(entries[at]!, conditions)).length > 0) at++
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
  const conditions = yield* conditionsOf(wanted, compile)
  const compared: Miss[] = []
  for (const entry of entries) {
    const { id, method, path, status } = entry
    compared.push({ id, method, path, status, differs: yield* differencesOf(entry, conditions) })
  }
  return compared
}

/** How an entry differs. Matching a regular expression is a step. */
function* differencesOf(entry: LogEntry, conditions: Condition[]): Steps<Difference[]> {
  const found: Difference[] = []
  for (const { field, expected, read, matches } of conditions) {
    const received = read(entry)
    if (!matches(received))
      found.push({
        field,
        expected,
        received: field === 'caller' ? ((received as Entry['caller'])?.id ?? null) : received,
      })
    yield
  }
  return found
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
