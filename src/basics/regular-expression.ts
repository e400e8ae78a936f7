import { RE2JSException, RE2Set } from 're2js'
import { costOf, UNICODE_CLASS_CHARACTERS } from './pattern-cost.ts'
import type { Steps } from './slices.ts'

export const MAX_PATTERN_LENGTH = 200
/** Of patterns that are compiled together. It takes about 15 ms; one class of all characters that are not ASCII fits. */
export const MAX_CLASS_CHARACTERS = 150_000
/** A pattern may have fewer instructions than its text tells, but not fewer than one of this many. */
const MAX_SHARED = 4
/** For cached states of the automaton: a larger cache costs more than it saves. */
const MAX_CACHE_BYTES = 64 * 1024

/** A regular expression. */
export interface Expression {
  /** Instructions. Searching takes time linear in this and in the text. */
  size: number
  /** Whether it matches somewhere in the text. */
  matches(text: string): boolean
}

/** Expressions by their text, so that none is compiled again. */
export interface Kept {
  get(pattern: string): Expression | undefined
  set(pattern: string, expression: Expression): unknown
}

/** What is left for the expressions that are compiled together. */
export interface Budget {
  size: number
  characters: number
}

export const newBudget = (size: number): Budget => ({ size, characters: MAX_CLASS_CHARACTERS })

/**
 * Compiles a regular expression of RE2, which never backtracks, or returns what it must be. What it costs is taken from
 * the budget, and what costs too much is never compiled. This file is loaded when it is needed: few need it, and loading
 * takes a while.
 */
export function compileOne(pattern: string, budget: Budget, kept?: Kept): Expression | string {
  if (pattern.length > MAX_PATTERN_LENGTH) return `a regular expression of up to ${MAX_PATTERN_LENGTH} characters`
  const { size: written, characters } = costOf(pattern)
  budget.characters -= characters
  if (budget.characters < 0)
    return `a regular expression with narrower classes: the ranges under (?i), with those of the expressions before it, have ${MAX_CLASS_CHARACTERS - budget.characters} characters, of ${MAX_CLASS_CHARACTERS} at most; a class like \\pL counts as ${UNICODE_CLASS_CHARACTERS}`
  if (written > MAX_SHARED * budget.size) return tooLarge(`about ${written}`, budget.size)
  const compiled = kept?.get(pattern) ?? compileText(pattern)
  if (typeof compiled === 'string')
    return `a regular expression as RE2 has them, without lookaround and backreferences: ${compiled}`
  if (compiled.size > budget.size) return tooLarge(`${compiled.size}`, budget.size)
  budget.size -= compiled.size
  kept?.set(pattern, compiled)
  return compiled
}

const tooLarge = (has: string, left: number) =>
  `a regular expression with smaller counts: it has ${has} instructions, of ${left} at most`

/** The expression, or what is wrong with it. */
function compileText(pattern: string): Expression | string {
  try {
    const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_CACHE_BYTES)
    set.add(pattern)
    set.compile()
    return { size: set.prog.numInst(), matches: text => set.match(text).length > 0 }
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace('error parsing regexp: ', '')
    throw error
  }
}

/** What the expression at this place must be. */
export interface Invalid {
  at: number
  expected: string
}

/** Compiles a list of expressions that are searched for together. Each is a step. */
export function* compile(patterns: readonly string[], maxSize: number, kept?: Kept): Steps<Expression[] | Invalid> {
  const budget = newBudget(maxSize)
  const expressions: Expression[] = []
  for (const [at, pattern] of patterns.entries()) {
    const compiled = compileOne(pattern, budget, kept)
    if (typeof compiled === 'string') return { at, expected: compiled }
    expressions.push(compiled)
    yield
  }
  return expressions
}
