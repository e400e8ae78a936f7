import { whyTooLong } from '../../basics/comparisons.ts'
import { pluralOf } from '../../basics/text.ts'
import type { Difference } from '../../contract/expectation.ts'
import { ApiError } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import { errorBody } from '../../server/error-reply.ts'
import { Reply, reject } from '../route.ts'
import { type AnyPattern, conditionsOf, differencesOf, type LogKind } from './log-kind.ts'
import { type Compile, isRegularExpression } from './value-matcher.ts'

/** The maximum number of returned misses. */
const MAX_MISSES = 3

/** The number of matches of a pattern, or patterns that must match in this order. */
export interface AnyExpectation extends AnyPattern {
  count?: number
  at_least?: number
  at_most?: number
  sequence?: AnyPattern[]
}

interface AnyMiss {
  id: string
  differs: Difference[]
}

/** The matching entries. If they are not as expected, also the closest misses. */
type Verification =
  | { matched: string[]; failure?: undefined }
  | { matched: string[]; failure: string; nearest: AnyMiss[] }

/** A log of a sandbox. */
interface Log<E> {
  oldestFirst(): E[]
  readonly dropped: number
}

/** The matching entries. Returns 409 with the closest misses if they are not as expected. */
export async function verifyLog<E extends { id: string }>(kind: LogKind<E>, log: Log<E>, expected: AnyExpectation) {
  const entries = log.oldestFirst()
  const { sequence } = expected
  const steps = sequence ?? [expected]
  checkLength(steps, entries.length, kind.words.one)
  const compile = steps.some(hasRegularExpression) ? await loadRegularExpressions() : undefined
  const verified = { kind, entries, compile }
  const verdict = sequence ? verifySequence(verified, sequence) : verifyCount(verified, expected)
  if (verdict.failure === undefined) return verdict
  const { matched, nearest, failure } = verdict
  const older = log.dropped > 0 ? `. Older ones were dropped from it: ${log.dropped}` : ''
  const error = errorBody(ApiError.of(errors.conflict, { why: failure + older }))
  return new Reply(409, { ...error, matched, nearest })
}

/** Each entry is compared with one step, or with two if there is no match. */
function checkLength(steps: AnyPattern[], entries: number, noun: string) {
  const longest = steps.map(step => JSON.stringify(step)).reduce((a, b) => (a.length < b.length ? b : a))
  const why = whyTooLong(longest, entries, noun)
  if (why) reject(`The expectation would take too long: ${why}`)
}

interface Verified<E extends { id: string }> {
  kind: LogKind<E>
  /** Oldest first. */
  entries: E[]
  compile: Compile | undefined
}

const hasRegularExpression = ({ where = {} }: AnyPattern) => Object.values(where).some(isRegularExpression)
/** Loaded on demand, because most expectations have no regular expression. */
const loadRegularExpressions = async () => (await import('./regular-expression.ts')).regularExpressions()

function verifyCount<E extends { id: string }>(log: Verified<E>, expected: AnyExpectation): Verification {
  const { entries, kind } = log
  const compared = compareAll(log, expected)
  const matched = compared.filter(isMatch).map(({ id }) => id)
  const { count, at_most } = expected
  const min = count ?? expected.at_least ?? (at_most === undefined ? 1 : 0)
  const max = count ?? at_most ?? Number.POSITIVE_INFINITY
  if (matched.length >= min && matched.length <= max) return { matched }
  const wanted = count !== undefined ? `exactly ${count}` : matched.length < min ? `at least ${min}` : `at most ${max}`
  const { one, log: place } = kind.words
  const noun = wanted.endsWith(' 1') ? one : pluralOf(one)
  const failure = `Expected ${wanted} matching ${noun}, found ${matched.length} among ${entries.length} in ${place}`
  return { matched, failure, nearest: matched.length < min ? nearestMisses(log, compared) : [] }
}

function verifySequence<E extends { id: string }>(log: Verified<E>, sequence: AnyPattern[]): Verification {
  const { kind, entries, compile } = log
  const matched: string[] = []
  let from = 0
  for (const [step, wanted] of sequence.entries()) {
    const conditions = conditionsOf(kind, wanted, compile)
    let at = from
    while (at < entries.length && differencesOf(kind, entries[at]!, conditions).length > 0) at++
    if (at === entries.length) {
      const compared = compareAll(log, wanted)
      const earlier = compared.slice(0, from).findLast(isMatch)
      const hint = earlier ? `. ${earlier.id} matches, but came earlier` : ''
      const failure = `Step ${step + 1} of ${sequence.length} has no matching ${kind.words.one} after the previous steps${hint}`
      return { matched, failure, nearest: nearestMisses(log, compared.slice(from)) }
    }
    matched.push(entries[at]!.id)
    from = at + 1
  }
  return { matched }
}

const isMatch = ({ differs }: AnyMiss) => differs.length === 0

/** The differences of every entry. */
function compareAll<E extends { id: string }>({ kind, entries, compile }: Verified<E>, wanted: AnyPattern): AnyMiss[] {
  const conditions = conditionsOf(kind, wanted, compile)
  const compared: AnyMiss[] = []
  for (const entry of entries) {
    const differs = differencesOf(kind, entry, conditions)
    compared.push({ id: entry.id, ...kind.summary(entry), differs })
  }
  return compared
}

function nearestMisses<E extends { id: string }>({ kind }: Verified<E>, compared: AnyMiss[]): AnyMiss[] {
  const distance = ({ differs }: AnyMiss) =>
    differs.length + (differs.some(({ field }) => field === kind.foremost) ? 0.5 : 0)
  // Among equals, the newest first: users look for their latest attempt.
  return compared
    .filter(miss => !isMatch(miss))
    .reverse()
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_MISSES)
}
