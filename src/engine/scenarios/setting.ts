import { DURATION, parseDuration } from '../../basics/duration.ts'
import { nearest } from '../../basics/nearest.ts'
import { checked, either, listOf, type Shape, suchThat, textShape } from '../../basics/shape.ts'

const DURATION_LIKE = 'a duration like 250ms, 2s, 5m, 24h or 7d'

/** `250ms`, `2s`, `5m`, `24h`, `7d` */
export const duration = suchThat<string>(
  DURATION_LIKE,
  value => typeof value === 'string' && parseDuration(value) !== undefined,
  { type: 'string', pattern: DURATION.source, examples: ['250ms', '2s'] },
)

export const positiveDuration = checked(duration, text =>
  parseDuration(text) === 0 ? { expected: 'a duration above zero' } : undefined,
)

/** The milliseconds of a validated duration. */
export const toMs = (text: string) => parseDuration(text)!

/** One of the names. The message lists them unless one is similar. */
export const nameOf = (what: string, names: readonly string[]) => {
  const known = new Set(names)
  return textShape({ enum: names }, value => {
    if (known.has(value)) return undefined
    const lowerCase = value.toLowerCase()
    const near = names.find(name => name.toLowerCase() === lowerCase) ?? nearest(value, names)
    return { expected: near ? what : `one of ${names.join(', ')}`, near }
  })
}

export const oneOrMore = <T>(shape: Shape<T>): Shape<T | T[]> => either(shape, listOf(shape, undefined, 1))
