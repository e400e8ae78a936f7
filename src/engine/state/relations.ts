import {
  type Catalog,
  type Collection,
  canReferTo,
  type Field,
  isPart,
  type RecordKind,
  type Row,
  referencesIn,
  type Unique,
} from '../language/index.ts'
import type { Tables } from './tables.ts'

/** A value that must be unique, in two records. */
interface Repeated {
  table: string
  /** The index of the record in its list. */
  place: number
  /** The first record with this value. */
  first: [table: string, place: number]
  field: string
  value: string
}

const uniqueOf = (kind: RecordKind) => (kind as Partial<Collection>).unique

/** The values of a row that must be unique. */
const uniqueValues = ({ field, except }: Unique, row: Row) =>
  ([row[field] ?? []].flat() as string[]).filter(value => !except?.(value))

/** Finds repeated values in lists of records, by table. */
export function findRepeated({ kinds }: Catalog, rows: Record<string, readonly Row[]>): Repeated[] {
  const repeated: Repeated[] = []
  const firsts = new Map<string, [table: string, place: number]>()
  for (const kind of kinds) {
    const unique = uniqueOf(kind)
    if (!unique) continue
    const { table } = kind
    const { field, among, within } = unique
    for (const [place, row] of (rows[table] ?? []).entries()) {
      for (const value of uniqueValues(unique, row)) {
        const key = JSON.stringify([among[0], within && row[within], value])
        const first = firsts.get(key)
        if (!first) firsts.set(key, [table, place])
        else if (first[0] !== table || first[1] !== place) repeated.push({ table, place, first, field, value })
      }
    }
  }
  return repeated
}

/** A unique value that another record has. An unchanged value is accepted, because an old database may repeat it. */
export function takenValue(kind: RecordKind, row: Row, before: Row | undefined, tables: Pick<Tables, 'where'>) {
  const unique = uniqueOf(kind)
  if (!unique) return undefined
  const { field, among, within } = unique
  const unchanged = before && (!within || before[within] === row[within]) ? uniqueValues(unique, before) : []
  for (const value of uniqueValues(unique, row)) {
    if (unchanged.includes(value)) continue
    const holders = among.flatMap(table => tables.where(table, field, value))
    const other = holders.find(each => each.id !== row.id && (!within || each[within] === row[within]))
    if (other) return { field, value, existing: other.id }
  }
  return undefined
}

export interface Referrer {
  kind: RecordKind
  row: Row
  /** The field with the reference. */
  field: Field
}

/** The records that refer to a record, except its parts, which are deleted with it. */
export function referrersOf(table: string, id: string, tables: Tables): Referrer[] {
  const found: Referrer[] = []
  for (const kind of tables.catalog.kinds) {
    const { [isPart(kind) ? kind.partOf.by : '']: _record, ...fields } = kind.fields
    if (!canReferTo(table, fields)) continue
    for (const row of tables.all(kind.table)) {
      const reference = referencesIn(fields, row).find(
        each => each.id === id && each.field.refersTo!.tables.includes(table),
      )
      if (reference) found.push({ kind, row, field: reference.field })
    }
  }
  return found
}
