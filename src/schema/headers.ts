import { isObject } from '../basics/json.ts'
import { shorten, show } from '../basics/problem.ts'
import type { Field } from './field.ts'
import { byteLength } from './field.ts'
import type { ValueError } from './problem.ts'
import { listOf, shape, text } from './shape.ts'

/** docs/api.md 4.4. The limits are ours: the API's document gives none. */
export const HEADER_LIMITS = { count: 100, nameBytes: 256, valueBytes: 4096 }

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PRINTABLE = /^[\x20-\x7e]*$/

/** Headers that belong to a connection, not to the message. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** To add or remove one of these would break the message. */
const CONNECTION = new Set([...HOP_BY_HOP, 'content-length'])

interface HeaderProblem {
  error: ValueError
  expected: string
  received?: string
}

export function checkHeaderName(name: string): HeaderProblem | undefined {
  const bytes = byteLength(name)
  const { nameBytes } = HEADER_LIMITS
  if (bytes > nameBytes)
    return { error: 'header_name_too_long', expected: `at most ${nameBytes} bytes`, received: `${bytes} bytes` }
  if (!TOKEN.test(name))
    return { error: 'header_name', expected: "a header name: letters, digits and any of !#$%&'*+-.^_`|~" }
  if (CONNECTION.has(name.toLowerCase()))
    return { error: 'header_name', expected: 'a header that does not belong to the connection itself' }
  return undefined
}

export function checkHeaderValue(value: string): HeaderProblem | undefined {
  const bytes = byteLength(value)
  const { valueBytes } = HEADER_LIMITS
  if (bytes > valueBytes)
    return { error: 'header_value_too_long', expected: `at most ${valueBytes} bytes`, received: `${bytes} bytes` }
  if (!PRINTABLE.test(value) || value !== value.trim())
    return { error: 'header_value', expected: 'printable ASCII with no space at either end' }
  return undefined
}

function checkNames(names: string[]): HeaderProblem | undefined {
  const { count } = HEADER_LIMITS
  if (names.length > count)
    return { error: 'too_many_headers', expected: `at most ${count} headers`, received: `${names.length} headers` }
  const spellings = new Map<string, string>()
  for (const name of names) {
    const problem = checkHeaderName(name)
    if (problem) return { received: `the name ${JSON.stringify(shorten(name, 60))}`, ...problem }
    const before = spellings.get(name.toLowerCase())
    if (before !== undefined && before !== name) {
      const expected = 'each header once, whatever its case'
      return { error: 'header_twice', expected, received: `${before} and ${name}` }
    }
    spellings.set(name.toLowerCase(), name)
  }
  return undefined
}

/** Header name to value. Names are stored in the spelling in which they were sent. */
export function headerMap(): Field<Record<string, string>> {
  const json = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: HEADER_LIMITS.count }
  const isMap = shape<Record<string, string>>(json, map =>
    isObject(map) ? checkNames(Object.keys(map)) : { expected: 'an object of header name to value' },
  )
  const find = (map: unknown) => {
    const problems = isMap.find(map)
    if (problems) return problems
    for (const [name, value] of Object.entries(map as Record<string, unknown>)) {
      const problem = typeof value === 'string' ? checkHeaderValue(value) : { expected: 'a string' }
      if (problem) return [{ path: [name], received: show(value), ...problem }]
    }
    return undefined
  }
  return { shape: { find, json }, default: {} }
}

const names = listOf(text())

export function headerNames(): Field<string[]> {
  const checked = shape<string[]>(names.json, value => {
    const list = value as string[]
    const problem = checkNames(list)
    if (problem) return problem
    const host = list.find(name => name.toLowerCase() === 'host')
    if (host === undefined) return undefined
    return { error: 'header_name', expected: 'any header but Host, which a request cannot do without' }
  })
  return { shape: { find: value => names.find(value) ?? checked.find(value), json: names.json }, default: [] }
}
