import type { Row } from '../schema/row.ts'
import type { BaseTable } from './base.ts'
import { firstAtOrAfter, Ledger, Overlay } from './overlay.ts'
import { PAGE } from './pages.ts'

/** Rows in the order they were inserted: a shared base, and over it what this sandbox changed. */
export class Table {
  #over: Overlay | undefined
  /** Grows with every write: what was computed from the table can tell whether it still holds. */
  version = 0

  constructor(
    readonly base: BaseTable,
    readonly indexed: readonly string[],
    readonly ledger: Ledger,
  ) {}

  get size(): number {
    const { length } = this.base.rows
    const over = this.#over
    return over ? length - over.edited.count + over.revived.length + over.added.count : length
  }

  get(id: string): Row | undefined {
    const { base } = this
    const over = this.#over
    const place = base.places.get(id)
    if (place !== undefined) return this.#inBase(place)
    if (!over) return undefined
    const gone = base.gone.get(id)
    if (gone !== undefined) return over.revivedAt(gone)
    const row = over.added.get(this.#slotOf(id))
    return typeof row === 'object' ? row : undefined
  }

  /** Inserts at the end, or where that id stood before; replaces in place. */
  put(row: Row) {
    this.#over ??= new Overlay()
    const { base, ledger } = this
    const { id } = row
    this.version++
    for (const field of this.indexed) ledger.note(field, row[field], id)
    const place = base.places.get(id)
    const gone = base.gone.get(id)
    if (place !== undefined) this.#over.edited.set(place, row)
    else if (gone !== undefined) this.#over.revive(gone, row)
    else this.#over.added.set(ledger.enter(id) - base.rows.length, row)
  }

  remove(id: string) {
    if (!this.get(id)) return
    this.#over ??= new Overlay()
    const { base } = this
    this.version++
    const place = base.places.get(id)
    const gone = base.gone.get(id)
    if (place !== undefined) this.#over.edited.set(place, null)
    else if (gone !== undefined) this.#over.revive(gone, undefined)
    else this.#over.added.set(this.#slotOf(id), id)
  }

  /** As if that id, which is not in the table, had never been. */
  forget(id: string) {
    if (this.ledger.placeOf(id) !== undefined) this.#over!.added.set(this.#slotOf(id), undefined)
    this.ledger.forget(id)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.base.places.get(id) ?? this.base.gone.get(id) ?? this.ledger.placeOf(id)
  }

  *newestFirst(before = Number.POSITIVE_INFINITY): Generator<Row> {
    const { length } = this.base.rows
    const { added, edited, revived } = this.#over ?? UNCHANGED
    for (let i = Math.min(added.length, Math.ceil(before) - length) - 1; i >= 0; i--) {
      while (i >= 0 && i % PAGE === PAGE - 1 && added.countAround(i) === 0) i -= PAGE
      const row = added.get(i)
      if (typeof row === 'object') yield row
    }
    let r = firstAtOrAfter(revived, before) - 1
    for (let j = Math.min(length, Math.ceil(before)) - 1; j >= 0; j--) {
      while (j >= 0 && j % PAGE === PAGE - 1 && edited.countAround(j) === PAGE) j -= PAGE
      while (r >= 0 && revived[r]!.place > j) yield revived[r--]!.row
      const row = this.#inBase(j)
      if (row) yield row
    }
    while (r >= 0) yield revived[r--]!.row
  }

  *oldestFirst(after = Number.NEGATIVE_INFINITY): Generator<Row> {
    const { length } = this.base.rows
    const { added, edited, revived } = this.#over ?? UNCHANGED
    let r = firstAtOrAfter(revived, after)
    if (revived[r]?.place === after) r++
    for (let j = Math.max(0, Math.floor(after) + 1); j < length; j++) {
      while (j % PAGE === 0 && edited.countAround(j) === PAGE) j += PAGE
      while (r < revived.length && revived[r]!.place < j) yield revived[r++]!.row
      const row = this.#inBase(j)
      if (row) yield row
    }
    while (r < revived.length) yield revived[r++]!.row
    for (let i = Math.max(0, Math.floor(after) + 1 - length); i < added.length; i++) {
      while (i < added.length && i % PAGE === 0 && added.countAround(i) === 0) i += PAGE
      const row = added.get(i)
      if (typeof row === 'object') yield row
    }
  }

  /** Oldest first, all that is or was in the table: rows, and the ids of those that were deleted. */
  *everything(): Generator<Row | string> {
    const { rows, gone } = this.base
    const { added } = this.#over ?? UNCHANGED
    const dead = gone.keys()
    let next = dead.next().value
    for (const [place, row] of rows.entries()) {
      for (; next && gone.get(next)! < place; next = dead.next().value) yield this.get(next) ?? next
      yield this.#inBase(place) ?? row.id
    }
    for (; next; next = dead.next().value) yield this.get(next) ?? next
    for (let i = 0; i < added.length; i++) {
      const entry = added.get(i)
      if (entry !== undefined) yield entry
    }
  }

  /** Rows whose indexed field has that value. */
  where(field: string, value: unknown): Row[] {
    const ids = new Set(this.base.idsWhere(field, value))
    for (const id of this.ledger.noted(field, value)) ids.add(id)
    const rows: Row[] = []
    for (const id of ids) {
      const row = this.get(id)
      if (row && row[field] === value) rows.push(row)
    }
    return rows
  }

  /** Ids whose rows differ from the base's. */
  *touched(): Generator<string> {
    const { edited, revived, added } = this.#over ?? UNCHANGED
    for (const [place] of edited) yield this.base.rows[place]!.id
    for (const { row } of revived) yield row.id
    for (const [, row] of added) if (typeof row === 'object') yield row.id
  }

  copy(): Table {
    const copy = new Table(this.base, this.indexed, this.ledger)
    copy.#over = this.#over?.copy()
    copy.version = this.version
    return copy
  }

  /** The same rows with places of their own: what other copies came to know since is not known here. */
  detached(): Table {
    const table = new Table(this.base, this.indexed, new Ledger(this.base.rows.length))
    const { edited, revived, added } = this.#over ?? UNCHANGED
    for (const [place, row] of edited) {
      if (row) table.put(row)
      else table.remove(this.base.rows[place]!.id)
    }
    for (const { row } of revived) table.put(row)
    for (let i = 0; i < added.length; i++) {
      const entry = added.get(i)
      if (entry === undefined) continue
      table.put(typeof entry === 'string' ? { id: entry } : entry)
      if (typeof entry === 'string') table.remove(entry)
    }
    return table
  }

  #inBase(place: number): Row | undefined {
    const edited = this.#over?.edited.get(place)
    return edited === undefined ? this.base.rows[place] : (edited ?? undefined)
  }

  /** Where an id stands behind the base. */
  #slotOf(id: string): number {
    return (this.ledger.placeOf(id) ?? Number.NaN) - this.base.rows.length
  }
}

const UNCHANGED = new Overlay()
