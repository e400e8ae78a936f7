import { kindOf, partsOf } from '../../ngrok/resources/index.ts'
import {
  type Collection,
  type Field,
  type Fields,
  isShown,
  isShownAsRef,
  type Look,
  pathTo,
  type RefersTo,
  type Row,
  unsetOf,
} from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'

type Values = Record<string, unknown>

/** The parts of a call that presentation reads. */
export type Presenting = Pick<Call, 'sandbox' | 'tables' | 'baseUrl' | 'assume' | 'assumed'> & {
  usedFrozenClock?: boolean
}

/** The result of an operation, before it is sent. */
export interface Reply {
  status: number
  body?: Record<string, unknown>
  /**
   * Pieces of JSON instead of `body`, because the text of rows is cached. The journal stores the pieces. Joined texts of
   * lists took a sixth of the time of a list, because every garbage collection moved them.
   */
  text?: readonly string[]
  headers?: Record<string, string>
}

/** docs/api.md 2.3. The prefix identifies the kind. Users have no path. */
export function toRef(baseUrl: string, { tables, path: given }: Pick<RefersTo, 'tables' | 'path'>, id: string) {
  const kinds = tables.map(kindOf)
  const kind = kinds.find(({ prefix }) => id.startsWith(`${prefix}_`)) ?? kinds[0]
  const path = given ?? (kind as Partial<Collection>).path
  return { id, uri: path === undefined ? '' : `${baseUrl}${path}/${id}` }
}

function presentFields(call: Presenting, fields: Fields, values: Values, into: Values, row: Row, unset?: string) {
  for (const name in fields) {
    const field = fields[name]!
    if (!isShown(field)) continue
    const value = field.derived ? field.derived(values, row, lookFor(call)) : values[name]
    const shown = field.shownAs ?? name
    if (value === undefined) {
      if (unsetOf(field) === 'null') into[shown] = null
      else if (field.omittedWhenEmpty && unset === 'empty') into[shown] = ''
    } else into[shown] = presentValue(call, field, value, row)
  }
  return into
}

function presentValue(call: Presenting, field: Field, value: unknown, row: Row): unknown {
  const { group, refersTo } = field
  if (Array.isArray(value) && (group || isShownAsRef(field)))
    return value.map(each => presentValue(call, field, each, row))
  if (isShownAsRef(field)) return toRef(call.baseUrl, refersTo!, value as string)
  return group ? presentFields(call, group, value as Values, {}, row) : value
}

const lookFor = (call: Presenting): Look => ({
  baseUrl: call.baseUrl,
  vendor: call.sandbox.origin.vendor,
  now() {
    call.usedFrozenClock ||= call.sandbox.clock.frozen
    return call.sandbox.clock.now()
  },
  get: (table, id) => call.tables.of(table).get(id),
  assume: name => call.assume(name),
  where: (table, field, value) => call.tables.of(table).where(field, value),
  derive: make => call.tables.derive(make),
})

export function presentRow(call: Presenting, resource: Collection, row: Row, once: Record<string, string> = {}) {
  const body: Values = { id: row.id }
  if (!resource.withoutUri) body.uri = call.baseUrl + pathTo(resource, row)
  body[resource.createdAs ?? 'created_at'] = row.created_at
  presentFields(call, resource.fields, row, body, row, unsetText(call, resource, row))
  for (const name of resource.shownOnce ?? []) body[name] = once[name] ?? null
  for (const name of resource.alwaysNull ?? []) body[name] = null
  for (const part of partsOf(resource.table))
    if (part.partOf!.shown) body[part.partOf!.list] = presentParts(call, part, row)
  return body
}

function presentParts(call: Presenting, part: Collection, row: Row) {
  const rows = call.tables.of(part.table).where(part.partOf!.by, row.id)
  return rows.map(each => presentRow(call, part, each))
}

/** Formats rows as JSON. Rows never change, so their text is cached for one base URL, unless they show other rows. */
export function textPresenter(call: Presenting, resource: Collection): (row: Row) => string {
  const toText = (row: Row) => JSON.stringify(presentRow(call, resource, row))
  if (showsOthers(resource)) return toText
  const { texts } = call.tables.of(resource.table).base
  const { baseUrl } = call
  return row => {
    const unset = unsetText(call, resource, row)
    const cached = texts.get(row)
    if (cached?.baseUrl === baseUrl && cached.unset === unset) return cached.text
    const text = toText(row)
    texts.set(row, { baseUrl, unset, text })
    return text
  }
}

/** Whether responses depend on other rows, or on the clock. */
const showsOthers = ({ table, fields }: Collection) =>
  partsOf(table).some(({ partOf }) => partOf!.shown) ||
  Object.values(fields).some(({ dependsOnOthers }) => dependsOnOthers)

/**
 * How the unset strings of a row are shown. Undefined if all are set. For documented resources, the assumption is only
 * recorded if it was changed. If not, it would be in the explanation of almost every response.
 */
function unsetText(call: Presenting, { fields, neighbour }: Collection, row: Row): string | undefined {
  for (const name in fields) {
    if (!fields[name]!.omittedWhenEmpty || row[name] !== undefined) continue
    return neighbour || call.assumed('unset_text') === 'empty' ? call.assume('unset_text') : 'omit'
  }
  return undefined
}

/** The values of a module, or of a list entry. */
export const presentValues = (call: Presenting, { fields }: { fields: Fields }, values: Values, row: Row) =>
  presentFields(call, fields, values, {}, row)
