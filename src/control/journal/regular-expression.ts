import { type Budget, compileOne, newBudget } from '../../basics/regular-expression.ts'
import { reject } from '../route.ts'
import type { Compile, Matches } from './value-matcher.ts'

export const MAX_PROGRAM_SIZE = 1_000
/** Only the beginning of a longer string is searched. */
export const MAX_SEARCHED_LENGTH = 10_000
/** Instructions times characters, of all matches of a verification together. The worst case takes about 0.2 s. */
export const MAX_WORK = 15_000_000
/** An instruction of an expression with wide classes counts as this many. */
const WIDE = 6

/** Compiles each regular expression of a verification once. See docs/control-api.md. */
export function regularExpressions(): Compile {
  const budget = newBudget(MAX_PROGRAM_SIZE)
  const known = new Map<string, Matches | string>()
  let work = 0
  const addWork = (more: number) => {
    work += more
    if (work > MAX_WORK) failTooSlow()
  }
  return pattern => {
    // Only the classes share a budget.
    budget.size = MAX_PROGRAM_SIZE
    const compiled = known.get(pattern) ?? matcherOf(pattern, budget, addWork)
    known.set(pattern, compiled)
    return compiled
  }
}

function matcherOf(pattern: string, budget: Budget, addWork: (more: number) => void): Matches | string {
  const compiled = compileOne(pattern, budget)
  if (typeof compiled === 'string') return compiled
  const { size, wide, matches } = compiled
  const perCharacter = wide ? WIDE * size : size
  return received => {
    if (typeof received !== 'string') return false
    const text = received.slice(0, MAX_SEARCHED_LENGTH)
    addWork(perCharacter * text.length)
    return matches(text)
  }
}

const failTooSlow = () =>
  reject(
    `The regular expressions would take too long: their instructions times the searched characters exceed ${MAX_WORK}. Use shorter ones, or "contains", or clear older requests with DELETE /_sim/requests`,
  )
