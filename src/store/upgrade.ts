import { toRow, unnest } from '../fixtures/index.ts'
import { kindOf, partsOf } from '../resources/index.ts'
import { isCollection, type Row } from '../schema/index.ts'
import { type Base, baseOf, diffRows, type LoggedChange, type Op, Tables } from '../state/index.ts'

/**
 * Changes in the present format. A log of format 1 has parts inside the rows of their records: these become ops on the
 * tables of the parts.
 */
export function upgrade(base: Base, changes: readonly LoggedChange[], now: number): readonly LoggedChange[] {
  if (!changes.some(isOldChange)) return changes
  let tables = new Tables(base)
  return changes.map(change => {
    if (change.state) {
      const given = change.state as Record<string, Row[]>
      const state = isOldState(given) ? toTables(given, now) : given
      tables = new Tables(baseOf(state, change.deleted))
      return { ...change, state }
    }
    const ops = change.ops.flatMap(op => opsOf(op, tables, now))
    tables.apply(ops)
    return { ...change, ops }
  })
}

const isOldChange = ({ ops, state }: LoggedChange) => (state ? isOldState(state) : ops.some(isOldStep))

const isOldState = (state: LoggedChange['state']) =>
  Object.entries(state!).some(([table, rows]) => rows.some(row => isOld(table, row)))

/** Now the parts of a record are deleted before the record. */
const isOldStep = ({ table, after }: Op) => (after ? isOld(table, after) : partsOf(table).length > 0)

/** Now rows have no lists of their parts, and those of the API have a time. */
const isOld = (table: string, row: Row) =>
  (isCollection(kindOf(table)) && row.created_at === undefined) ||
  partsOf(table).some(({ partOf }) => row[partOf!.list] !== undefined)

function toTables(state: Record<string, Row[]>, now: number): Record<string, Row[]> {
  const { lists } = unnest(state)
  return Object.fromEntries(
    Object.entries(lists).map(([table, list]) => [table, list.map(record => toRow(kindOf(table), record, now))]),
  )
}

function opsOf(op: Op, tables: Tables, now: number): Op[] {
  if (!isOldStep(op)) return [op]
  const { lists } = unnest(op.after ? { [op.table]: [op.after] } : {})
  const rowsOf = (table: string) => (lists[table] ?? []).map(record => toRow(kindOf(table), record, now))
  const steps = partsOf(op.table).flatMap(({ table, partOf }) =>
    diffRows(table, tables.of(table).where(partOf!.by, op.id), rowsOf(table)),
  )
  return [{ ...op, after: rowsOf(op.table)[0] ?? null }, ...steps]
}
