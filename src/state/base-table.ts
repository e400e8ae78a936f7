import { estimateLength } from '../basics/json.ts'
import type { Row } from '../contract/journal-entry.ts'
import { CHUNK } from './shared-list.ts'

/** What a place of a table holds: a row, or the id of a deleted row. */
export type Slot = Row | string

export const idAt = (slot: Slot) => (typeof slot === 'string' ? slot : slot.id)

/** The id of a deleted row, and how many rows are before its place. */
export type Deleted = readonly [id: string, rowsBefore: number]

/** Rows of a table that any number of sandboxes share. Never changes; indexes are made on first use. */
export class BaseTable {
  /** By place. A deleted id keeps its place, so that a list can continue from it. */
  readonly slots: readonly Slot[]
  readonly places: ReadonlyMap<string, number>
  /** How many rows there are. */
  readonly size: number
  readonly #indexes = new Map<string, Map<unknown, string[]>>()
  #rowsInChunks: Uint8Array | undefined
  #length: number | undefined

  constructor(rows: readonly Row[], deleted: Iterable<Deleted> = []) {
    this.slots = merge(rows, new Map(deleted))
    this.size = rows.length
    const places = new Map<string, number>()
    for (let i = 0; i < this.slots.length; i++) places.set(idAt(this.slots[i]!), i)
    this.places = places
  }

  /** About how long its rows are as JSON. */
  get length(): number {
    this.#length ??= estimateLength(this.slots)
    return this.#length
  }

  rowAt(place: number): Row | undefined {
    const slot = this.slots[place]
    return typeof slot === 'string' ? undefined : slot
  }

  /** How many rows there are in the chunk of that place. */
  rowsAround(place: number): number {
    this.#rowsInChunks ??= this.#countChunks()
    return this.#rowsInChunks[Math.floor(place / CHUNK)] ?? 0
  }

  idsWhere(field: string, value: unknown): readonly string[] {
    let index = this.#indexes.get(field)
    if (!index) {
      index = new Map()
      for (const row of this.slots) {
        if (typeof row === 'string') continue
        const ids = index.get(row[field])
        if (ids) ids.push(row.id)
        else index.set(row[field], [row.id])
      }
      this.#indexes.set(field, index)
    }
    return index.get(value) ?? []
  }

  #countChunks(): Uint8Array {
    const counts = new Uint8Array(Math.ceil(this.slots.length / CHUNK))
    for (let i = 0; i < this.slots.length; i++) if (typeof this.slots[i] !== 'string') counts[Math.floor(i / CHUNK)]!++
    return counts
  }
}

/** Rows, with the deleted ids at their places between them. */
function merge(rows: readonly Row[], deleted: Map<string, number>): readonly Slot[] {
  if (deleted.size === 0) return rows
  for (const { id } of rows) deleted.delete(id)
  const sorted = [...deleted].sort((a, b) => a[1] - b[1])
  const slots: Slot[] = []
  let next = 0
  for (const [i, row] of rows.entries()) {
    while (next < sorted.length && sorted[next]![1] <= i) slots.push(sorted[next++]![0])
    slots.push(row)
  }
  while (next < sorted.length) slots.push(sorted[next++]![0])
  return slots
}

export const emptyTable = new BaseTable([])

export type Base = Readonly<Record<string, BaseTable>>

export const baseOf = (rows: Record<string, readonly Row[]>, deleted: Record<string, Iterable<Deleted>> = {}): Base =>
  Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, new BaseTable(list, deleted[table])]))
