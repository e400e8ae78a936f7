import { RE2JS, RE2JSException, RE2Set } from 're2js'
import { reject } from '../route.ts'
import type { Matches } from './value-matcher.ts'

export const MAX_PATTERN_LENGTH = 200
export const MAX_PROGRAM_SIZE = 1_000
/** Only this much of a longer text is searched. */
export const MAX_SEARCHED_LENGTH = 10_000
/** Instructions times characters. The worst case takes 12 ms, or 40 ms with large classes like `\pL`. */
export const MAX_WORK = 500_000
/** For cached states of the automaton: a larger cache costs more than it saves. */
const MAX_CACHE_BYTES = 64 * 1024

/**
 * Compiles a regular expression of RE2, which takes time linear in its size and in the text. If it is not valid, returns
 * what it must be. docs/control-api.md, The journal.
 */
export function regularExpression(pattern: string): Matches | string {
  if (pattern.length > MAX_PATTERN_LENGTH) return `a regular expression of up to ${MAX_PATTERN_LENGTH} characters`
  const size = programSize(pattern)
  if (typeof size === 'string')
    return `a regular expression as RE2 has them, without lookaround and backreferences: ${size}`
  if (size > MAX_PROGRAM_SIZE)
    return `a regular expression with smaller counts: it has ${size} instructions, of ${MAX_PROGRAM_SIZE} at most`
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_CACHE_BYTES)
  set.add(pattern)
  return received => {
    if (typeof received !== 'string') return false
    const text = received.slice(0, MAX_SEARCHED_LENGTH)
    if (size * text.length > MAX_WORK) failTooLarge(pattern, size, text)
    return set.match(text).length > 0
  }
}

/** The number of instructions, or what is wrong with the expression. */
function programSize(pattern: string): number | string {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace('error parsing regexp: ', '')
    throw error
  }
}

const failTooLarge = (pattern: string, size: number, { length }: string) =>
  reject(
    `The regular expression ${JSON.stringify(pattern)} is too large for a text of ${length} characters: it has ${size} instructions, of ${Math.floor(MAX_WORK / length)} at most`,
  )
