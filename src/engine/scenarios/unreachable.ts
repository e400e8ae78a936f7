import { MAX_PROBLEMS } from '../../basics/problem.ts'
import type { FileProblem } from '../files/document.ts'
import { pathPattern } from './path.ts'
import type { Rule } from './rule.ts'

/** A rule with a fault that acts on everything it matches, so no later fault can. */
interface Blocker {
  index: number
  /** Operations, ids of records with traffic, or event types. */
  targets: Set<unknown>
  /** The targets of which it matches every path. */
  whole: Set<unknown>
  paths: Set<string>
}

/**
 * Finds rules that can never fire, because the fault of one earlier rule acts on everything they match. Compares only
 * operations and paths. Conditions and combinations of rules are found at the end of a run.
 */
export function unreachableRules(rules: Rule[]): FileProblem[] {
  const problems: FileProblem[] = []
  const blockers: Blocker[] = []
  for (const [index, rule] of rules.entries()) {
    // A latency always acts, because latencies add up.
    const blocker = rule.latency ? undefined : blockers.find(blocker => coversAll(blocker, rule))
    if (blocker) {
      const everything = rule.operations.length > 0 ? 'every call' : 'everything'
      const message = `rules[${index}]: can never fire, because the fault of rules[${blocker.index}] acts on ${everything} it matches`
      if (problems.push({ path: ['rules', index], message }) === MAX_PROBLEMS) break
    } else if (isUnconditional(rule)) blockers.push(toBlocker(rule, index))
  }
  return problems
}

const listOf = (value: string | string[] | undefined) => (value === undefined ? undefined : [value].flat())

const targetsOf = ({ operations, events, records }: Rule) => records ?? events ?? operations

/** Whether it has a fault that acts on everything its operations and paths match. */
function isUnconditional({ file: { when = {} }, fault, probability, times, calls, between }: Rule): boolean {
  if (!fault || fault.appliesTo || probability < 1 || Number.isFinite(times)) return false
  return calls[0] === 1 && !Number.isFinite(calls[1]) && !between && !when.owner && !when.source_ip
}

function toBlocker(rule: Rule, index: number): Blocker {
  const { file, operations } = rule
  const targets = new Set<unknown>(targetsOf(rule))
  const paths = listOf(file.when?.path)
  const patterns = paths?.map(pathPattern)
  // No path can contain a #, so a pattern that matches it matches any parameter value.
  const isWhole = (route: string) => patterns!.some(matches => matches(route.replace(/\{\w+\}/g, '#')))
  const whole = patterns ? new Set<unknown>(operations.filter(({ path }) => isWhole(path))) : targets
  return { index, targets, whole, paths: new Set(paths) }
}

function coversAll({ targets, whole, paths }: Blocker, rule: Rule): boolean {
  const own = listOf(rule.file.when?.path)
  const samePaths = own?.every(path => paths.has(path)) ?? false
  return targetsOf(rule).every(target => whole.has(target) || (samePaths && targets.has(target)))
}
