import type { Row } from '../schema/row.ts'
import { Pages } from './pages.ts'

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
      place = this.#next++
      this.#places.set(id, place)
    }
    return place
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

  noted(field: string, value: unknown): Iterable<string> {
    return this.#index?.get(`${field}=${String(value)}`) ?? []
  }
}

/** A record that was gone before the base, and came back to its place. */
export interface Revived {
  place: number
  row: Row
}

/** What one sandbox changed of a table. */
export class Overlay {
  /** By place in the base: rows that were replaced, or deleted (null). Counts the deleted. */
  edited = new Pages<Row | null>(value => value === null)
  /** By place behind the base: rows, and of those that were deleted the ids. Counts the rows. */
  added = new Pages<Row | string>(value => typeof value === 'object')
  /** In the order of places: mostly there are none. */
  revived: Revived[] = []

  copy(): Overlay {
    const copy = new Overlay()
    copy.edited = this.edited.copy()
    copy.added = this.added.copy()
    copy.revived = this.revived.slice()
    return copy
  }

  /** What came back at that place. */
  revivedAt(place: number): Row | undefined {
    const found = this.revived[firstAtOrAfter(this.revived, place)]
    return found?.place === place ? found.row : undefined
  }

  revive(place: number, row: Row | undefined) {
    const known = this.revivedAt(place) !== undefined
    const entry = row ? [{ place, row }] : []
    this.revived.splice(firstAtOrAfter(this.revived, place), known ? 1 : 0, ...entry)
  }
}

/** Where the first entry at or after a place stands. */
export function firstAtOrAfter(entries: readonly { place: number }[], place: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.place < place) low = middle + 1
    else high = middle
  }
  return low
}
