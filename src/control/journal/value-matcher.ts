import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../basics/json.ts'
import { contains } from '../../basics/text.ts'
import { reject } from '../route.ts'

export type Matches = (received: unknown) => boolean
/** Compiles a regular expression, or returns what it must be. */
export type Compile = (pattern: string) => Matches | string

/** By name: compiles the operand, or returns what it must be. */
const MATCHERS: Record<string, (operand: unknown, compile?: Compile) => Matches | string> = {
  contains: operand =>
    typeof operand === 'string'
      ? received =>
          typeof received === 'string'
            ? contains(received, operand)
            : Array.isArray(received) && received.includes(operand)
      : 'a string',
  matches: (operand, compile) => (typeof operand === 'string' ? compile!(operand) : 'a regular expression in a string'),
  absent: operand =>
    typeof operand === 'boolean' ? received => (received === undefined) === operand : 'true or false',
  gt: operand => comparing(operand, (one, other) => one > other),
  gte: operand => comparing(operand, (one, other) => one >= other),
  lt: operand => comparing(operand, (one, other) => one < other),
  lte: operand => comparing(operand, (one, other) => one <= other),
}

/** An object like `{ "contains": "x" }` matches if all its matchers do. Any other value matches an equal value. */
export function valueMatcher(field: string, wanted: unknown, compile?: Compile): Matches {
  if (!isMatcher(wanted)) return received => isDeepStrictEqual(received, wanted)
  const tests = Object.entries(wanted).map(([kind, operand]) => {
    const test = MATCHERS[kind]!(operand, compile)
    if (typeof test === 'string') reject(`"${kind}" of "${field}" in "where" must be ${test}`)
    return test
  })
  return received => tests.every(test => test(received))
}

const isMatcher = (wanted: unknown): wanted is Record<string, unknown> =>
  isObject(wanted) && Object.keys(wanted).length > 0 && Object.keys(wanted).every(name => Object.hasOwn(MATCHERS, name))

/** Whether matching it needs a regular expression. */
export const isRegularExpression = (wanted: unknown) => isMatcher(wanted) && 'matches' in wanted

/** Compares numbers, including numbers in strings (as in queries), and strings, which also sorts times. */
function comparing(
  operand: unknown,
  compare: (one: number | string, other: number | string) => boolean,
): Matches | string {
  if (typeof operand === 'number')
    return received => received !== undefined && received !== '' && compare(Number(received), operand)
  if (typeof operand === 'string') return received => typeof received === 'string' && compare(received, operand)
  return 'a number or a string'
}
