import type { Steps } from '../basics/slices.ts'
import { counted } from '../basics/text.ts'
import type { FileProblem } from '../files/document.ts'
import type { Call } from '../sandbox/index.ts'
import { MAX_PROBLEMS } from '../schema/problem.ts'
import { FIXED } from './rate-limit.ts'
import type { Rule } from './rule.ts'
import { Scope, type Target } from './scope.ts'

/** Calls that certainly get a fault of these rules, so that no later fault can act on them. */
interface Range {
  /** Calls are numbered among those that a rule matches. */
  from: number
  to: number
  rules: number[]
}

/** A rule that takes calls from those behind it, with the ranges of all rules that match the same. */
interface Taker {
  rule: Rule
  scope: Scope
  ranges: Range[]
}

/** A rule that lets no more requests through than others that count the same calls. */
interface Limit {
  index: number
  rule: Rule
  scope: Scope
}

/** Finds the rules that can never fire, each with the reason. */
export function* unreachableRules(rules: Rule[], neighboursAbsent: boolean): Steps<FileProblem[]> {
  const problems: FileProblem[] = []
  const takers = new Map<string, Taker>()
  const limits: Limit[] = []
  for (const [index, rule] of rules.entries()) {
    const scope = new Scope(rule, neighboursAbsent)
    const why =
      whyByItself(rule, scope) ??
      (yield* whyTaken(rule, scope, [...takers.values()])) ??
      whyLimited(rule, scope, limits)
    if (why) problems.push({ path: ['rules', index], message: `rules[${index}]: can never fire: ${why}` })
    else {
      addTaker(takers, index, rule, scope)
      if (rule.rateLimit && rule.probability === 1 && rule.times === Number.POSITIVE_INFINITY)
        limits.push({ index, rule, scope })
    }
    if (problems.length === MAX_PROBLEMS) break
    yield
  }
  return problems
}

const canAffect = ({ fault, latency }: Rule, target: Target) =>
  typeof target === 'string' || latency !== undefined || (fault?.concerns?.({ operation: target } as Call) ?? true)

function whyByItself(rule: Rule, { targets }: Scope): string | undefined {
  const { latency, rateLimit, calls } = rule
  if (![...targets].some(target => canAffect(rule, target)))
    return 'under neighbours=absent the API has no operation that it could affect'
  const count = calls[1] - calls[0] + 1
  if (rateLimit && !latency && count <= rateLimit.requests)
    return `it counts ${counted(count, 'call')}, and its rate_limit lets ${rateLimit.requests} through`
  return undefined
}

function addTaker(takers: Map<string, Taker>, index: number, rule: Rule, scope: Scope) {
  const { fault, calls, times, between, probability } = rule
  if (!fault || probability < 1) return
  const key = JSON.stringify([scope.key, between, fault.concerns && fault.type])
  const taker = takers.get(key) ?? { rule, scope, ranges: [] }
  const [from, to] = calls
  // It has fired at most once per earlier call since `from`, so it takes at least the first `times` calls.
  taker.ranges.push({ from, to: Math.min(to, from + times - 1), rules: [index] })
  takers.set(key, taker)
}

const MAX_NAMED_RULES = 5

function* whyTaken(rule: Rule, scope: Scope, takers: Taker[]): Steps<string | undefined> {
  // A latency always acts: latencies add up.
  if (rule.latency || takers.length === 0 || scope.samples === 'too many') return undefined
  const [from, to] = [rule.calls[0] + (rule.rateLimit?.requests ?? 0), rule.calls[1]]
  const certain = new Map<Taker, Range[]>()
  const used = new Set<number>()
  for (const sample of scope.samples) {
    if (!canAffect(rule, sample.target)) continue
    const ranges: Range[] = []
    for (const taker of takers) {
      if (!canAffect(taker.rule, sample.target) || !includesPeriod(taker.rule, rule)) continue
      if (!taker.scope.includes(sample)) continue
      if (!certain.has(taker)) certain.set(taker, certainRanges(taker, scope))
      ranges.push(...certain.get(taker)!)
    }
    if (!includeAll(from, to, ranges, used)) return undefined
    yield
  }
  const everything = `${rule.operations.length > 0 ? 'every call' : 'everything'} it could match`
  const named = [...used].sort((a, b) => a - b).map(i => `rules[${i}]`)
  if (named.length === 1) return `the fault of ${named[0]} matches ${everything}`
  return `the faults of ${named.length > MAX_NAMED_RULES ? `${named.length} rules` : named.join(', ')} match ${everything}`
}

const includesPeriod = ({ between: outer }: Rule, { between: inner }: Rule) =>
  !outer || (inner !== undefined && outer[0] <= inner[0] && inner[1] <= outer[1])

/**
 * The ranges of a taker that are certain in the numbering of calls by another rule. The start of a range holds if the
 * taker is `ahead`: it counts every call that the rule counts. The end holds if it is `behind`: the rule counts all its
 * calls.
 */
function certainRanges(taker: Taker, scope: Scope): Range[] {
  const ahead = taker.scope.contains(scope)
  const behind = scope.contains(taker.scope)
  const ranges = ahead && behind ? taker.ranges : mergeRanges(taker.ranges)
  return ranges.filter(({ from, to }) => (from === 1 || ahead) && (to === Number.POSITIVE_INFINITY || behind))
}

/** Joins ranges that overlap or touch. */
function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = []
  for (const { from, to, rules } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (!last || last.to + 1 < from) merged.push({ from, to, rules: [...rules] })
    else if (last.to < to) {
      last.to = to
      last.rules.push(...rules)
    }
  }
  return merged
}

/** Whether ranges include all these calls; adds their rules to `used`. */
function includeAll(from: number, to: number, ranges: Range[], used: Set<number>): boolean {
  ranges.sort((a, b) => a.from - b.from)
  for (let next = from, at = 0; next <= to; ) {
    let longest: Range | undefined
    for (; at < ranges.length && ranges[at]!.from <= next; at++)
      if (!longest || ranges[at]!.to > longest.to) longest = ranges[at]
    if (!longest || longest.to < next) return false
    for (const rule of longest.rules) used.add(rule)
    if (longest.to === Number.POSITIVE_INFINITY) return true
    next = longest.to + 1
  }
  return true
}

/** Of rate limits that count the same calls in the same windows, the lowest rejects all that the others would. */
function whyLimited({ rateLimit, latency, calls, between, probability }: Rule, scope: Scope, limits: Limit[]) {
  if (!rateLimit || latency || probability < 1) return undefined
  const lower = limits.find(
    ({ rule, scope: other }) =>
      rule.rateLimit!.perMs === rateLimit.perMs &&
      (rule.rateLimit!.window === FIXED) === (rateLimit.window === FIXED) &&
      rule.rateLimit!.requests <= rateLimit.requests &&
      rule.calls[0] === calls[0] &&
      rule.calls[1] >= calls[1] &&
      String(rule.between) === String(between) &&
      (other.key === scope.key || (other.contains(scope) && scope.contains(other))),
  )
  return lower && `the rate_limit of rules[${lower.index}] refuses every call that it could refuse`
}
