import type { Row } from '../schema/row.ts'

/** A table's rows that any number of sandboxes share. Never changes; its indexes are made when first asked for. */
export class BaseTable {
  readonly rows: readonly Row[]
  readonly places: ReadonlyMap<string, number>
  /** Ids deleted before this base was made, with places between the rows they stood between, in order. */
  readonly gone: ReadonlyMap<string, number>
  readonly #indexes = new Map<string, Map<unknown, string[]>>()

  constructor(rows: readonly Row[], deleted: Iterable<Deleted> = []) {
    const places = new Map<string, number>()
    for (let i = 0; i < rows.length; i++) places.set(rows[i]!.id, i)
    this.rows = rows
    this.places = places
    this.gone = placesOf(Array.from(deleted).filter(([id]) => !places.has(id)))
  }

  get(id: string): Row | undefined {
    const place = this.places.get(id)
    return place === undefined ? undefined : this.rows[place]
  }

  idsWhere(field: string, value: unknown): readonly string[] {
    let index = this.#indexes.get(field)
    if (!index) {
      index = new Map()
      for (const row of this.rows) {
        const ids = index.get(row[field])
        if (ids) ids.push(row.id)
        else index.set(row[field], [row.id])
      }
      this.#indexes.set(field, index)
    }
    return index.get(value) ?? []
  }
}

/** The id of a record that was deleted, and how many rows stand before where it stood. */
export type Deleted = readonly [id: string, rowsBefore: number]

/** Those that stood between the same two rows share the room between them: pages may still continue from each. */
function placesOf(deleted: Deleted[]): Map<string, number> {
  const gone = new Map<string, number>()
  const list = deleted.sort((a, b) => a[1] - b[1])
  for (let i = 0; i < list.length; ) {
    const rowsBefore = list[i]![1]
    const start = i
    while (i < list.length && list[i]![1] === rowsBefore) i++
    for (let k = start; k < i; k++) gone.set(list[k]![0], rowsBefore - 1 + (k - start + 1) / (i - start + 1))
  }
  return gone
}

export const emptyTable = new BaseTable([])

export type Base = Readonly<Record<string, BaseTable>>

export const baseOf = (rows: Record<string, readonly Row[]>, deleted: Record<string, Iterable<Deleted>> = {}): Base =>
  Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, new BaseTable(list, deleted[table])]))
