import type { Reply } from '../api.ts'
import { fail } from '../error.ts'
import { type Collection, type Entries, type Row, withChanges, withDefaults } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'
import { findById } from './find.ts'
import { presentValues } from './present.ts'
import { checkRequired, readFields } from './validate.ts'

type Entry = Record<string, unknown>

/** An existing entry is unchanged. */
export function createEntry(call: Call, resource: Entries): Reply {
  const given = readFields(call, resource.fields)
  checkRequired(call, resource.fields, given)
  const entry = withDefaults(resource.fields, given)
  const { row, list } = holderOf(call, resource)
  if (!list.some(each => each[resource.by] === entry[resource.by])) write(call, resource, row, [...list, entry])
  return { status: 201, body: presentValues(call, resource, entry, row) }
}

export function listEntries(call: Call, resource: Entries): Reply {
  const { row, list } = holderOf(call, resource)
  const { key, table } = resource.of
  const uri = `${call.baseUrl}${(call.tables.catalog.kindOf(table) as Collection).path}/${row.id}/${key}`
  return { status: 200, body: { [key]: list.map(entry => presentValues(call, resource, entry, row)), uri } }
}

export function getEntry(call: Call, resource: Entries): Reply {
  const { row, list } = holderOf(call, resource)
  return { status: 200, body: presentValues(call, resource, list[placeOf(call, resource, row, list)]!, row) }
}

export function updateEntry(call: Call, resource: Entries): Reply {
  const given = readFields(call, resource.fields)
  const { row, list } = holderOf(call, resource)
  const place = placeOf(call, resource, row, list)
  const entry = withChanges(resource.fields, list[place]!, given)
  if (Object.keys(given).length > 0) write(call, resource, row, list.with(place, entry))
  return { status: 200, body: presentValues(call, resource, entry, row) }
}

export function deleteEntry(call: Call, resource: Entries): Reply {
  const { row, list } = holderOf(call, resource)
  write(call, resource, row, list.toSpliced(placeOf(call, resource, row, list), 1))
  return { status: 204 }
}

/** The record in the path, and its list. */
function holderOf(call: Call, { of }: Entries): { row: Row; list: Entry[] } {
  const row = findById(call, call.tables.catalog.kindOf(of.table) as Collection, call.params[of.parameter]!)
  return { row, list: (row[of.key] ?? []) as Entry[] }
}

/** The index of the entry in the path. */
function placeOf(call: Call, { by, missing }: Entries, { id }: Row, list: Entry[]): number {
  const value = call.params[by]!
  const place = list.findIndex(entry => entry[by] === value)
  if (place < 0) fail(missing, { id, value, allowed: list.map(entry => String(entry[by])) })
  return place
}

function write(call: Call, { of }: Entries, before: Row, list: Entry[]) {
  call.commit([{ table: of.table, id: before.id, before, after: { ...before, [of.key]: list } }])
}
