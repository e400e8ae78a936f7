import { type Collection, type Reference, type Row, referencesIn } from '../../../engine/language/index.ts'
import { kindOf } from '../../resources/index.ts'
import type { Report } from './report.ts'

export type Lists = Record<string, Row[]>

/**
 * Removes references to missing records, and records that require one. References in lists remain, because
 * a fixture can declare them as `missing`.
 */
export function withoutDangling(given: Lists, report: Report): Lists {
  const ids = new Set(Object.values(given).flatMap(list => list.map(({ id }) => id)))
  const before = ids.size
  const lists = Object.fromEntries(
    Object.entries(given).map(([table, list]) => [
      table,
      list.filter(row => isComplete(table, row, ids, report) || !ids.delete(row.id)),
    ]),
  )
  // Other records may refer to the ones just removed.
  if (ids.size < before) return withoutDangling(lists, report)
  return Object.fromEntries(
    Object.entries(lists).map(([table, list]) => [table, list.map(row => withoutMissing(table, row, ids, report))]),
  )
}

/** References to missing records, except in lists. */
const danglingIn = (table: string, row: Row, ids: ReadonlySet<string>) =>
  referencesIn(kindOf(table).fields, row).filter(({ id, path }) => !ids.has(id) && typeof path.at(-1) !== 'number')

/** A record requires its parent and the references that a request must contain. */
const isNeeded = (table: string, { path, field }: Reference) =>
  field.required !== undefined || path[0] === (kindOf(table) as Partial<Collection>).partOf?.by

function isComplete(table: string, row: Row, ids: ReadonlySet<string>, report: Report): boolean {
  const missing = danglingIn(table, row, ids).find(reference => isNeeded(table, reference))
  if (missing) report.note('dangling', `${table}, because of ${missing.path.join('.')}`)
  return missing === undefined
}

function withoutMissing(table: string, given: Row, ids: ReadonlySet<string>, report: Report): Row {
  const missing = danglingIn(table, given, ids)
  if (missing.length === 0) return given
  const row = structuredClone(given)
  for (const { path, field } of missing) {
    // In a map keyed by id, the last step is the id.
    const name = path.filter(
      (step, i) => typeof step === 'string' && !(field.shape.json.type === 'object' && i === path.length - 1),
    )
    report.note('dangling', [table, ...name].join('.'))
    const holder = path.slice(0, -1).reduce<unknown>((value, step) => (value as Row)[step], row)
    delete (holder as Record<string, unknown>)[path.at(-1)!]
  }
  return row
}
