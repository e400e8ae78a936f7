import { estimateLength } from '../basics/json.ts'
import type { Row } from '../contract/journal-entry.ts'
import { type BaseTable, emptyTable, idAt, type Slot } from './base-table.ts'
import { Overlay, SharedPlaces } from './overlay.ts'
import { CHUNK } from './shared-list.ts'

/** The size from which on an index is reduced when most of its ids no longer have the value. */
const REDUCE_FROM = 64

/** Rows in the order of insertion: a shared base, and the changes of this sandbox to it. */
export class Table {
  #overlay: Overlay | undefined

  constructor(
    readonly base: BaseTable,
    readonly indexed: readonly string[],
    readonly shared: SharedPlaces,
  ) {}

  get size(): number {
    const { edited, added } = this.#overlay ?? UNCHANGED
    return this.base.size + edited.sum + added.sum
  }

  get(id: string): Row | undefined {
    const place = this.placeOf(id)
    return place === undefined ? undefined : this.#rowAt(place)
  }

  /** Writes a row at the place of its id, even if deleted. A new id, or any with `again`, is placed at the end. */
  put(row: Row, again = false) {
    this.#overlay ??= new Overlay(this.base)
    const { shared } = this
    for (const field of this.indexed) shared.addToIndex(field, row[field], row.id)
    if (again) this.#overlay.move(row.id, shared.next())
    this.#write(this.placeOf(row.id) ?? shared.assign(row.id), row)
  }

  remove(id: string) {
    const place = this.placeOf(id)
    if (place === undefined || !this.#rowAt(place)) return
    this.#overlay ??= new Overlay(this.base)
    this.#write(place, id)
  }

  /** Forgets the last place of an id that has no row: the table is as if the id had not been inserted then. */
  forget(id: string) {
    const place = this.placeOf(id)
    if (place === undefined || !this.#overlay) return
    if (this.#overlay.moved.has(id)) this.#overlay.moveBack(id)
    else this.shared.forget(id)
    if (place >= this.base.slots.length) this.#overlay.added.set(place - this.base.slots.length, undefined)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.#overlay?.placeOf(id) ?? this.base.places.get(id) ?? this.shared.placeOf(id)
  }

  *newestFirst(before = Number.POSITIVE_INFINITY): Generator<Row> {
    const { length } = this.base.slots
    const { added, edited } = this.#overlay ?? UNCHANGED
    for (let i = Math.min(added.length, before - length) - 1; i >= 0; i--) {
      while (i >= 0 && i % CHUNK === CHUNK - 1 && added.sumAround(i) === 0) i -= CHUNK
      const slot = added.get(i)
      if (typeof slot === 'object') yield slot
    }
    for (let j = Math.min(length, before) - 1; j >= 0; j--) {
      while (j >= 0 && j % CHUNK === CHUNK - 1 && this.base.rowsAround(j) + edited.sumAround(j) === 0) j -= CHUNK
      const row = this.#rowAt(j)
      if (row) yield row
    }
  }

  *oldestFirst(after = -1): Generator<Row> {
    const { length } = this.base.slots
    const { added, edited } = this.#overlay ?? UNCHANGED
    for (let j = after + 1; j < length; j++) {
      while (j < length && j % CHUNK === 0 && this.base.rowsAround(j) + edited.sumAround(j) === 0) j += CHUNK
      // Places after the base are read below.
      if (j >= length) break
      const row = this.#rowAt(j)
      if (row) yield row
    }
    for (let i = Math.max(0, after + 1 - length); i < added.length; i++) {
      while (i < added.length && i % CHUNK === 0 && added.sumAround(i) === 0) i += CHUNK
      const slot = added.get(i)
      if (typeof slot === 'object') yield slot
    }
  }

  /** Oldest first: all rows and all deleted ids, each at its last place. */
  *slots(): Generator<Slot> {
    const { length } = this.base.slots
    const { added } = this.#overlay ?? UNCHANGED
    const isLast = (slot: Slot, place: number) => typeof slot !== 'string' || this.placeOf(slot) === place
    for (const [place, base] of this.base.slots.entries()) {
      const slot = this.#rowAt(place) ?? idAt(base)
      if (isLast(slot, place)) yield slot
    }
    for (let i = 0; i < added.length; i++) {
      const slot = added.get(i)
      if (slot !== undefined && isLast(slot, length + i)) yield slot
    }
  }

  /** Rows whose indexed field has that value. */
  where(field: string, value: unknown): Row[] {
    const has = (row: Row | undefined): row is Row => row?.[field] === value
    const inBase = this.base.idsWhere(field, value)
    const sharedIds = this.shared.idsWhere(field, value)
    const ids = new Set(inBase)
    for (const id of sharedIds) ids.add(id)
    const rows = Array.from(ids, id => this.get(id)).filter(has)
    // Ids of rows that were created and deleted must not slow down later calls.
    if (sharedIds.size > REDUCE_FROM && rows.length < sharedIds.size / 2)
      this.shared.reduceIndex(
        field,
        value,
        rows.map(({ id }) => id),
      )
    return rows
  }

  /** The same as `where`, oldest first. */
  inOrder(field: string, value: unknown): Row[] {
    return this.where(field, value).sort((a, b) => this.placeOf(a.id)! - this.placeOf(b.id)!)
  }

  /** One of the rows of `where`. */
  first(field: string, value: unknown): Row | undefined {
    for (const ids of [this.base.idsWhere(field, value), this.shared.idsWhere(field, value)]) {
      for (const id of ids) {
        const row = this.get(id)
        if (row?.[field] === value) return row
      }
    }
    return undefined
  }

  /** How many deleted ids have a place after the base. */
  get remembered(): number {
    const { added } = this.#overlay ?? UNCHANGED
    return added.length - added.sum
  }

  /** True if any deleted id has a place. */
  get hasDeleted(): boolean {
    const { edited } = this.#overlay ?? UNCHANGED
    return this.remembered > 0 || edited.sum < 0 || this.base.size < this.base.slots.length
  }

  get isTouched(): boolean {
    return this.#overlay !== undefined
  }

  /** Ids of rows that were added, or that differ from the base. */
  *touched(): Generator<string> {
    const { edited, added } = this.#overlay ?? UNCHANGED
    for (const [place] of edited) yield idAt(this.base.slots[place]!)
    for (const [, slot] of added) if (typeof slot === 'object') yield slot.id
  }

  /** About how long these rows are as JSON. */
  get touchedLength(): number {
    return estimateLength(Array.from(this.touched(), id => this.get(id) ?? null))
  }

  copy(): Table {
    const copy = new Table(this.base, this.indexed, this.shared)
    copy.#overlay = this.#overlay?.copy(this.base)
    return copy
  }

  /** True if every id has the same place in both. Copies do, unless a deleted id was created again in one of them. */
  hasPlacesOf(other: Table): boolean {
    return (this.#overlay ?? UNCHANGED).movedAs(other.#overlay ?? UNCHANGED)
  }

  /** A copy that shares no places with others. Of the deleted ids after the base it has the latest `remember`. */
  detached(remember = Number.POSITIVE_INFINITY): Table {
    const table = new Table(this.base, this.indexed, new SharedPlaces(this.base.slots.length))
    const { edited, added } = this.#overlay ?? UNCHANGED
    let surplus = this.remembered - remember
    for (const [place, row] of edited) {
      if (row) table.put(row)
      else table.remove(idAt(this.base.slots[place]!))
    }
    for (let i = 0; i < added.length; i++) {
      const slot = added.get(i)
      if (typeof slot !== 'object' && surplus-- > 0) continue
      if (slot === undefined) continue
      const id = idAt(slot)
      if (typeof slot === 'string' && this.placeOf(id) !== this.base.slots.length + i) continue
      table.put(typeof slot === 'string' ? { id } : slot, this.base.places.has(id))
      if (typeof slot === 'string') table.remove(id)
    }
    return table
  }

  #rowAt(place: number): Row | undefined {
    const { length } = this.base.slots
    if (place < length) {
      const edited = this.#overlay?.edited.get(place)
      return edited === undefined ? this.base.rowAt(place) : (edited ?? undefined)
    }
    const slot = this.#overlay?.added.get(place - length)
    return typeof slot === 'string' ? undefined : slot
  }

  /** Writes a row, or the id of a deleted one. */
  #write(place: number, slot: Slot) {
    const { length } = this.base.slots
    if (place >= length) this.#overlay!.added.set(place - length, slot)
    else this.#overlay!.edited.set(place, typeof slot === 'string' ? null : slot)
  }
}

const UNCHANGED = new Overlay(emptyTable)
