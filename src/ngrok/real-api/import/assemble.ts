import { isDeepStrictEqual } from 'node:util'
import type { Path } from '../../../basics/problem.ts'
import { checkFixture, missingIn, nest } from '../../../engine/fixtures/index.ts'
import type { Collection, Row } from '../../../engine/language/index.ts'
import { apiKeys, catalog, credentials, isPart, kindOf, kinds, OWNERS, partsOf } from '../../resources/index.ts'
import { type Lists, withoutDangling } from './dangling.ts'
import type { Report } from './report.ts'
import type { SafeRecord } from './to-record.ts'

/** Records by table, oldest first. Parts have their own tables. */
export type SafeLists = Record<string, SafeRecord[]>

declare const SAFE: unique symbol

/** A fixture of safe records only. */
export type SafeFixture = Readonly<Record<string, unknown>> & { readonly [SAFE]: true }

/** Builds a valid fixture. Records that cannot be in one are omitted and reported. */
export function assemble(given: SafeLists, vendor: string, report: Report): SafeFixture {
  let lists = withoutDangling(withOwners(given), report)
  for (;;) {
    const fixture = nested(lists)
    const checked = checkFixture(fixture, { catalog, now: 0, vendor, ensureKey: true })
    if (!Array.isArray(checked)) return { ...fixture, ...orderOf(lists, checked.rows) } as unknown as SafeFixture
    const wrong = new Map(checked.map(({ path }) => recordAt(fixture, path)))
    for (const table of wrong.values()) report.note('conflict', table)
    lists = withoutDangling(
      Object.fromEntries(
        Object.entries(lists).map(([table, rows]) => [table, rows.filter(({ id }) => !wrong.has(id))]),
      ),
      report,
    )
  }
}

/**
 * Gives every API key the token `sim_` plus its id without the prefix, and every credential `sim_` plus its id, so
 * tokens are unique. The API does not list users, so owners are added by id. All owners are admins, so each key can
 * read everything that the account's keys can read.
 */
function withOwners(given: SafeLists): Lists {
  const lists: Lists = Object.fromEntries(kinds.map(({ table }) => [table, [...((given[table] ?? []) as Row[])]]))
  lists[apiKeys.table] = lists[apiKeys.table]!.map(key => ({ ...key, token: `sim_${key.id.replace(/^[^_]*_/, '')}` }))
  lists[credentials.table] = lists[credentials.table]!.map(each => ({ ...each, token: `sim_${each.id}` }))
  const known = new Set(OWNERS.flatMap(table => lists[table]!.map(({ id }) => id)))
  const named = Object.values(lists).flatMap(rows => rows.flatMap(({ owner_id }) => (owner_id ?? []) as string | []))
  for (const id of new Set(named)) {
    const table = OWNERS.find(each => id.startsWith(`${kindOf(each).prefix}_`))
    if (table && !known.has(id)) lists[table]!.push({ id })
  }
  for (const table of OWNERS) lists[table] = lists[table]!.map(owner => ({ ...owner, admin: true }))
  return lists
}

/** Nests parts in their records and drops empty lists. */
function nested(lists: Lists): Record<string, Row[] | string[]> {
  const all = Object.entries(nest(catalog, lists)).map(([table, rows]) => [
    table,
    Array.from(rows, withoutEmptyParts(table)),
  ])
  return {
    ...Object.fromEntries(all.filter(([, rows]) => rows!.length > 0)),
    ...missingIn(catalog, table => lists[table] ?? []),
  }
}

const withoutEmptyParts = (table: string) => {
  const names = partsOf(table).map(({ partOf }) => partOf!.list)
  return (row: Row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name, value]) => !names.includes(name) || (value as unknown[]).length > 0),
    ) as Row
}

/** The record or part with the problem. */
function recordAt(fixture: Record<string, unknown>, path: Path): [id: string, table: string] {
  const [table, i, list, j] = path as [string, number, string, number]
  const record = (fixture[table] as Row[])[i]!
  const part = partsOf(table).find(({ partOf }) => partOf!.list === list)
  return part ? [(record[list] as Row[])[j]!.id, part.table] : [record.id, table]
}

/** The `order` field of the fixture, for tables with rows that would be inserted in a different order. */
function orderOf(lists: Lists, rows: Lists): { order?: Record<string, string[]> } {
  const order = Object.entries(lists).flatMap(([table, wanted]) => {
    const ids = wanted.map(({ id }) => id)
    const known = new Set(ids)
    const inserted = rows[table]!.filter(({ id }) => known.has(id))
    return isDeepStrictEqual(shownOrder(table, wanted), shownOrder(table, inserted)) ? [] : [[table, ids]]
  })
  return order.length > 0 ? { order: Object.fromEntries(order) } : {}
}

/** The ids in list order, or for parts without a list, in the order within each record. */
function shownOrder(table: string, rows: Row[]): string[] {
  const kind = kindOf(table) as Collection
  const recordOf = (row: Row) => (isPart(kind) && !kind.listAs ? String(row[kind.partOf.by]) : '')
  return rows.toSorted((a, b) => recordOf(a).localeCompare(recordOf(b))).map(({ id }) => id)
}
