import { isDeepStrictEqual } from 'node:util'
import { createContext, Script } from 'node:vm'
import { fail } from '../errors.ts'
import { isObject } from '../words/is-object.ts'

const LONGEST_PATTERN = 200
const LONGEST_TEXT = 10_000
const PATTERN_MS = 100

type Matches = (received: unknown) => boolean

/** The ways to match a value other than by being equal to it. */
const KINDS: Record<string, (operand: unknown) => Matches | string> = {
  contains: operand =>
    typeof operand === 'string'
      ? received => (typeof received === 'string' || Array.isArray(received) ? received.includes(operand) : false)
      : 'a text',
  matches: operand => (typeof operand === 'string' ? regularExpression(operand) : 'a regular expression as a text'),
  absent: operand =>
    typeof operand === 'boolean' ? received => (received === undefined) === operand : 'true or false',
  gt: operand => comparing(operand, (one, other) => one > other),
  gte: operand => comparing(operand, (one, other) => one >= other),
  lt: operand => comparing(operand, (one, other) => one < other),
  lte: operand => comparing(operand, (one, other) => one <= other),
}

/** `{ "contains": "x" }` and the like match by their kind, all of several; any other value matches what equals it. */
export function valueMatcher(field: string, wanted: unknown): Matches {
  if (!isMatcher(wanted)) return received => isDeepStrictEqual(received, wanted)
  const tests = Object.entries(wanted).map(([kind, operand]) => {
    const test = KINDS[kind]!(operand)
    if (typeof test === 'string') fail('bad_request', { why: `"${kind}" of "${field}" in "where" must be ${test}` })
    return test
  })
  return received => tests.every(test => test(received))
}

const isMatcher = (wanted: unknown): wanted is Record<string, unknown> =>
  isObject(wanted) && Object.keys(wanted).length > 0 && Object.keys(wanted).every(name => Object.hasOwn(KINDS, name))

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

/** Run where it can be stopped: some expressions take for ever on some texts. */
function regularExpression(pattern: string): Matches | string {
  if (pattern.length > LONGEST_PATTERN) return `a regular expression of up to ${LONGEST_PATTERN} characters`
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `a regular expression (${(error as Error).message})`
  }
  const context = createContext({ pattern, text: '' })
  const script = new Script("new RegExp(pattern, 'u').test(text)")
  return received => {
    if (typeof received !== 'string') return false
    context.text = received.slice(0, LONGEST_TEXT)
    try {
      return script.runInContext(context, { timeout: PATTERN_MS })
    } catch {
      fail('bad_request', {
        why: `The regular expression ${JSON.stringify(pattern)} takes too long on ${JSON.stringify(received.slice(0, 60))}`,
      })
    }
  }
}
