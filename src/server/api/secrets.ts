import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../basics/json.ts'
import { memoizeBy } from '../../basics/memoize.ts'
import { PRIVATE_KEY_MARK } from '../../basics/problem.ts'
import {
  type Catalog,
  type Fields,
  haveSecrets,
  type Operation,
  REDACTED,
  redactNamed,
  redactRequest,
  secretNames,
} from '../../engine/language/index.ts'
import type { Call } from '../../engine/sandbox/index.ts'

/** The names of write-only fields, computed on first use to keep startup fast. */
const namesOfSecrets = memoizeBy(({ collections, modules, entryLists }: Catalog) => [
  ...new Set([...collections, ...modules, ...entryLists].flatMap(({ fields }) => secretNames(fields))),
])

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie'] as const

/** Changes the request itself, so nothing that outlives it contains secrets. */
export function redactHeaders(headers: IncomingHttpHeaders, own: readonly string[] = NO_NAMES): IncomingHttpHeaders {
  for (const name of own) if (headers[name] !== undefined) headers[name] = REDACTED
  for (const name of SECRET_HEADERS) if (headers[name] !== undefined) headers[name] = REDACTED
  return headers
}

/** The fields that only one response shows, such as the token of a new key. */
export function shownOnceBy({ operation }: Call): readonly string[] {
  const resource = operation?.resource
  return (resource && 'shownOnce' in resource && resource.shownOnce) || NO_NAMES
}

const NO_NAMES: readonly string[] = []

/** Whether an operation has write-only fields. */
export const takesSecrets = (operation: Operation) => haveSecrets(operation.resource.fields)

/** Marks of text that is never stored: a private key, or the name of a secret, even with escaped letters. */
const marks = memoizeBy(
  (catalog: Catalog) => new RegExp([...namesOfSecrets(catalog), PRIVATE_KEY_MARK, '\\\\u00[4-7]'].join('|'), 'i'),
)
export const mayContainSecret = (catalog: Catalog, text: string) => marks(catalog).test(text)

/** The original JSON of a body, if it is formatted differently and cannot contain a secret. */
export function originalText({ api, body, operation }: Call, bytes: Buffer): string | undefined {
  const text = bytes.toString()
  const plain = JSON.stringify(body)
  // An empty object would be shown like a missing body.
  if (text === '{}') return text
  if (text === plain || plain.includes(REDACTED) || (operation && takesSecrets(operation))) return undefined
  return mayContainSecret(api.catalog, text) ? undefined : text
}

/** Clients may also send secrets to operations without secrets, or to unknown paths. */
export function withoutSecrets(catalog: Catalog, operation: Operation | undefined, body: Record<string, unknown>) {
  if (Object.keys(body).length === 0) return body
  const fields = operation?.resource.fields ?? {}
  const clean = (values: Record<string, unknown>) =>
    operation && takesSecrets(operation) ? redactRequest(fields, values) : redactUndeclared(catalog, fields, values)
  const own = clean(body)
  const all = isObject(body.module) ? { ...own, module: clean(body.module) } : own
  return redactNamed([], all) as Record<string, unknown>
}

function redactUndeclared(catalog: Catalog, fields: Fields, values: Record<string, unknown>): Record<string, unknown> {
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(fields, name))
  if (others.length === 0) return values
  return { ...values, ...(redactNamed(namesOfSecrets(catalog), Object.fromEntries(others)) as Record<string, unknown>) }
}

export function redact(body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let redacted = body
  for (const name of names) if (typeof body[name] === 'string') redacted = { ...redacted, [name]: REDACTED }
  return redacted
}
