import { type Budget, compileOne, newBudget } from '../../basics/regular-expression.ts'
import { reject } from '../route.ts'
import type { Compile, Matches } from './value-matcher.ts'

export const MAX_PROGRAM_SIZE = 1_000
/** Only the beginning of a longer string is searched. */
export const MAX_SEARCHED_LENGTH = 10_000
/** Instructions times characters. The worst case takes 12 ms, or 40 ms with large classes like `\pL`. */
export const MAX_WORK = 500_000

/** Compiles each regular expression of a verification once. See docs/control-api.md. */
export function regularExpressions(): Compile {
  const budget = newBudget(MAX_PROGRAM_SIZE)
  const known = new Map<string, Matches | string>()
  return pattern => {
    // Only the classes share a budget.
    budget.size = MAX_PROGRAM_SIZE
    const compiled = known.get(pattern) ?? matcherOf(pattern, budget)
    known.set(pattern, compiled)
    return compiled
  }
}

function matcherOf(pattern: string, budget: Budget): Matches | string {
  const compiled = compileOne(pattern, budget)
  if (typeof compiled === 'string') return compiled
  const { size, matches } = compiled
  return received => {
    if (typeof received !== 'string') return false
    const text = received.slice(0, MAX_SEARCHED_LENGTH)
    if (size * text.length > MAX_WORK) failTooLarge(pattern, size, text)
    return matches(text)
  }
}

const failTooLarge = (pattern: string, size: number, { length }: string) =>
  reject(
    `The regular expression ${JSON.stringify(pattern)} is too large for ${length} characters: it can have up to ${Math.floor(MAX_WORK / length)} instructions, got ${size}`,
  )
