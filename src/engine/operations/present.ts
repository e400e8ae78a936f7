import type { EventDelivery } from '../../contract/event-delivery.ts'
import {
  type Catalog,
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
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import type { Tables } from '../state/index.ts'

type Values = Record<string, unknown>

/** The parts of a call that presentation reads. */
export type Presenting = Pick<Call, 'api' | 'sandbox' | 'tables' | 'baseUrl' | 'assume' | 'assumed' | 'now'>

/** The prefix identifies the kind. A kind without a path has an empty uri. */
export function toRef(
  catalog: Catalog,
  baseUrl: string,
  { tables, path: given }: Pick<RefersTo, 'tables' | 'path'>,
  id: string,
) {
  const kinds = tables.map(table => catalog.kindOf(table))
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
  if (isShownAsRef(field)) return toRef(call.tables.catalog, call.baseUrl, refersTo!, String(value))
  if (group) return presentFields(call, group, value as Values, {}, row)
  return refersTo && !refersTo.unchecked ? showIds(call.tables.catalog, value) : value
}

/** Ids as the API shows them. */
const showIds = ({ ids }: Catalog, value: unknown): unknown =>
  Array.isArray(value) ? value.map(id => ids.show(id)) : typeof value === 'string' ? ids.show(value) : value

export const lookFor = (call: Presenting): Look => ({
  tables: call.tables,
  baseUrl: call.baseUrl,
  vendor: call.sandbox.origin.vendor,
  now: () => call.now(),
  assume: name => call.assume(name),
})

export function presentRow(call: Presenting, resource: Collection, row: Row, once: Record<string, string> = {}) {
  const body: Values = { id: call.tables.catalog.ids.show(row.id) }
  if (!resource.withoutUri) body.uri = call.baseUrl + pathTo(resource, row)
  if (!resource.withoutCreatedAt) body[resource.createdAs ?? 'created_at'] = row.created_at
  presentFields(call, resource.fields, row, body, row, unsetText(call, resource, row))
  for (const name of resource.shownOnce ?? []) body[name] = once[name] ?? null
  for (const name of resource.alwaysNull ?? []) body[name] = null
  for (const part of call.tables.catalog.partsOf(resource.table))
    if (part.partOf!.shown) body[part.partOf!.list] = presentParts(call, part, row)
  return body
}

function presentParts(call: Presenting, part: Collection, row: Row) {
  const rows = call.tables.where(part.table, part.partOf!.by, row.id)
  return rows.map(each => presentRow(call, part, each))
}

/** Formats rows as JSON. Rows never change, so their text is cached for one base URL, unless they show other rows. */
export function textPresenter(call: Presenting, resource: Collection): (row: Row) => string {
  const toText = (row: Row) => JSON.stringify(presentRow(call, resource, row))
  if (showsOthers(call.tables.catalog, resource)) return toText
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
const showsOthers = (catalog: Catalog, { table, fields }: Collection) =>
  catalog.partsOf(table).some(({ partOf }) => partOf!.shown) ||
  Object.values(fields).some(({ dependsOnOthers }) => dependsOnOthers)

/**
 * How the unset strings of a row are shown. Undefined if all are set. For documented resources, the assumption is only
 * recorded if it was changed. If not, it would be in the explanation of almost every response.
 */
function unsetText(call: Presenting, { fields, undocumented }: Collection, row: Row): string | undefined {
  for (const name in fields) {
    if (!fields[name]!.omittedWhenEmpty || row[name] !== undefined) continue
    return undocumented || call.assumed(questions.unset_text) === 'empty' ? call.assume(questions.unset_text) : 'omit'
  }
  return undefined
}

/** The values of a module, or of a list entry. */
export const presentValues = (call: Presenting, { fields }: { fields: Fields }, values: Values, row: Row) =>
  presentFields(call, fields, values, {}, row)

/** The events of a call's change, if the API has events. */
export function eventsOf(call: Call, before: Tables): EventDelivery[] {
  const { api, change, caller, baseUrl, sandbox } = call
  if (!api.events || !change) return []
  // The event is not part of the response, so the explanation of the response ignores its assumptions.
  const assumed: Call['assumed'] = each => call.assumed(each)
  const unrecorded = { sandbox, baseUrl, api, assumed, assume: assumed, now: () => sandbox.clock.now() }
  return api.events.deliveriesOf(change, before, {
    caller,
    baseUrl,
    sandbox,
    present: (kind, row, tables) => presentRow({ ...unrecorded, tables }, kind, row),
  })
}
