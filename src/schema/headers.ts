import * as z from 'zod'
import { shorten } from '../words/flaw.ts'
import type { Field } from './field.ts'
import { byteLength } from './field.ts'
import { issue } from './flaw.ts'

/** docs/api.md 4.4: what a header may be called and hold. The limits are ours, the document gives none. */
export const HEADER_LIMITS = { count: 100, nameBytes: 256, valueBytes: 4096 }

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PRINTABLE = /^[\x20-\x7e]*$/

/** Headers of the connection or of the message's framing: changing them would break the message. */
const CONNECTION = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export interface HeaderFlaw {
  error: 'header_name' | 'header_value' | 'header_name_too_long' | 'header_value_too_long'
  expected: string
  received?: string
}

export function checkHeaderName(name: string): HeaderFlaw | undefined {
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

export function checkHeaderValue(value: string): HeaderFlaw | undefined {
  const bytes = byteLength(value)
  const { valueBytes } = HEADER_LIMITS
  if (bytes > valueBytes)
    return { error: 'header_value_too_long', expected: `at most ${valueBytes} bytes`, received: `${bytes} bytes` }
  if (!PRINTABLE.test(value) || value !== value.trim())
    return { error: 'header_value', expected: 'printable ASCII with no space at either end' }
  return undefined
}

type Ctx = Parameters<typeof issue>[0]

function checkNames(ctx: Ctx, names: string[], what: string) {
  const { count } = HEADER_LIMITS
  if (names.length > count)
    return issue(ctx, {
      error: 'too_many_headers',
      expected: `at most ${count} headers`,
      received: `${names.length} headers`,
    })
  const spellings = new Map<string, string>()
  for (const name of names) {
    const flaw = checkHeaderName(name)
    if (flaw) return issue(ctx, { received: `${what} ${JSON.stringify(shorten(name, 60))}`, ...flaw })
    const before = spellings.get(name.toLowerCase())
    if (before !== undefined && before !== name)
      return issue(ctx, {
        error: 'header_twice',
        expected: 'each header once, whatever its case',
        received: `${before} and ${name}`,
      })
    spellings.set(name.toLowerCase(), name)
  }
}

/**
 * Header name to value. The object of the request is kept as it came: names come back in the spelling they were sent
 * in.
 */
export function headerMap(): Field<Record<string, string>> {
  const schema = z
    .custom<Record<string, string>>()
    .check(ctx => {
      const map: unknown = ctx.value
      if (typeof map !== 'object' || map === null || Array.isArray(map))
        return issue(ctx, { expected: 'an object of header name to value' })
      const entries = Object.entries(map)
      checkNames(
        ctx,
        entries.map(([name]) => name),
        'the name',
      )
      for (const [name, value] of entries) {
        if (typeof value !== 'string') return issue(ctx, { path: [name], expected: 'a string' })
        const flaw = checkHeaderValue(value)
        if (flaw) return issue(ctx, { path: [name], ...flaw })
      }
    })
    .meta({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: HEADER_LIMITS.count })
  return { schema, default: {} }
}

export function headerNames(): Field<string[]> {
  const schema = z.array(z.string()).check(ctx => {
    checkNames(ctx, ctx.value, 'the name')
    const host = ctx.value.find(name => name.toLowerCase() === 'host')
    if (host !== undefined)
      issue(ctx, { error: 'header_name', expected: 'any header but Host, which a request cannot do without' })
  })
  return { schema, default: [] }
}
