import { isPart, kinds } from '../resources/index.ts'
import { canReferTo, type Field, type RecordKind, type Row, referencesIn } from '../schema/index.ts'
import type { Tables } from './tables.ts'

/** Records that validation can read. */
export interface RecordView {
  get(table: string, id: string): Row | undefined
  where(table: string, field: string, value: unknown): Row[]
  all(table: string): Iterable<Row>
}

export const viewOf = (tables: Tables): RecordView => ({
  get: (table, id) => tables.of(table).get(id),
  where: (table, field, value) => tables.of(table).where(field, value),
  all: table => tables.of(table).oldestFirst(),
})

/** A part with the same values as an earlier part, in fields that must be distinct. */
interface Duplicate {
  /** List indexes of the part and of the first one with these values. */
  place: number
  first: number
  values: string
  describe(other: string): string
}

export function findDuplicates(kind: RecordKind, rows: Row[]): Duplicate[] {
  if (!isPart(kind) || !kind.partOf.distinct) return []
  const { by, distinct } = kind.partOf
  const { fields } = distinct!
  const places = new Map<string, number>()
  return rows.flatMap((row, place) => {
    const key = JSON.stringify([by, ...fields].map(name => row[name]))
    const first = places.get(key) ?? place
    places.set(key, first)
    if (first === place) return []
    const values = fields.map(name => row[name]).join(' ')
    const same = `the ${kind.label} ${row.id} has the same ${fields.join(' and ')}`
    return [{ place, first, values, describe: (other: string) => `${same} as ${other}: ${values}` }]
  })
}

/** Another part of the same record with the same values in fields that must be distinct. */
export function duplicateOf(kind: RecordKind, row: Row, view: RecordView) {
  if (!isPart(kind) || !kind.partOf.distinct) return undefined
  const { by } = kind.partOf
  const others = view.where(kind.table, by, row[by]).filter(({ id }) => id !== row.id)
  const duplicate = findDuplicates(kind, [...others, row]).find(({ place }) => place === others.length)
  return duplicate && { ...duplicate, id: others[duplicate.first]!.id }
}

export interface Referrer {
  kind: RecordKind
  row: Row
  /** The field with the reference. */
  field: Field
}

/** The records that refer to a record, except its parts, which are deleted with it. */
export function referrersOf(table: string, id: string, view: RecordView): Referrer[] {
  const found: Referrer[] = []
  for (const kind of kinds) {
    const { [isPart(kind) ? kind.partOf.by : '']: _record, ...fields } = kind.fields
    if (!canReferTo(table, fields)) continue
    for (const row of view.all(kind.table)) {
      const reference = referencesIn(fields, row).find(
        each => each.id === id && each.field.refersTo!.tables.includes(table),
      )
      if (reference) found.push({ kind, row, field: reference.field })
    }
  }
  return found
}
