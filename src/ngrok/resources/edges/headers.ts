import { isObject } from '../../../basics/json.ts'
import type { ValueError } from '../../../basics/problem.ts'
import { shorten } from '../../../basics/problem.ts'
import { inside, listOf, type Mismatch, textShape, toProblems } from '../../../basics/shape.ts'
import { checkBytes, type Field } from '../../../engine/language/field.ts'
import { expectedName } from '../../../server/proxy/header-fields.ts'
import { errors } from '../../errors.ts'

/** Requests may be limited to `documentedCount` headers. edgesim chose `count` and the sizes. */
export const HEADER_LIMITS = { count: 100, documentedCount: 5, nameBytes: 256, valueBytes: 4096 }

const PRINTABLE = /^[\x20-\x7e]*$/

type Problem = Mismatch & { error: ValueError }

export function checkHeaderName(name: string): Problem | undefined {
  const long = checkBytes(name, HEADER_LIMITS.nameBytes, errors.header_name_too_long)
  if (long) return long
  const expected = expectedName(name)
  return expected === undefined ? undefined : { error: errors.header_name, expected }
}

export function checkHeaderValue(value: string): Problem | undefined {
  const long = checkBytes(value, HEADER_LIMITS.valueBytes, errors.header_value_too_long)
  if (long || (PRINTABLE.test(value) && value === value.trim())) return long
  return { error: errors.header_value, expected: 'printable ASCII with no space at either end' }
}

export const tooManyHeaders = (received: number) => ({
  expected: `up to ${HEADER_LIMITS.documentedCount} headers (${HEADER_LIMITS.count} in fixtures, and with --assume header_limits=wide)`,
  received: `${received} headers`,
})

function checkNames(names: string[]): Problem | undefined {
  if (names.length > HEADER_LIMITS.count) return { error: errors.too_many_headers, ...tooManyHeaders(names.length) }
  const spellings = new Map<string, string>()
  for (const name of names) {
    const problem = checkHeaderName(name)
    if (problem) return { received: `the name ${JSON.stringify(shorten(name, 60))}`, ...problem }
    const before = spellings.get(name.toLowerCase())
    if (before !== undefined && before !== name) {
      const expected = 'each header once, whatever its case'
      return { error: errors.header_twice, expected, received: `${before} and ${name}` }
    }
    spellings.set(name.toLowerCase(), name)
  }
  return undefined
}

const headerValue = textShape({}, checkHeaderValue)

/** Header name to value. Names are stored as sent, or in lower case. */
export const headerMap = ({
  lowered,
  describe,
}: {
  lowered?: true
  describe?: string
} = {}): Field<Record<string, string>> => ({
  ...(lowered && { normalise: inLowerCase }),
  describe,
  shape: {
    json: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: HEADER_LIMITS.count },
    find(map) {
      const wrong = isObject(map) ? checkNames(Object.keys(map)) : { expected: 'an object of header name to value' }
      if (wrong) return toProblems(map, wrong)
      for (const [name, value] of Object.entries(map as Record<string, unknown>)) {
        const problems = headerValue.find(value)
        if (problems) return inside(name, problems)
      }
      return undefined
    },
  },
  default: {},
  content: 'text',
})

const inLowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const names = listOf(textShape())

export const headerNames = (describe?: string): Field<string[]> => ({
  describe,
  shape: {
    json: names.json,
    find(list) {
      const problems = names.find(list)
      if (problems) return problems
      const wrong = checkNames(list as string[])
      return wrong && toProblems(list, wrong)
    },
  },
  default: [],
  content: 'name',
})
