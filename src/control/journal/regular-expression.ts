import { RE2JS, RE2JSException, RE2Set } from 're2js'
import { fail } from '../../contract/errors.ts'
import type { Matches } from './value-matcher.ts'

export const LONGEST_PATTERN = 200
export const LARGEST_PROGRAM = 1_000
export const LONGEST_TEXT = 10_000
/** Instructions times characters: at worst each meets each, which takes 12 ms, and 40 where classes are large (`\pL`). */
export const MOST_WORK = 500_000
/** For states that are kept because they come again: more of them cost more than they save. */
const STATES_BYTES = 64 * 1024

/**
 * A regular expression as RE2 has them, in time that is in proportion to its size and to the text; or what it must be.
 * docs/control-api.md, The journal.
 */
export function regularExpression(pattern: string): Matches | string {
  if (pattern.length > LONGEST_PATTERN) return `a regular expression of up to ${LONGEST_PATTERN} characters`
  const size = sizeOf(pattern)
  if (typeof size === 'string')
    return `a regular expression as RE2 has them, without lookaround and backreferences: ${size}`
  if (size > LARGEST_PROGRAM)
    return `a regular expression with smaller counts: it has ${size} instructions, of ${LARGEST_PROGRAM} at most`
  const set = new RE2Set(RE2Set.UNANCHORED, 0, STATES_BYTES)
  set.add(pattern)
  return received => {
    if (typeof received !== 'string') return false
    const text = received.slice(0, LONGEST_TEXT)
    if (size * text.length > MOST_WORK) refuseText(pattern, size, text)
    return set.match(text).length > 0
  }
}

/** In instructions; or what is wrong with it. */
function sizeOf(pattern: string): number | string {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace('error parsing regexp: ', '')
    throw error
  }
}

const refuseText = (pattern: string, size: number, { length }: string) =>
  fail('bad_request', {
    why: `The regular expression ${JSON.stringify(pattern)} is too large for a text of ${length} characters: it has ${size} instructions, of ${Math.floor(MOST_WORK / length)} at most`,
  })
