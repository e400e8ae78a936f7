import type { Row } from '../schema/row.ts'
import { type BaseTable, emptyTable, idAt, type Slot } from './base-table.ts'
import { Ledger, Overlay } from './overlay.ts'
import { CHUNK } from './shared-list.ts'

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
    const { edited, added } = this.#over ?? UNCHANGED
    return this.base.size + edited.sum + added.sum
  }

  get(id: string): Row | undefined {
    const place = this.base.places.get(id)
    if (place !== undefined) return this.#inBase(place)
    const slot = this.#over?.added.get(this.#slotOf(id))
    return typeof slot === 'string' ? undefined : slot
  }

  /** Inserts at the end, or where that id stood before; replaces in place. */
  put(row: Row) {
    this.#over ??= new Overlay(this.base)
    const { base, ledger } = this
    const { id } = row
    this.version++
    for (const field of this.indexed) ledger.note(field, row[field], id)
    const place = base.places.get(id)
    if (place !== undefined) this.#over.edited.set(place, row)
    else this.#over.added.set(ledger.enter(id) - base.slots.length, row)
  }

  remove(id: string) {
    if (!this.get(id)) return
    this.#over ??= new Overlay(this.base)
    this.version++
    const place = this.base.places.get(id)
    if (place !== undefined) this.#over.edited.set(place, null)
    else this.#over.added.set(this.#slotOf(id), id)
  }

  /** As if that id, which is not in the table, had never been. */
  forget(id: string) {
    if (this.ledger.placeOf(id) !== undefined) this.#over!.added.set(this.#slotOf(id), undefined)
    this.ledger.forget(id)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.base.places.get(id) ?? this.ledger.placeOf(id)
  }

  *newestFirst(before = Number.POSITIVE_INFINITY): Generator<Row> {
    const { length } = this.base.slots
    const { added, edited } = this.#over ?? UNCHANGED
    for (let i = Math.min(added.length, before - length) - 1; i >= 0; i--) {
      while (i >= 0 && i % CHUNK === CHUNK - 1 && added.sumAround(i) === 0) i -= CHUNK
      const slot = added.get(i)
      if (typeof slot === 'object') yield slot
    }
    for (let j = Math.min(length, before) - 1; j >= 0; j--) {
      while (j >= 0 && j % CHUNK === CHUNK - 1 && this.base.rowsAround(j) + edited.sumAround(j) === 0) j -= CHUNK
      const row = this.#inBase(j)
      if (row) yield row
    }
  }

  *oldestFirst(after = -1): Generator<Row> {
    const { length } = this.base.slots
    const { added, edited } = this.#over ?? UNCHANGED
    for (let j = after + 1; j < length; j++) {
      while (j < length && j % CHUNK === 0 && this.base.rowsAround(j) + edited.sumAround(j) === 0) j += CHUNK
      const row = this.#inBase(j)
      if (row) yield row
    }
    for (let i = Math.max(0, after + 1 - length); i < added.length; i++) {
      while (i < added.length && i % CHUNK === 0 && added.sumAround(i) === 0) i += CHUNK
      const slot = added.get(i)
      if (typeof slot === 'object') yield slot
    }
  }

  /** Oldest first, all that is or was in the table. */
  *everything(): Generator<Slot> {
    const { added } = this.#over ?? UNCHANGED
    for (const [place, slot] of this.base.slots.entries()) yield this.#inBase(place) ?? idAt(slot)
    for (let i = 0; i < added.length; i++) {
      const slot = added.get(i)
      if (slot !== undefined) yield slot
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
    const { edited, added } = this.#over ?? UNCHANGED
    for (const [place] of edited) yield idAt(this.base.slots[place]!)
    for (const [, slot] of added) if (typeof slot === 'object') yield slot.id
  }

  copy(): Table {
    const copy = new Table(this.base, this.indexed, this.ledger)
    copy.#over = this.#over?.copy(this.base)
    copy.version = this.version
    return copy
  }

  /** The same rows with places of their own: what other copies came to know since is not known here. */
  detached(): Table {
    const table = new Table(this.base, this.indexed, new Ledger(this.base.slots.length))
    const { edited, added } = this.#over ?? UNCHANGED
    for (const [place, row] of edited) {
      if (row) table.put(row)
      else table.remove(idAt(this.base.slots[place]!))
    }
    for (let i = 0; i < added.length; i++) {
      const slot = added.get(i)
      if (slot === undefined) continue
      table.put(typeof slot === 'string' ? { id: slot } : slot)
      if (typeof slot === 'string') table.remove(slot)
    }
    return table
  }

  #inBase(place: number): Row | undefined {
    const edited = this.#over?.edited.get(place)
    return edited === undefined ? this.base.rowAt(place) : (edited ?? undefined)
  }

  /** Where an id stands behind the base. */
  #slotOf(id: string): number {
    return (this.ledger.placeOf(id) ?? Number.NaN) - this.base.slots.length
  }
}

const UNCHANGED = new Overlay(emptyTable)
