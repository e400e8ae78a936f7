import type { Row } from '../schema/row.ts'

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

export const BLOCK = 64

/** Counts by blocks of places, so that a walk can step over those with nothing in them. */
export class Counts {
  total = 0
  readonly #blocks: Map<number, number>

  constructor(blocks?: Iterable<[number, number]>) {
    this.#blocks = new Map(blocks)
  }

  add(place: number, count: 1 | -1) {
    const block = Math.floor(place / BLOCK)
    this.total += count
    this.#blocks.set(block, this.inBlock(block) + count)
  }

  inBlock(block: number): number {
    return this.#blocks.get(block) ?? 0
  }

  copy(): Counts {
    const copy = new Counts(this.#blocks)
    copy.total = this.total
    return copy
  }
}

export interface Entry {
  id: string
  place: number
}

/** What one sandbox changed of a table. Copying it moves pointers: it is done while others wait. */
export class Overlay {
  /** Rows of the base that were replaced, or deleted (null); and what came back of those gone before it. */
  edited = new Map<string, Row | null>()
  /** Of the base, the rows that were deleted. */
  deleted = new Counts()
  /** What came back of those gone before the base, by place. */
  revived: Entry[] = []
  /** Rows behind the base, by place; of one that was deleted the id stays. */
  added: (Row | string | undefined)[] = []
  /** Of the added, the rows that are there. */
  present = new Counts()

  copy(): Overlay {
    const copy = new Overlay()
    copy.edited = new Map(this.edited)
    copy.deleted = this.deleted.copy()
    copy.revived = this.revived.slice()
    copy.added = this.added.slice()
    copy.present = this.present.copy()
    return copy
  }

  revive(entry: Entry) {
    this.revived.splice(firstAtOrAfter(this.revived, entry.place), 0, entry)
  }

  unrevive(place: number) {
    this.revived.splice(firstAtOrAfter(this.revived, place), 1)
  }

  add(slot: number, row: Row) {
    // Places in between were given to ids that were then forgotten.
    while (this.added.length < slot) this.added.push(undefined)
    if (typeof this.added[slot] !== 'object') this.present.add(slot, 1)
    this.added[slot] = row
  }

  delete(slot: number, id: string) {
    this.present.add(slot, -1)
    this.added[slot] = id
  }
}

/** Where the first entry at or after a place stands. */
export function firstAtOrAfter(entries: Entry[], place: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.place < place) low = middle + 1
    else high = middle
  }
  return low
}
