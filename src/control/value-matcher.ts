import { isDeepStrictEqual } from 'node:util'
import { createContext, Script } from 'node:vm'
import { fail } from '../errors.ts'
import { isObject } from '../words/is-object.ts'

const LONGEST_PATTERN = 200
const LONGEST_TEXT = 10_000
const PATTERN_MS = 20

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
  return received => {
    if (typeof received !== 'string') return false
    const found = testInTime(pattern, received.slice(0, LONGEST_TEXT))
    if (found !== undefined) return found
    fail('bad_request', {
      why: `The regular expression ${JSON.stringify(pattern)} takes too long on ${JSON.stringify(received.slice(0, 60))}`,
    })
  }
}

let room: { pattern: string; text: string } | undefined
let script: Script | undefined

/** Undefined when it takes too long: also a second time, for it may have been the machine that stood still. */
function testInTime(pattern: string, text: string): boolean | undefined {
  room ??= createContext({ pattern: '', text: '' }) as { pattern: string; text: string }
  script ??= new Script("new RegExp(pattern, 'u').test(text)")
  Object.assign(room!, { pattern, text })
  for (let tries = 0; tries < 2; tries++) {
    try {
      return script.runInContext(room!, { timeout: PATTERN_MS })
    } catch {
      // Only its time can be over: that it is a regular expression was checked.
    }
  }
  return undefined
}
