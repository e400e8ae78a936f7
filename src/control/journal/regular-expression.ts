import { compile } from '../../basics/regular-expression.ts'
import { reject } from '../route.ts'
import type { Matches } from './value-matcher.ts'

export const MAX_PROGRAM_SIZE = 1_000
/** Only this much of a longer text is searched. */
export const MAX_SEARCHED_LENGTH = 10_000
/** Instructions times characters. The worst case takes 12 ms, or 40 ms with large classes like `\pL`. */
export const MAX_WORK = 500_000

/** Compiles a regular expression. If it is not valid, returns what it must be. docs/control-api.md, The journal. */
export function regularExpression(pattern: string): Matches | string {
  const compiled = compile([pattern], MAX_PROGRAM_SIZE)
  if ('expected' in compiled) return compiled.expected
  const { size } = compiled
  return received => {
    if (typeof received !== 'string') return false
    const text = received.slice(0, MAX_SEARCHED_LENGTH)
    if (size * text.length > MAX_WORK) failTooLarge(pattern, size, text)
    return compiled.match(text).length > 0
  }
}

const failTooLarge = (pattern: string, size: number, { length }: string) =>
  reject(
    `The regular expression ${JSON.stringify(pattern)} is too large for a text of ${length} characters: it has ${size} instructions, of ${Math.floor(MAX_WORK / length)} at most`,
  )
