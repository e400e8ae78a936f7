import { estimateLength } from '../basics/json.ts'
import type { Op, Row } from '../contract/journal-entry.ts'
import { addToRuns, type BaseTable, type Numbers } from './base-table.ts'
import { Hints } from './hints.ts'
import { NumberMap } from './number-map.ts'

/** At least so many of the latest deleted ids of a table are remembered. */
export const MAX_DELETED_IDS = 10_000

const NO_IDS = NumberMap.of<string>([])
const holds = (stored: unknown, value: unknown) => stored === value || (Array.isArray(stored) && stored.includes(value))

/** Of tables that nothing was written to. */
const NO_HINTS = new Hints()

/**
 * Rows by their order numbers. A row gets the next number when it is created, and keeps it as long as it exists; one
 * that is created again gets a new one. A copy shares nearly all with its original.
 */
export class Table {
  #rows: NumberMap<Row>
  /** The latest deleted ids, by the order numbers that they had, and as many that were deleted before. */
  #deleted: NumberMap<string>
  #deletedBefore: NumberMap<string>
  /** Of ids and indexed fields, for what is not in the base. */
  #hints: Hints
  #next: number
  /** What was computed from its rows. */
  #derived: Map<(table: Table) => unknown, unknown> | undefined

  constructor(
    readonly base: BaseTable,
    readonly indexed: readonly string[],
    original?: Table,
  ) {
    this.#rows = original ? original.#rows : base.rows
    this.#deleted = original ? original.#deleted : base.deleted
    this.#deletedBefore = original ? original.#deletedBefore : NO_IDS
    this.#hints = original ? original.#hints : NO_HINTS
    this.#next = original ? original.#next : base.next
  }

  copy(): Table {
    return new Table(this.base, this.indexed, this)
  }

  /** What this function computes from the rows; it is computed once. A copy, which is made to be changed, has nothing. */
  derive<T>(compute: (table: Table) => T): T {
    const known = this.#derived?.get(compute) as T | undefined
    if (known !== undefined) return known
    const computed = compute(this)
    this.#derived ??= new Map()
    this.#derived.set(compute, computed)
    return computed
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): Row | undefined {
    const order = this.#orderOfRow(id)
    return order === undefined ? undefined : this.#rows.get(order)
  }

  /** The order number of an id that is in the table, or was deleted lately. */
  orderOf(id: string): number | undefined {
    return this.#orderOfRow(id) ?? this.#orderOfDeleted(id)
  }

  /** Writes a row: under the given order number, under the one it has, or under the next. */
  put(row: Row, order = this.#orderOfRow(row.id) ?? this.#next) {
    const forgotten = this.#orderOfDeleted(row.id)
    if (forgotten !== undefined) {
      this.#deleted = this.#deleted.delete(forgotten)
      this.#deletedBefore = this.#deletedBefore.delete(forgotten)
    }
    this.#rows = this.#rows.set(order, row)
    this.#next = Math.max(this.#next, order + 1)
    if (this.#hints === NO_HINTS || this.#hints.areStale) this.#collectHints()
    else this.#addHints(order, row)
  }

  remove(id: string) {
    const order = this.#orderOfRow(id)
    if (order === undefined) return
    this.#rows = this.#rows.delete(order)
    if (this.#deleted.size >= MAX_DELETED_IDS) {
      this.#deletedBefore = this.#deleted
      this.#deleted = NO_IDS
    }
    this.#deleted = this.#deleted.set(order, id)
  }

  /** From now on it is as if its rows were the only ones there ever were. */
  forgetDeleted() {
    this.#deleted = NO_IDS
    this.#deletedBefore = NO_IDS
    const [last] = this.newestFirst()
    this.#next = last ? this.#orderOfRow(last.id)! + 1 : 0
  }

  newestFirst(before?: number): Generator<Row> {
    return this.#rows.descending(before)
  }

  oldestFirst(after?: number): Generator<Row> {
    return this.#rows.ascending(after)
  }

  /** Rows whose indexed field has that value, oldest first. */
  where(field: string, value: unknown): Row[] {
    const orders = [...new Set(this.#ordersWhere(field, value))]
    return orders.sort((a, b) => a - b).map(order => this.#rows.get(order)!)
  }

  /** One of the rows of `where`. */
  first(field: string, value: unknown): Row | undefined {
    for (const order of this.#ordersWhere(field, value)) return this.#rows.get(order)
    return undefined
  }

  /** Whether its numbers are those of a new table: found without looking at its rows. */
  get hasUsualNumbers(): boolean {
    const { base } = this
    return !this.isChanged && base.deleted.size === 0 && base.next === base.rows.size && this.#next === base.next
  }

  get isChanged(): boolean {
    return this.#rows !== this.base.rows
  }

  /** About how long its rows that are not in the base are as JSON. */
  get changedLength(): number {
    const changed: (Row | null)[] = []
    this.base.rows.compare(this.#rows, (_order, _before, row) => changed.push(row ?? null))
    return estimateLength(changed)
  }

  /** The order numbers of rows and of deleted ids; those of rows unless they are collected elsewhere. */
  numbers(runs?: number[]): Numbers {
    const deleted: Record<string, number> = {}
    for (const ids of [this.#deletedBefore, this.#deleted])
      ids.compare(NO_IDS, (order, id) => {
        deleted[id!] = order
      })
    if (runs) return { runs, next: this.#next, deleted }
    const own: number[] = []
    for (const { id } of this.oldestFirst()) addToRuns(own, this.#orderOfRow(id)!)
    return { runs: own, next: this.#next, deleted }
  }

  /** The ops that turn this table into another one over the same base: what goes comes first. */
  opsTo(other: Table, table: string): Op[] {
    const [gone, come]: [Op[], Op[]] = [[], []]
    this.#rows.compare(other.#rows, (order, before, after) => {
      if (before && before.id === after?.id) come.push({ table, id: before.id, before, after })
      else {
        if (before) gone.push({ table, id: before.id, before, after: null })
        if (after) come.push({ table, id: after.id, before: null, after, order })
      }
    })
    return [...gone, ...come]
  }

  #orderOfRow(id: string): number | undefined {
    const isIt = (order: number) => this.#rows.get(order)?.id === id
    return this.#findOrder(id, isIt)
  }

  #orderOfDeleted(id: string): number | undefined {
    const isIt = (order: number) => (this.#deleted.get(order) ?? this.#deletedBefore.get(order)) === id
    return this.#findOrder(id, isIt)
  }

  #findOrder(id: string, isIt: (order: number) => boolean): number | undefined {
    const inBase = this.base.orders.get(id)
    return inBase !== undefined && isIt(inBase) ? inBase : this.#hints.of('id', id).findLast(isIt)
  }

  *#ordersWhere(field: string, value: unknown): Generator<number> {
    for (const orders of [this.base.where(field, value), this.#hints.of(field, value)])
      for (const order of orders) if (holds(this.#rows.get(order)?.[field], value)) yield order
  }

  #addHints(order: number, row: Row) {
    this.#hints.add('id', row.id, order)
    for (const field of this.indexed) this.#hints.add(field, row[field], order)
  }

  /** States that came before keep theirs. */
  #collectHints() {
    this.#hints = new Hints()
    for (const ids of [this.#deletedBefore, this.#deleted])
      ids.compare(NO_IDS, (order, id) => this.#hints.add('id', id, order))
    this.base.rows.compare(this.#rows, (order, _before, row) => row && this.#addHints(order, row))
    this.#hints.close()
  }
}
