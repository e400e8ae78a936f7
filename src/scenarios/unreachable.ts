import { MAX_PROBLEMS } from '../basics/problem.ts'
import type { Steps } from '../basics/slices.ts'
import type { FileProblem } from '../files/document.ts'
import { pathPattern } from './path.ts'
import type { Rule } from './rule.ts'
import { deliveredTypes } from './when.ts'

/** A rule whose fault acts on everything it matches, so that no later fault can. */
interface Taker {
  index: number
  /** Operations, ids of edges, or types of events. */
  targets: Set<unknown>
  /** Those of which it matches every path. */
  whole: Set<unknown>
  paths: Set<string>
}

/**
 * Finds the rules that can never fire, because the fault of one earlier rule acts on everything they could match. Only
 * what can be seen by comparing operations and paths: conditions and several rules together are left to the end of a run.
 */
export function* unreachableRules(rules: Rule[]): Steps<FileProblem[]> {
  const problems: FileProblem[] = []
  const takers: Taker[] = []
  for (const [index, rule] of rules.entries()) {
    // A latency always acts: latencies add up.
    const taker = rule.latency ? undefined : takers.find(taker => takesAll(taker, rule))
    if (taker) {
      const everything = rule.operations.length > 0 ? 'every call' : 'everything'
      const message = `rules[${index}]: can never fire: the fault of rules[${taker.index}] matches ${everything} it could match`
      if (problems.push({ path: ['rules', index], message }) === MAX_PROBLEMS) break
    } else if (isUnconditional(rule)) takers.push(toTaker(rule, index))
    yield
  }
  return problems
}

const listOf = (given: string | string[] | undefined) => (given === undefined ? undefined : [given].flat())

const targetsOf = ({ file: { when = {} }, operations }: Rule) => listOf(when.edge) ?? deliveredTypes(when) ?? operations

/** Whether it has a fault that acts on whatever its operations and paths match. */
function isUnconditional({ file: { when = {} }, fault, probability, times, calls, between }: Rule): boolean {
  if (!fault || fault.concerns || probability < 1 || Number.isFinite(times)) return false
  return calls[0] === 1 && !Number.isFinite(calls[1]) && !between && !when.owner && !when.source_ip
}

function toTaker(rule: Rule, index: number): Taker {
  const { file, operations } = rule
  const targets = new Set<unknown>(targetsOf(rule))
  const paths = listOf(file.when?.path)
  const patterns = paths?.map(pathPattern)
  // No path of a rule can contain a #, so what matches it here matches any value of a parameter.
  const isWhole = (route: string) => patterns!.some(matches => matches(route.replace(/\{\w+\}/g, '#')))
  const whole = patterns ? new Set<unknown>(operations.filter(({ path }) => isWhole(path))) : targets
  return { index, targets, whole, paths: new Set(paths) }
}

function takesAll({ targets, whole, paths }: Taker, rule: Rule): boolean {
  const own = listOf(rule.file.when?.path)
  const samePaths = own?.every(path => paths.has(path)) ?? false
  return targetsOf(rule).every(target => whole.has(target) || (samePaths && targets.has(target)))
}
