import { plainField } from '../../parts/form-values.ts'
import type { Sendable } from '../../snippets/sendable.ts'
import type { SandboxToken } from '../../state/simulator.ts'
import type { FieldInfo, Json, ListedEntry, Resources } from '../../types.ts'

export interface HeaderRow {
  name: string
  value: string
  /** If false, the header is omitted even if it is sent by default. */
  sent: boolean
}

/** The console's content before any input. */
export const EMPTY = {
  /** The operation ID. Undefined for a custom method and path. */
  operation: undefined as string | undefined,
  /** Parameters of the operation's path and query. */
  params: {} as Record<string, string>,
  /** Without an operation: the method, and the path with its query. */
  method: 'GET',
  path: '/',
  values: {} as Json,
  /** The raw body. Undefined while the form is used. */
  text: undefined as string | undefined,
  /** A key ID, `none` or `typed`. Empty selects a default key. */
  who: '',
  typed: '',
  /** Changed headers of those that the API requires. */
  required: {} as Readonly<Record<string, Omit<HeaderRow, 'name'>>>,
  headers: [] as readonly HeaderRow[],
  /** Values that could not be filled in, and why. */
  gaps: [] as readonly string[],
}

export type Draft = typeof EMPTY

/** The chosen operation, or the one that matches the method and path. */
export function operationOf({ operation, method, path }: Draft, operations: readonly Operation[]) {
  if (operation !== undefined) return operations.find(({ id }) => id === operation)
  const matches = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!)
  return operations.find(each => each.method === method && matches(each.path))
}

/** A draft with its operation. */
export interface Drafted {
  draft: Draft
  /** The chosen operation, or the one that matches the path. */
  operation: Operation | undefined
}

const chosenOperation = ({ draft, operation }: Drafted) => (draft.operation === undefined ? undefined : operation)

/** The method and path to call. Missing parameters remain as `{name}`. */
export function targetOf(drafted: Drafted): { method: string; path: string } {
  const { draft } = drafted
  const chosen = chosenOperation(drafted)
  if (!chosen) return { method: draft.method, path: draft.path }
  const filled = chosen.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    draft.params[name] ? encodeURIComponent(draft.params[name]) : whole,
  )
  const query = chosen.queryFields.flatMap(({ name }) => (draft.params[name] ? [[name, draft.params[name]]] : []))
  const search = new URLSearchParams(query).toString()
  return { method: chosen.method, path: filled + (search && `?${search}`) }
}

/** Whether the request can have a body: custom paths always, operations if the method allows it. */
export const takesBody = (drafted: Drafted) =>
  drafted.draft.operation === undefined || ['POST', 'PUT', 'PATCH'].includes(targetOf(drafted).method)

/** Form fields. Undefined if only JSON is available. */
export const formFields = ({ operation }: Drafted) => operation?.fields

function bodyOf(drafted: Drafted): string | undefined {
  const { text, values } = drafted.draft
  if (!takesBody(drafted)) return undefined
  if (text === undefined) return formFields(drafted) && JSON.stringify(values)
  return text === '' ? undefined : text
}

export const tokenFor = ({ who }: Draft, tokens: readonly SandboxToken[]) =>
  tokens.find(({ key_id }) => key_id === who) ?? tokens.find(({ admin }) => admin) ?? tokens[0]

/** The headers that the API requires, as in the draft. */
export const requiredRows = ({ required }: Draft, headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value]) => ({ name, ...(required[name] ?? { value, sent: true }) }))

export function sendableOf(
  drafted: Drafted,
  tokens: readonly SandboxToken[],
  requiredHeaders: Readonly<Record<string, string>>,
): Sendable {
  const { draft } = drafted
  const body = bodyOf(drafted)
  const { who, typed, headers } = draft
  const token = who === 'none' ? null : who === 'typed' ? typed || undefined : (tokenFor(draft, tokens)?.token ?? null)
  const named = headers.filter(({ name }) => name !== '')
  const sent = [...requiredRows(draft, requiredHeaders), ...named].filter(row => row.sent)
  const isTyped = named.some(({ name }) => name.toLowerCase() === 'content-type')
  if (body !== undefined && !isTyped) sent.push({ name: 'Content-Type', value: 'application/json', sent: true })
  const pairs = sent.map(({ name, value }): [string, string] => [name.toLowerCase(), value])
  return { ...targetOf(drafted), token, headers: pairs, body, gaps: [] }
}

export function obstacleTo(drafted: Drafted): string | undefined {
  const { draft } = drafted
  const missing = chosenOperation(drafted)?.pathFields.find(({ name }) => !draft.params[name])
  if (missing) return `Enter ${missing.name}. The path requires it.`
  return draft.who === 'typed' && draft.typed === '' ? 'Enter a token, or choose another one.' : undefined
}

/** A draft that repeats a logged request, byte for byte where possible. */
export function draftFrom(
  entry: ListedEntry,
  sendable: Sendable,
  requiredHeaders: Readonly<Record<string, string>>,
): Draft {
  const { method, path, token, headers, body, encoding, gaps } = sendable
  const sent = Object.fromEntries(headers)
  const required = Object.entries(requiredHeaders).map(([name, usual]) => {
    const value = sent[name.toLowerCase()]
    return [name, { value: value ?? usual, sent: value !== undefined }] as const
  })
  const others = headers.filter(([name]) => !required.some(([each]) => each.toLowerCase() === name))
  const rows = others.map(([name, value]) => ({ name, value, sent: true }))
  const isTyped = rows.some(({ name }) => name === 'content-type')
  if (body !== undefined && !isTyped) rows.push({ name: 'content-type', value: '', sent: false })
  return {
    ...EMPTY,
    method,
    path,
    text: encoding ? '' : (body ?? ''),
    who: token === null ? 'none' : token === undefined ? 'typed' : entry.caller!.key_id,
    required: Object.fromEntries(required),
    headers: rows,
    gaps: encoding ? [...gaps, 'The body is omitted because it is not text.'] : gaps,
  }
}

const kindAt = ({ kinds }: Resources, path: string) => kinds.find(kind => kind.path === path)

export const operationsOf = (resources: Resources) =>
  resources.operations.map(operation => describe(resources, operation))

/** An operation with its parameters and fields. */
export type Operation = ReturnType<typeof describe>

function describe(resources: Resources, operation: Resources['operations'][number]) {
  const { id, method, path, kind: what } = operation
  const listed = kindAt(resources, path)
  const kind = listed ?? kindAt(resources, path.replace(/\/\{id\}.*$/, ''))
  const module = resources.modules.find(each => each.path === path)
  const label = module ? `${kind?.label ?? ''} ${module.label}`.trim() : (kind?.label ?? '')
  const declared = what === 'replace_module' ? module : what === 'create' || what === 'update' ? kind : undefined
  return {
    ...operation,
    pathFields: pathFields(resources, path),
    /** Query parameters of a list. */
    queryFields: operation.query.map(({ name, is_item }) =>
      plainField(name, { refers_to: is_item && listed ? [listed.table] : null }),
    ),
    /** Body fields. Undefined if none are declared. */
    fields: declared?.fields.filter(({ asked, name }) => asked && !path.includes(`{${name}}`)),
    /** The table of the record to update. */
    table: what === 'update' ? kind?.table : undefined,
    /** Searchable text, with the resource, such as `IP policy`. */
    words: `${id} ${method} ${path} ${label}`,
  }
}

/** The path before a parameter identifies the table that the parameter references. */
const pathFields = (resources: Resources, path: string): FieldInfo[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name, index }) => {
    const table = kindAt(resources, path.slice(0, index - 1))?.table
    return plainField(name!, { required: true, refers_to: table ? [table] : null })
  })
