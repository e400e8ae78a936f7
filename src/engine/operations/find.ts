import { nearest } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import { type Collection, looksLikeIdentifier, type Row } from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import type { Tables } from '../state/index.ts'

/** The row named in the path, if the caller can access it. */
export function find(call: Call, resource: Collection): Row {
  const parent = findParent(call, resource)
  const id = call.params.id!
  const row = lookUp(call, resource, id)
  if (row && parent && row[resource.partOf!.by] !== parent.id) {
    const owner = String(row[resource.partOf!.by])
    fail(resource.errors!.elsewhere!, { id, label: resource.label, parent: parent.id, owner })
  }
  if (!row) failMissing(call, resource, id, parent)
  if (!mayAccess(call, resource, row)) fail(errors.not_your_key, { id, caller: call.caller.id })
  return row
}

export const findById = (call: Call, resource: Collection, id: string): Row =>
  lookUp(call, resource, id) ?? failMissing(call, resource, id, undefined)

/** The parent record named in the path of a part. */
export function findParent(call: Call, { path, partOf }: Collection): Row | undefined {
  if (!partOf || !path.includes('{')) return undefined
  const resource = call.tables.catalog.kindOf(partOf.table) as Collection
  return findById(call, resource, call.params[partOf.by]!)
}

/** Fails if the id does not have the format of the kind's ids. */
function lookUp(call: Call, kind: Collection, id: string): Row | undefined {
  const { table, prefix, label, errors: own } = kind
  const row = call.tables.get(table, id)
  const { ids } = call.tables.catalog
  if (row || ids.perKind || ids.fits(kind, id)) return row
  if (own?.badId) fail(own.badId, { id: shorten(id, 80), label, prefix })
  if (looksLikeIdentifier(id)) fail(own?.otherKind ?? errors.wrong_prefix, { id, prefix, label })
  fail(errors.bad_identifier, { id: shorten(id, 80), prefix })
}

function failMissing(call: Call, resource: Collection, id: string, parent: Row | undefined): never {
  const { table, label, path, partOf, errors: own } = resource
  const candidates = parent
    ? call.tables
        .of(table)
        .where(partOf!.by, parent.id)
        .map(row => row.id)
    : newestIds(call.tables, table)
  const facts = { id, nearest: nearest(id, candidates) }
  if (own?.missing) fail(own.missing, { ...facts, label, path, parent: parent?.id ?? '' })
  fail(errors.not_found, {
    ...facts,
    what: `${label} ${id}`,
    withoutCode: call.assume(questions.not_found_code) === 'none',
  })
}

/** Whether the caller can read and change the row. The assumption applies only to rows of other owners. */
export function mayAccess(call: Call, resource: Collection, row: Row): boolean {
  if (!resource.ownedBy || call.caller.admin || row[resource.ownedBy] === call.caller.id) return true
  return call.assume(questions.other_owners_keys) === 'allow'
}

/** A table can be large, so the search for the closest id is limited. */
const MAX_SEARCHED_IDS = 1000

export function newestIds(tables: Tables, table: string): string[] {
  const ids: string[] = []
  for (const row of tables.of(table).newestFirst()) {
    if (ids.push(row.id) >= MAX_SEARCHED_IDS) break
  }
  return ids
}
