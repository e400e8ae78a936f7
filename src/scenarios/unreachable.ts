import type { Steps } from '../basics/slices.ts'
import { counted } from '../basics/text.ts'
import type { FileProblem } from '../files/document.ts'
import type { Call } from '../sandbox/index.ts'
import { MAX_PROBLEMS } from '../schema/problem.ts'
import type { Rule } from './rule.ts'
import { Scope, splitPart, type Target } from './scope.ts'

/** Calls by their numbers among those that a rule matches. */
interface Calls {
  from: number
  to: number
}

/** Calls that certainly get a fault of these rules, so that no later fault can act on them. */
interface Range extends Calls {
  rules: number[]
}

/** Rules with the same scope and period, and the calls that their faults take. */
interface Taker {
  scope: Scope
  between: Rule['between']
  ranges: Range[]
}

/** Finds the rules that can never fire, each with the reason. */
export function* unreachableRules(rules: Rule[], neighboursAbsent: boolean): Steps<FileProblem[]> {
  const problems: FileProblem[] = []
  const [takers, limits] = [new Takers(), new Limits()]
  for (const [i, rule] of rules.entries()) {
    const scope = new Scope(rule, neighboursAbsent)
    const targets = [...scope.targets].filter(target => canAffect(rule, target))
    const why = whyByItself(rule, targets) ?? takers.whyNever(rule, scope, targets) ?? limits.whyNever(rule, scope)
    if (why) problems.push({ path: ['rules', i], message: `rules[${i}]: can never fire: ${why}` })
    else {
      takers.add(i, rule, scope, targets)
      limits.add(i, rule, scope)
    }
    if (problems.length === MAX_PROBLEMS) break
    yield
  }
  return problems
}

const canAffect = ({ fault, latency }: Rule, target: Target) =>
  typeof target === 'string' || latency !== undefined || (fault?.concerns?.({ operation: target } as Call) ?? true)

function whyByItself({ latency, rateLimit, calls: [from, to] }: Rule, targets: Target[]): string | undefined {
  if (targets.length === 0) return 'under neighbours=absent the API has no operation that it could affect'
  const count = to - from + 1
  if (rateLimit && !latency && count <= rateLimit.requests)
    return `it counts ${counted(count, 'call')}, and its rate_limit lets ${rateLimit.requests} through`
  return undefined
}

const MAX_NAMED_RULES = 5

class Takers {
  readonly #byTarget = new Map<Target, Taker[]>()
  readonly #byKey = new Map<string, Taker>()

  add(index: number, { fault, calls, times, between, probability }: Rule, scope: Scope, targets: Target[]) {
    if (!fault || probability < 1) return
    const key = JSON.stringify([scope.key, between, fault.concerns && fault.type])
    let taker = this.#byKey.get(key)
    if (!taker) {
      taker = { scope, between, ranges: [] }
      this.#byKey.set(key, taker)
      for (const target of targets) {
        const others = this.#byTarget.get(target)
        if (others) others.push(taker)
        else this.#byTarget.set(target, [taker])
      }
    }
    const [from, to] = calls
    // It has fired at most once per earlier call since `from`, so it takes at least the first `times` calls.
    taker.ranges.push({ from, to: Math.min(to, from + times - 1), rules: [index] })
  }

  whyNever(rule: Rule, scope: Scope, targets: Target[]): string | undefined {
    // A latency always acts: latencies add up.
    if (rule.latency) return undefined
    const [from, to] = rule.calls
    const wanted = { from: from + (rule.rateLimit?.requests ?? 0), to }
    const ranges = new Map<Taker, Range[]>()
    const used = new Set<number>()
    let before: Taker[] = []
    for (const target of targets) {
      const takers = this.#byTarget.get(target) ?? []
      const byPath = takers.some(({ scope }) => scope.hasPaths)
      // Without paths, targets with the same takers give the same result.
      if (!byPath && isSameList(takers, before)) continue
      before = takers
      for (const part of splitPart(scope.at(target, byPath))) {
        const covering = takers.filter(taker => includesPeriod(taker.between, rule.between) && taker.scope.covers(part))
        for (const taker of covering) if (!ranges.has(taker)) ranges.set(taker, rangesFor(scope, taker, wanted))
        const taken = covering.flatMap(taker => ranges.get(taker)!)
        if (!includeAll(wanted, taken, used)) return undefined
      }
    }
    const everything = `${typeof targets[0] === 'string' ? 'everything' : 'every call'} it could match`
    const named = [...used].sort((a, b) => a - b).map(i => `rules[${i}]`)
    if (named.length === 1) return `the fault of ${named[0]} matches ${everything}`
    return `the faults of ${named.length > MAX_NAMED_RULES ? `${named.length} rules` : named.join(', ')} match ${everything}`
  }
}

const isSameList = (takers: Taker[], others: Taker[]) =>
  takers.length > 0 && takers.length === others.length && takers.every((taker, i) => taker === others[i])

const includesPeriod = (outer: Rule['between'], inner: Rule['between']) =>
  !outer || (inner !== undefined && outer[0] <= inner[0] && inner[1] <= outer[1])

/**
 * The ranges of a taker that are certain in the rule's numbering of calls. The start of a range holds if the taker is
 * `ahead`: it counts every call that the rule counts. The end holds if it is `behind`: the rule counts all its calls.
 */
function rangesFor(scope: Scope, taker: Taker, wanted: Calls): Range[] {
  const ahead = taker.scope.contains(scope)
  const behind = scope.contains(taker.scope)
  const ranges = ahead && behind ? taker.ranges : mergeRanges(taker.ranges)
  return ranges.filter(
    ({ from, to }) =>
      from <= wanted.to && to >= wanted.from && (from === 1 || ahead) && (to === Number.POSITIVE_INFINITY || behind),
  )
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
function includeAll({ from, to }: Calls, ranges: Range[], used: Set<number>): boolean {
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
class Limits {
  readonly #known: { index: number; rule: Rule; scope: Scope }[] = []

  add(index: number, rule: Rule, scope: Scope) {
    const { rateLimit, probability, times } = rule
    if (rateLimit && probability === 1 && times === Number.POSITIVE_INFINITY) this.#known.push({ index, rule, scope })
  }

  whyNever({ rateLimit, latency, calls, between, probability }: Rule, scope: Scope): string | undefined {
    if (!rateLimit || latency || probability < 1) return undefined
    const lower = this.#known.find(
      ({ rule, scope: other }) =>
        rule.rateLimit!.perMs === rateLimit.perMs &&
        rule.rateLimit!.requests <= rateLimit.requests &&
        rule.calls[0] === calls[0] &&
        rule.calls[1] >= calls[1] &&
        String(rule.between) === String(between) &&
        other.contains(scope) &&
        scope.contains(other),
    )
    return lower && `the rate_limit of rules[${lower.index}] refuses every call that it could refuse`
  }
}
