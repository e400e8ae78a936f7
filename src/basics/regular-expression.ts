import { RE2JS, RE2JSException, RE2Set } from 're2js'

export const MAX_PATTERN_LENGTH = 200
/** For cached states of the automaton: a larger cache costs more than it saves. */
const MAX_CACHE_BYTES = 64 * 1024

/** Regular expressions that are searched for together. */
export interface Compiled {
  /** Instructions of all of them. Searching takes time linear in this and in the text. */
  size: number
  /** The places of those that match somewhere in the text. */
  match(text: string): number[]
}

/** What the expression at this place must be. */
export interface Invalid {
  at: number
  expected: string
}

/**
 * Compiles regular expressions of RE2, which never backtrack. This file is loaded when it is needed: few need it, and
 * loading takes a while.
 */
export function compile(patterns: readonly string[], maxSize: number): Compiled | Invalid {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_CACHE_BYTES)
  let size = 0
  for (const [at, pattern] of patterns.entries()) {
    if (pattern.length > MAX_PATTERN_LENGTH)
      return { at, expected: `a regular expression of up to ${MAX_PATTERN_LENGTH} characters` }
    const more = sizeOf(pattern)
    if (typeof more === 'string')
      return { at, expected: `a regular expression as RE2 has them, without lookaround and backreferences: ${more}` }
    size += more
    if (size > maxSize) {
      const has = patterns.length === 1 ? 'it has' : 'it and those before it have'
      return {
        at,
        expected: `a regular expression with smaller counts: ${has} ${size} instructions, of ${maxSize} at most`,
      }
    }
    set.add(pattern)
  }
  return { size, match: text => set.match(text) }
}

/** The number of instructions, or what is wrong with the expression. */
function sizeOf(pattern: string): number | string {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace('error parsing regexp: ', '')
    throw error
  }
}
