import type { Row } from '../schema/row.ts'

/** A table's rows that any number of sandboxes share. Never changes; its indexes are made when first asked for. */
export class BaseTable {
  readonly rows: readonly Row[]
  readonly places: ReadonlyMap<string, number>
  /** Ids deleted before this base was made, between which rows they stood: a page may still continue from them. */
  readonly gone: ReadonlyMap<string, number>
  readonly #indexes = new Map<string, Map<unknown, string[]>>()

  constructor(rows: readonly Row[], gone: ReadonlyMap<string, number> = NOTHING) {
    this.rows = rows
    this.gone = gone
    const places = new Map<string, number>()
    for (let i = 0; i < rows.length; i++) places.set(rows[i]!.id, i)
    this.places = places
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

const NOTHING: ReadonlyMap<string, number> = new Map()
export const emptyTable = new BaseTable([])

export type Base = Readonly<Record<string, BaseTable>>

export const baseOf = (rows: Record<string, readonly Row[]>): Base =>
  Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, new BaseTable(list)]))
