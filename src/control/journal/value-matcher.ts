import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../basics/json.ts'
import { contains } from '../../basics/text.ts'
import { fail } from '../../contract/errors.ts'

export type Matches = (received: unknown) => boolean
/** What makes a test of a regular expression; or says what it must be. */
export type Compile = (pattern: string) => Matches | string

/** The ways to match a value other than by being equal to it. */
const KINDS: Record<string, (operand: unknown, compile?: Compile) => Matches | string> = {
  contains: operand =>
    typeof operand === 'string'
      ? received =>
          typeof received === 'string'
            ? contains(received, operand)
            : Array.isArray(received) && received.includes(operand)
      : 'a text',
  matches: (operand, compile) => (typeof operand === 'string' ? compile!(operand) : 'a regular expression as a text'),
  absent: operand =>
    typeof operand === 'boolean' ? received => (received === undefined) === operand : 'true or false',
  gt: operand => comparing(operand, (one, other) => one > other),
  gte: operand => comparing(operand, (one, other) => one >= other),
  lt: operand => comparing(operand, (one, other) => one < other),
  lte: operand => comparing(operand, (one, other) => one <= other),
}

/** `{ "contains": "x" }` and the like match by their kind, all of several; any other value matches what equals it. */
export function valueMatcher(field: string, wanted: unknown, compile?: Compile): Matches {
  if (!isMatcher(wanted)) return received => isDeepStrictEqual(received, wanted)
  const tests = Object.entries(wanted).map(([kind, operand]) => {
    const test = KINDS[kind]!(operand, compile)
    if (typeof test === 'string') fail('bad_request', { why: `"${kind}" of "${field}" in "where" must be ${test}` })
    return test
  })
  return received => tests.every(test => test(received))
}

const isMatcher = (wanted: unknown): wanted is Record<string, unknown> =>
  isObject(wanted) && Object.keys(wanted).length > 0 && Object.keys(wanted).every(name => Object.hasOwn(KINDS, name))

/** Whether a regular expression is needed to match it. */
export const isPattern = (wanted: unknown) => isMatcher(wanted) && 'matches' in wanted

/** Numbers by their size, also where they are texts, as in queries; texts by their order, which is that of times too. */
function comparing(
  operand: unknown,
  compare: (one: number | string, other: number | string) => boolean,
): Matches | string {
  if (typeof operand === 'number')
    return received => received !== undefined && received !== '' && compare(Number(received), operand)
  if (typeof operand === 'string') return received => typeof received === 'string' && compare(received, operand)
  return 'a number or a text'
}
