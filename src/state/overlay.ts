import type { Row } from '../contract/journal-entry.ts'
import type { BaseTable, Slot } from './base-table.ts'
import { SharedList } from './shared-list.ts'

/** What the copies of a table have in common: an id is given a place once, and has it in all of them. */
export class Ledger {
  #places: Map<string, number> | undefined
  #index: Map<string, Set<string>> | undefined
  #next: number

  constructor(next: number) {
    this.#next = next
  }

  placeOf(id: string): number | undefined {
    return this.#places?.get(id)
  }

  /** The place of an id, a new one at the end if it has none. */
  enter(id: string): number {
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

  /** As if the id had never been there. */
  forget(id: string) {
    this.#places?.delete(id)
  }

  /** Notes that a row came to have a value; that it still has it, whoever asks must see for themselves. */
  note(field: string, value: unknown, id: string) {
    this.#index ??= new Map()
    const key = `${field}=${String(value)}`
    const ids = this.#index.get(key)
    if (ids) ids.add(id)
    else this.#index.set(key, new Set([id]))
  }

  noted(field: string, value: unknown): ReadonlySet<string> {
    return this.#index?.get(`${field}=${String(value)}`) ?? NOTHING
  }

  /** From now on only these are known to have that value. Whoever puts a row back notes it again. */
  keep(field: string, value: unknown, ids: Iterable<string>) {
    this.#index?.set(`${field}=${String(value)}`, new Set(ids))
  }
}

const NOTHING: ReadonlySet<string> = new Set()

/** What one sandbox changed of a table. Both lists weigh what they add to the number of rows. */
export class Overlay {
  /** By place in the base: rows that were replaced or came back, and null for those that were deleted. */
  edited: SharedList<Row | null>
  /** By place behind the base: rows, and of those that were deleted the ids. */
  added = new SharedList<Slot>(slot => (typeof slot === 'string' ? 0 : 1))

  /** Ids that were deleted and came back as the newest: the places they got, the last of which they have. */
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

  movedAs({ moved }: Overlay): boolean {
    if (moved.size !== this.moved.size) return false
    for (const [id, places] of this.moved) if (moved.get(id)?.at(-1) !== places.at(-1)) return false
    return true
  }
}
