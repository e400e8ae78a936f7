import type { Row } from '../contract/journal-entry.ts'
import type { BaseTable, Slot } from './base-table.ts'
import { SharedList } from './shared-list.ts'

/** What all copies of a table share: an id gets its place once, and has the same place in all copies. */
export class SharedPlaces {
  #places: Map<string, number> | undefined
  #index: Map<string, Set<string>> | undefined
  #next: number

  constructor(next: number) {
    this.#next = next
  }

  placeOf(id: string): number | undefined {
    return this.#places?.get(id)
  }

  /** The place of an id; a new one at the end if it has none. */
  assign(id: string): number {
    this.#places ??= new Map()
    let place = this.#places.get(id)
    if (place === undefined) {
      place = this.next()
      this.#places.set(id, place)
    }
    return place
  }

  /** A place at the end. */
  next(): number {
    return this.#next++
  }

  /** Forgets the place of an id. */
  forget(id: string) {
    this.#places?.delete(id)
  }

  /** Adds an id to an index. It stays there when the value of the row changes. */
  addToIndex(field: string, value: unknown, id: string) {
    this.#index ??= new Map()
    const key = `${field}=${String(value)}`
    const ids = this.#index.get(key)
    if (ids) ids.add(id)
    else this.#index.set(key, new Set([id]))
  }

  /** Ids of rows that had the value at some time in some copy: callers must check the rows. */
  idsWhere(field: string, value: unknown): ReadonlySet<string> {
    return this.#index?.get(`${field}=${String(value)}`) ?? NO_IDS
  }

  /** Reduces the index of a value to these ids. A row that is put back adds its id again. */
  reduceIndex(field: string, value: unknown, ids: Iterable<string>) {
    this.#index?.set(`${field}=${String(value)}`, new Set(ids))
  }
}

const NO_IDS: ReadonlySet<string> = new Set()

/** What one sandbox changed in a table. The weight of an entry is what it adds to the number of rows. */
export class Overlay {
  /** By place in the base: the new row, or null for a deleted one. */
  edited: SharedList<Row | null>
  /** By place after the end of the base: a row, or the id of a deleted one. */
  added = new SharedList<Slot>(slot => (typeof slot === 'string' ? 0 : 1))

  /** Ids that were deleted and created again: all places they got since; the last one counts. */
  readonly moved = new Map<string, readonly number[]>()

  constructor(base: BaseTable) {
    this.edited = new SharedList((row, place) => Number(row !== null) - Number(base.rowAt(place) !== undefined))
  }

  copy(base: BaseTable): Overlay {
    const copy = new Overlay(base)
    copy.edited = this.edited.copy()
    copy.added = this.added.copy()
    for (const [id, places] of this.moved) copy.moved.set(id, places)
    return copy
  }

  placeOf(id: string): number | undefined {
    return this.moved.size === 0 ? undefined : this.moved.get(id)?.at(-1)
  }

  move(id: string, place: number) {
    this.moved.set(id, [...(this.moved.get(id) ?? []), place])
  }

  moveBack(id: string) {
    const places = this.moved.get(id)!.slice(0, -1)
    if (places.length > 0) this.moved.set(id, places)
    else this.moved.delete(id)
  }

  /** True if the same ids moved to the same places. */
  movedAs({ moved }: Overlay): boolean {
    if (moved.size !== this.moved.size) return false
    for (const [id, places] of this.moved) if (moved.get(id)?.at(-1) !== places.at(-1)) return false
    return true
  }
}
