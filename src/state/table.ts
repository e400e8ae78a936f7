import { estimateLength } from '../basics/json.ts'
import type { Row } from '../contract/journal-entry.ts'
import { type BaseTable, emptyTable, idAt, type Slot } from './base-table.ts'
import { Ledger, Overlay } from './overlay.ts'
import { CHUNK } from './shared-list.ts'

/** Ids of an index that are worth going through in search of those that no longer belong. */
const MANY = 64

/** Rows in the order they were inserted: a shared base, and over it what this sandbox changed. */
export class Table {
  #over: Overlay | undefined

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
    const place = this.placeOf(id)
    return place === undefined ? undefined : this.#rowAt(place)
  }

  /** Inserts at the end, or where that id stood before; replaces in place. With `again`, it comes back as the newest. */
  put(row: Row, again = false) {
    this.#over ??= new Overlay(this.base)
    const { ledger } = this
    for (const field of this.indexed) ledger.note(field, row[field], row.id)
    if (again) this.#over.move(row.id, ledger.next())
    this.#write(this.placeOf(row.id) ?? ledger.enter(row.id), row)
  }

  remove(id: string) {
    const place = this.placeOf(id)
    if (place === undefined || !this.#rowAt(place)) return
    this.#over ??= new Overlay(this.base)
    this.#write(place, id)
  }

  /** As if that id, which is not in the table, had never been: or never been again. */
  forget(id: string) {
    const place = this.placeOf(id)
    if (place === undefined || !this.#over) return
    if (this.#over.moved.has(id)) this.#over.moveBack(id)
    else this.ledger.forget(id)
    if (place >= this.base.slots.length) this.#over.added.set(place - this.base.slots.length, undefined)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.#over?.placeOf(id) ?? this.base.places.get(id) ?? this.ledger.placeOf(id)
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
      const row = this.#rowAt(j)
      if (row) yield row
    }
  }

  *oldestFirst(after = -1): Generator<Row> {
    const { length } = this.base.slots
    const { added, edited } = this.#over ?? UNCHANGED
    for (let j = after + 1; j < length; j++) {
      while (j < length && j % CHUNK === 0 && this.base.rowsAround(j) + edited.sumAround(j) === 0) j += CHUNK
      // Behind the base stand other rows, whose turn comes below.
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

  /** Oldest first, all that is or was in the table, each at its last place. */
  *everything(): Generator<Slot> {
    const { length } = this.base.slots
    const { added } = this.#over ?? UNCHANGED
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
    const noted = this.ledger.noted(field, value)
    const ids = new Set(inBase)
    for (const id of noted) ids.add(id)
    const rows = Array.from(ids, id => this.get(id)).filter(has)
    // Of what was created and deleted nothing should be left to look through.
    if (noted.size > MANY && rows.length < noted.size / 2)
      this.ledger.keep(
        field,
        value,
        rows.map(({ id }) => id),
      )
    return rows
  }

  /** The same rows, oldest first. */
  inOrder(field: string, value: unknown): Row[] {
    return this.where(field, value).sort((a, b) => this.placeOf(a.id)! - this.placeOf(b.id)!)
  }

  /** The first of these rows. */
  first(field: string, value: unknown): Row | undefined {
    for (const ids of [this.base.idsWhere(field, value), this.ledger.noted(field, value)]) {
      for (const id of ids) {
        const row = this.get(id)
        if (row?.[field] === value) return row
      }
    }
    return undefined
  }

  /** How many ids are remembered behind the base although their rows are deleted. */
  get remembered(): number {
    const { added } = this.#over ?? UNCHANGED
    return added.length - added.sum
  }

  /** Whether ids are remembered whose rows are deleted. */
  get hasGone(): boolean {
    const { edited } = this.#over ?? UNCHANGED
    return this.remembered > 0 || edited.sum < 0 || this.base.size < this.base.slots.length
  }

  get isTouched(): boolean {
    return this.#over !== undefined
  }

  /** Ids whose rows differ from the base's. */
  *touched(): Generator<string> {
    const { edited, added } = this.#over ?? UNCHANGED
    for (const [place] of edited) yield idAt(this.base.slots[place]!)
    for (const [, slot] of added) if (typeof slot === 'object') yield slot.id
  }

  /** About how long these rows are as JSON. */
  get touchedLength(): number {
    return estimateLength(Array.from(this.touched(), id => this.get(id) ?? null))
  }

  copy(): Table {
    const copy = new Table(this.base, this.indexed, this.ledger)
    copy.#over = this.#over?.copy(this.base)
    return copy
  }

  /** True when every id has the same place in both, as copies have unless one came back in one of them. */
  hasPlacesOf(other: Table): boolean {
    return (this.#over ?? UNCHANGED).movedAs(other.#over ?? UNCHANGED)
  }

  /**
   * The same rows with places of their own: what other copies came to know since is not known here. Of ids whose rows
   * are deleted, so many of the latest are remembered.
   */
  detached(remember = Number.POSITIVE_INFINITY): Table {
    const table = new Table(this.base, this.indexed, new Ledger(this.base.slots.length))
    const { edited, added } = this.#over ?? UNCHANGED
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
      const edited = this.#over?.edited.get(place)
      return edited === undefined ? this.base.rowAt(place) : (edited ?? undefined)
    }
    const slot = this.#over?.added.get(place - length)
    return typeof slot === 'string' ? undefined : slot
  }

  /** A row, or the id of the one that is deleted there. */
  #write(place: number, slot: Slot) {
    const { length } = this.base.slots
    if (place >= length) this.#over!.added.set(place - length, slot)
    else this.#over!.edited.set(place, typeof slot === 'string' ? null : slot)
  }
}

const UNCHANGED = new Overlay(emptyTable)
