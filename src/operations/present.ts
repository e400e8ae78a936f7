import { kindOf, partsOf } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import { type Collection, type Fields, type Module, nullMembers, pathTo, type Row } from '../schema/index.ts'

type Values = Record<string, unknown>

/** What presenting reads of a call. */
export type Presenting = Pick<Call, 'tables' | 'baseUrl' | 'assume' | 'assumed'>

/** The result of an operation, before it is sent. */
export interface Reply {
  status: number
  body?: Record<string, unknown>
  /** The body as JSON text, instead of `body`: reads have it in a cache. */
  text?: string
  headers?: Record<string, string>
}

/** docs/api.md 2.3. */
export const toRef = (baseUrl: string, table: string, id: string) => ({
  id,
  uri: `${baseUrl}${(kindOf(table) as Collection).path}/${id}`,
})

function presentFields(call: Presenting, fields: Fields, values: Values, into: Values, unset?: string) {
  for (const name in fields) {
    const value = values[name]
    const { shownAs, refersTo, group, omittedWhenEmpty, nullWhenUnset } = fields[name]!
    if (value === undefined) {
      if (shownAs) into[shownAs] = null
      else if (group || nullWhenUnset) into[name] = null
      else if (omittedWhenEmpty && unset === 'empty') into[name] = ''
    } else if (shownAs) {
      const table = refersTo!.tables[0]!
      into[shownAs] = Array.isArray(value)
        ? value.map(id => toRef(call.baseUrl, table, id))
        : toRef(call.baseUrl, table, value as string)
    } else into[name] = group ? presentFields(call, group, value as Values, {}) : value
  }
  return into
}

export function presentRow(call: Presenting, resource: Collection, row: Row, once: Record<string, string> = {}) {
  const body: Values = {
    id: row.id,
    uri: call.baseUrl + pathTo(resource, row),
    created_at: row.created_at,
  }
  presentFields(call, resource.fields, row, body, unsetText(call, resource, row))
  for (const name of resource.shownOnce ?? []) body[name] = once[name] ?? null
  for (const name of nullMembers(resource)) body[name] = null
  for (const part of partsOf(resource.table))
    if (part.partOf!.shown) body[part.partOf!.list] = presentParts(call, part, row)
  return body
}

function presentParts(call: Presenting, part: Collection, row: Row) {
  const rows = call.tables.of(part.table).where(part.partOf!.by, row.id)
  return rows.map(each => presentRow(call, part, each))
}

/**
 * Makes JSON texts of rows. Rows never change, so the text of a row is cached for one base URL. Rows that show other rows
 * are not cached.
 */
export function textPresenter(call: Call, resource: Collection): (row: Row) => string {
  const makeText = (row: Row) => JSON.stringify(presentRow(call, resource, row))
  if (partsOf(resource.table).some(({ partOf }) => partOf!.shown)) return makeText
  const { texts } = call.tables.of(resource.table).base
  const { baseUrl } = call
  return row => {
    const unset = unsetText(call, resource, row)
    const cached = texts.get(row)
    if (cached?.baseUrl === baseUrl && cached.unset === unset) return cached.text
    const text = makeText(row)
    texts.set(row, { baseUrl, unset, text })
    return text
  }
}

/**
 * How the unset texts of a row are shown; undefined if all are set. For resources of the API's document, the assumption
 * is only noted if it was changed: otherwise it would be in the explanation of almost every answer.
 */
function unsetText(call: Presenting, { fields, neighbour }: Collection, row: Row): string | undefined {
  for (const name in fields) {
    if (!fields[name]!.omittedWhenEmpty || row[name] !== undefined) continue
    return neighbour || call.assumed('unset_text') === 'empty' ? call.assume('unset_text') : 'omit'
  }
  return undefined
}

export const presentModule = (call: Call, resource: Module, values: Values) =>
  presentFields(call, resource.fields, values, {})
