import { RE2JSException, RE2Set } from 're2js'
import { costOf, UNICODE_CLASS_CHARACTERS } from './pattern-cost.ts'

export const MAX_PATTERN_LENGTH = 200
/** For patterns compiled together, which takes about 15 ms. Allows one class of all non-ASCII characters. */
export const MAX_CLASS_CHARACTERS = 150_000
/** A pattern may compile to fewer instructions than estimated, by up to this factor. */
const MAX_SHARED = 4
/** In characters. */
const WIDE_CLASS = 1_000
/** Limits the automaton's state cache: a larger one costs more than it saves. */
const MAX_CACHE_BYTES = 64 * 1024

export interface Expression {
  /** Number of instructions. Search time is linear in this and in the text's length. */
  size: number
  /** A search with wide classes like `\pL` takes about six times as long. */
  wide: boolean
  /** Whether it matches anywhere in the text. */
  matches(text: string): boolean
}

/** A cache of compiled expressions by pattern. */
export interface ExpressionCache {
  get(pattern: string): Expression | undefined
  set(pattern: string, expression: Expression): unknown
}

/** The remaining budget for expressions compiled together. */
export interface Budget {
  size: number
  characters: number
}

export const newBudget = (size: number): Budget => ({ size, characters: MAX_CLASS_CHARACTERS })

/**
 * Compiles an RE2 regular expression, which never backtracks, or returns a description of a valid one. Subtracts the cost
 * from the budget, and never compiles an expression that costs too much. This module is slow to load, so it is loaded on
 * first use.
 */
export function compileOne(pattern: string, budget: Budget, cache?: ExpressionCache): Expression | string {
  if (pattern.length > MAX_PATTERN_LENGTH) return `a regular expression of up to ${MAX_PATTERN_LENGTH} characters`
  const { size: written, characters } = costOf(pattern)
  budget.characters -= characters
  if (budget.characters < 0)
    return `a regular expression with narrower classes: ranges under (?i), including previous expressions, cover ${MAX_CLASS_CHARACTERS - budget.characters} characters (the limit is ${MAX_CLASS_CHARACTERS}, and a class like \\pL counts as ${UNICODE_CLASS_CHARACTERS})`
  if (written > MAX_SHARED * budget.size) return tooLarge(`about ${written}`, budget.size)
  const compiled = cache?.get(pattern) ?? compileText(pattern, characters > WIDE_CLASS)
  if (typeof compiled === 'string')
    return `an RE2 regular expression, without lookaround or backreferences: ${compiled}`
  if (compiled.size > budget.size) return tooLarge(`${compiled.size}`, budget.size)
  budget.size -= compiled.size
  cache?.set(pattern, compiled)
  return compiled
}

const tooLarge = (has: string, left: number) =>
  `a regular expression with smaller repeat counts: it has ${has} instructions (the limit is ${left})`

/** The compiled expression, or an error message. */
function compileText(pattern: string, wide: boolean): Expression | string {
  try {
    const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_CACHE_BYTES)
    set.add(pattern)
    set.compile()
    return { size: set.prog.numInst(), wide, matches: text => set.match(text).length > 0 }
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace('error parsing regexp: ', '')
    throw error
  }
}

/** The position of an invalid expression, and a description of a valid one. */
export interface Invalid {
  at: number
  expected: string
}

/** Compiles a list of expressions that share a budget. */
export function compile(patterns: readonly string[], maxSize: number, cache?: ExpressionCache): Expression[] | Invalid {
  const budget = newBudget(maxSize)
  const expressions: Expression[] = []
  for (const [at, pattern] of patterns.entries()) {
    const compiled = compileOne(pattern, budget, cache)
    if (typeof compiled === 'string') return { at, expected: compiled }
    expressions.push(compiled)
  }
  return expressions
}
