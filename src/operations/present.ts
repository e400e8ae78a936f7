import { kindOf } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Collection, Fields, Module, Row } from '../schema/index.ts'

/** The result of an operation, before it is sent. */
export interface Reply {
  status: number
  body?: Record<string, unknown>
  /** The body as JSON, instead of the body itself: reads have it at hand. */
  text?: string
  headers?: Record<string, string>
}

/** docs/api.md 2.3. The path of a kind without routes is its table's name. */
const toRef = (baseUrl: string, table: string) => (id: string) => {
  const kind = kindOf(table) as Partial<Collection>
  return { id, uri: `${baseUrl}${kind.path ?? `/${table}`}/${id}` }
}

function presentFields(call: Call, fields: Fields, values: Record<string, unknown>, into: Record<string, unknown>) {
  for (const name in fields) {
    const value = values[name]
    if (value === undefined) continue
    const field = fields[name]!
    if (field.shownAs) into[field.shownAs] = (value as string[]).map(toRef(call.baseUrl, field.refersTo!.tables[0]!))
    else into[name] = value
  }
  return into
}

export function presentRow(call: Call, resource: Collection, row: Row, once: Record<string, string> = {}) {
  const body: Record<string, unknown> = {
    id: row.id,
    uri: `${call.baseUrl}${resource.path}/${row.id}`,
    created_at: row.created_at,
  }
  presentFields(call, resource.fields, row, body)
  for (const name of resource.shownOnce ?? []) body[name] = once[name] ?? null
  return body
}

const texts = new WeakMap<Row, { baseUrl: string; text: string }>()

/** A row as JSON. Rows never change, so that one is written once, and again when it is asked for at another address. */
export function presentText(call: Call, resource: Collection, row: Row): string {
  const known = texts.get(row)
  if (known?.baseUrl === call.baseUrl) return known.text
  const text = JSON.stringify(presentRow(call, resource, row))
  texts.set(row, { baseUrl: call.baseUrl, text })
  return text
}

export const presentModule = (call: Call, resource: Module, values: Record<string, unknown>) =>
  presentFields(call, resource.fields, values, {})
