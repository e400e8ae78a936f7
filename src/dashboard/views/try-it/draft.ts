import { API_VERSION } from '../../../contract/names.ts'
import type { SandboxToken } from '../../state/simulator.ts'
import type { Json, ListedEntry } from '../../types.ts'
import type { Sendable } from '../requests/sendable.ts'
import { type Operation, operationAt } from './operations.ts'

export interface HeaderRow {
  name: string
  value: string
  /** Unset: the header is left out, though it would be sent anyway. */
  sent: boolean
}

/** What is in the console. */
export interface Draft {
  /** Its id; undefined for any method and path. */
  operation: string | undefined
  /** Parameters of the operation's path and query. */
  params: Record<string, string>
  /** Of any path, with its query. */
  method: string
  path: string
  /** What the form was given. */
  values: Json
  /** The body as it was written; undefined as long as the form makes it. */
  text: string | undefined
  /** A key, `none` or `typed`; the best key if empty. */
  who: string
  typed: string
  version: { value: string; sent: boolean }
  headers: readonly HeaderRow[]
  /** What could not be filled in, and why. */
  gaps: readonly string[]
}

export const EMPTY: Draft = {
  operation: undefined,
  params: {},
  method: 'GET',
  path: '/api_keys',
  values: {},
  text: undefined,
  who: '',
  typed: '',
  version: { value: API_VERSION, sent: true },
  headers: [],
  gaps: [],
}

const isBodied = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method)

/** The operation that was chosen, or that the path would meet. */
export const operationOf = ({ operation, method, path }: Draft, operations: readonly Operation[]) =>
  operation === undefined ? operationAt(operations, method, path) : operations.find(({ id }) => id === operation)

/** A draft with what it is about. */
export interface Drafted {
  draft: Draft
  /** The operation that was chosen, or that the path would meet. */
  operation: Operation | undefined
}

const chosenOf = ({ draft, operation }: Drafted) => (draft.operation === undefined ? undefined : operation)

/** Where it goes. A parameter that is missing stays in the path as `{name}`. */
export function targetOf(drafted: Drafted): { method: string; path: string } {
  const { draft: given } = drafted
  const chosen = chosenOf(drafted)
  if (!chosen) return { method: given.method, path: given.path }
  const filled = chosen.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    given.params[name] ? encodeURIComponent(given.params[name]) : whole,
  )
  const asked = chosen.queryFields.flatMap(({ name }) => (given.params[name] ? [[name, given.params[name]]] : []))
  const search = new URLSearchParams(asked).toString()
  return { method: chosen.method, path: filled + (search && `?${search}`) }
}

/** Whether a body can be given: with any path always, else where the method has one. */
export const takesBody = (drafted: Drafted) =>
  drafted.draft.operation === undefined || isBodied(targetOf(drafted).method)

/** The fields of the form; undefined where only JSON can be given. */
export const formFields = (drafted: Drafted) =>
  isBodied(targetOf(drafted).method) ? drafted.operation?.fields : undefined

function bodyOf(drafted: Drafted): string | undefined {
  const { text, values } = drafted.draft
  if (!takesBody(drafted)) return undefined
  if (text === undefined) return formFields(drafted) && JSON.stringify(values)
  return text === '' ? undefined : text
}

export const tokenFor = ({ who }: Draft, tokens: readonly SandboxToken[]) =>
  tokens.find(({ key_id }) => key_id === who) ?? tokens.find(({ admin }) => admin) ?? tokens[0]

/** What is in the console, as it would be sent. */
export function sendableOf(drafted: Drafted, tokens: readonly SandboxToken[], versionName: string): Sendable {
  const { draft: given } = drafted
  const body = bodyOf(drafted)
  const { who, typed, version, headers } = given
  const token = who === 'none' ? null : who === 'typed' ? typed || undefined : (tokenFor(given, tokens)?.token ?? null)
  const named = headers.filter(({ name }) => name !== '')
  const sent = [{ name: versionName, ...version }, ...named].filter(row => row.sent)
  const isTyped = named.some(({ name }) => name.toLowerCase() === 'content-type')
  if (body !== undefined && !isTyped) sent.push({ name: 'Content-Type', value: 'application/json', sent: true })
  const pairs = sent.map(({ name, value }): [string, string] => [name.toLowerCase(), value])
  return { ...targetOf(drafted), token, headers: pairs, body, gaps: [] }
}

/** Why it cannot be sent; undefined if it can. */
export function obstacleTo(drafted: Drafted): string | undefined {
  const { draft: given } = drafted
  const missing = chosenOf(drafted)?.pathFields.find(({ name }) => !given.params[name])
  if (missing) return `Give ${missing.name}: the path has it.`
  return given.who === 'typed' && given.typed === '' ? 'Type the token, or choose another.' : undefined
}

/** A request of the journal, to be edited and sent: byte for byte as far as it is known. */
export function draftFrom(entry: ListedEntry, sendable: Sendable, versionName: string): Draft {
  const { method, path, token, headers, body, encoding, gaps } = sendable
  const versionKey = versionName.toLowerCase()
  const version = headers.find(([name]) => name === versionKey)?.[1]
  const rows = headers.filter(([name]) => name !== versionKey).map(([name, value]) => ({ name, value, sent: true }))
  const isTyped = rows.some(({ name }) => name === 'content-type')
  if (body !== undefined && !isTyped) rows.push({ name: 'content-type', value: '', sent: false })
  return {
    ...EMPTY,
    method,
    path,
    text: encoding ? '' : (body ?? ''),
    who: token === null ? 'none' : token === undefined ? 'typed' : entry.caller!.key_id,
    version: { value: version ?? API_VERSION, sent: version !== undefined },
    headers: rows,
    gaps: encoding ? [...gaps, 'The body is left out: it is not text.'] : gaps,
  }
}
