import type { Row } from '../schema/row.ts'
import { BaseTable } from './base.ts'

interface Entry {
  id: string
  place: number
}

/** What one sandbox changed of a table. */
class Overlay {
  /** Rows of the base that were replaced, or deleted (null). */
  edited = new Map<string, Row | null>()
  added = new Map<string, Row>()
  /** Added rows in the order of their places. */
  order: Entry[] = []
  /** Places of every id that was ever added, so that a page can continue from one that was deleted. */
  places = new Map<string, number>()
  next: number
  deleted = 0
  /** Rows that came to have a value of an indexed field. */
  index = new Map<string, Set<string>>()

  constructor(next: number) {
    this.next = next
  }

  copy(): Overlay {
    const copy = new Overlay(this.next)
    copy.edited = new Map(this.edited)
    copy.added = new Map(this.added)
    copy.order = [...this.order]
    copy.places = new Map(this.places)
    copy.deleted = this.deleted
    for (const [key, ids] of this.index) copy.index.set(key, new Set(ids))
    return copy
  }
}

/** Rows in the order they were inserted: a shared base, and over it what this sandbox changed. */
export class Table {
  #base: BaseTable
  #over: Overlay | undefined
  readonly #indexed: readonly string[]
  /** Grows with every write: what was computed from the table can tell whether it still holds. */
  version = 0

  constructor(base: BaseTable, indexed: readonly string[] = []) {
    this.#base = base
    this.#indexed = indexed
  }

  get base() {
    return this.#base
  }

  get size(): number {
    return this.#base.rows.length + (this.#over ? this.#over.added.size - this.#over.deleted : 0)
  }

  get(id: string): Row | undefined {
    const over = this.#over
    if (over) {
      const edited = over.edited.get(id)
      if (edited !== undefined) return edited ?? undefined
      const added = over.added.get(id)
      if (added) return added
    }
    return this.#base.get(id)
  }

  /** Inserts at the end, or where that id stood before; replaces in place. */
  put(row: Row) {
    this.#over ??= new Overlay(this.#base.rows.length)
    const over = this.#over
    const { id } = row
    this.version++
    for (const field of this.#indexed) {
      const key = indexKey(field, row[field])
      const ids = over.index.get(key)
      if (ids) ids.add(id)
      else over.index.set(key, new Set([id]))
    }
    if (this.#base.places.has(id)) {
      if (over.edited.get(id) === null) over.deleted--
      over.edited.set(id, row)
      return
    }
    if (!over.added.has(id)) this.#enter(over, id)
    over.added.set(id, row)
  }

  #enter(over: Overlay, id: string) {
    const place = over.places.get(id) ?? this.#base.gone.get(id) ?? over.next++
    over.places.set(id, place)
    if (over.order.length === 0 || over.order.at(-1)!.place < place) over.order.push({ id, place })
    else over.order.splice(firstAtOrAfter(over.order, place), 0, { id, place })
  }

  remove(id: string) {
    if (!this.get(id)) return
    this.#over ??= new Overlay(this.#base.rows.length)
    const over = this.#over
    this.version++
    if (this.#base.places.has(id)) {
      over.edited.set(id, null)
      over.deleted++
      if (over.deleted > 64 && over.deleted * 8 > this.#base.rows.length) this.#rebase()
      return
    }
    over.added.delete(id)
    over.order.splice(firstAtOrAfter(over.order, over.places.get(id)!), 1)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.#base.places.get(id) ?? this.#over?.places.get(id) ?? this.#base.gone.get(id)
  }

  *newestFirst(before = Number.POSITIVE_INFINITY): Generator<Row> {
    const over = this.#over
    const order = over?.order ?? []
    const { rows } = this.#base
    let i = firstAtOrAfter(order, before) - 1
    let j = Math.min(rows.length, Math.ceil(before)) - 1
    while (i >= 0 || j >= 0) {
      if (i >= 0 && (j < 0 || order[i]!.place > j)) yield over!.added.get(order[i--]!.id)!
      else {
        const row = this.#current(rows[j--]!)
        if (row) yield row
      }
    }
  }

  *oldestFirst(after = Number.NEGATIVE_INFINITY): Generator<Row> {
    const over = this.#over
    const order = over?.order ?? []
    const { rows } = this.#base
    let i = firstAtOrAfter(order, after)
    if (order[i]?.place === after) i++
    let j = Math.max(0, Math.floor(after) + 1)
    while (i < order.length || j < rows.length) {
      if (i < order.length && (j >= rows.length || order[i]!.place < j)) yield over!.added.get(order[i++]!.id)!
      else {
        const row = this.#current(rows[j++]!)
        if (row) yield row
      }
    }
  }

  /** Rows whose indexed field has that value. */
  where(field: string, value: unknown): Row[] {
    const ids = new Set(this.#base.idsWhere(field, value))
    for (const id of this.#over?.index.get(indexKey(field, value)) ?? []) ids.add(id)
    const rows: Row[] = []
    for (const id of ids) {
      const row = this.get(id)
      if (row && row[field] === value) rows.push(row)
    }
    return rows
  }

  /** Ids whose rows differ from the base's. */
  *touched(): Generator<string> {
    if (!this.#over) return
    yield* this.#over.edited.keys()
    for (const { id } of this.#over.order) yield id
  }

  /** Deleted ids, each with a place between the rows it stood between, counted from the first row that is left. */
  gone(): Map<string, number> {
    const places: Entry[] = [...this.#base.gone].map(([id, place]) => ({ id, place }))
    for (const [id, place] of this.#over?.places ?? []) if (!this.#base.gone.has(id)) places.push({ id, place })
    for (const [id, row] of this.#over?.edited ?? [])
      if (row === null) places.push({ id, place: this.#base.places.get(id)! })
    const dead = places.filter(({ id }) => !this.get(id)).sort((a, b) => a.place - b.place)
    const result = new Map<string, number>()
    if (dead.length === 0) return result
    let next = 0
    const settle = (rowsBefore: number, until: number) => {
      const start = next
      while (next < dead.length && dead[next]!.place < until) next++
      const count = next - start
      for (let k = 0; k < count; k++) result.set(dead[start + k]!.id, rowsBefore - 1 + (k + 1) / (count + 1))
    }
    let rowsBefore = 0
    for (const row of this.oldestFirst()) settle(rowsBefore++, this.placeOf(row.id)!)
    settle(rowsBefore, Number.POSITIVE_INFINITY)
    return result
  }

  copy(): Table {
    const copy = new Table(this.#base, this.#indexed)
    copy.#over = this.#over?.copy()
    copy.version = this.version
    return copy
  }

  #current(row: Row): Row | undefined {
    const edited = this.#over?.edited.get(row.id)
    return edited === undefined ? row : (edited ?? undefined)
  }

  /** Lists would step over ever more holes: when many rows of the base are gone, this table gets a base of its own. */
  #rebase() {
    const gone = this.gone()
    this.#base = new BaseTable([...this.oldestFirst()], gone)
    this.#over = undefined
  }
}

const indexKey = (field: string, value: unknown) => `${field}=${String(value)}`

/** Where the first entry at or after a place stands. */
function firstAtOrAfter(order: Entry[], place: number): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (order[middle]!.place < place) low = middle + 1
    else high = middle
  }
  return low
}
