import { isPart, kinds } from '../resources/index.ts'
import { canReferTo, type RecordKind, type Row, referencesIn } from '../schema/index.ts'
import type { Tables } from './tables.ts'

/** The other records, as far as checking one needs them. */
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

/** A part that has the same as one before it where no two of a record may. */
interface Twin {
  place: number
  first: number
  /** What they have in common. */
  values: string
  say(other: string): string
}

export function findTwins(kind: RecordKind, rows: Row[]): Twin[] {
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
    return [{ place, first, values, say: (other: string) => `${same} as ${other}: ${values}` }]
  })
}

/** The part of the same record that has the same where no two may. */
export function twinOf(kind: RecordKind, row: Row, view: RecordView) {
  if (!isPart(kind) || !kind.partOf.distinct) return undefined
  const { by } = kind.partOf
  const others = view.where(kind.table, by, row[by]).filter(({ id }) => id !== row.id)
  const twin = findTwins(kind, [...others, row]).find(({ place }) => place === others.length)
  return twin && { ...twin, id: others[twin.first]!.id }
}

/** The records that refer to a record, but for its parts, which go with it. */
export function referrersOf(table: string, id: string, view: RecordView): { kind: RecordKind; row: Row }[] {
  const found: { kind: RecordKind; row: Row }[] = []
  for (const kind of kinds) {
    const { [isPart(kind) ? kind.partOf.by : '']: _record, ...fields } = kind.fields
    if (!canReferTo(table, fields)) continue
    for (const row of view.all(kind.table)) {
      const refers = referencesIn(fields, row).some(
        reference => reference.id === id && reference.field.refersTo!.tables.includes(table),
      )
      if (refers) found.push({ kind, row })
    }
  }
  return found
}
