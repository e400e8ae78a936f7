import { estimateLength } from '../../basics/json.ts'
import type { Op, Row } from '../../contract/journal-entry.ts'
import { addToRuns, type BaseTable, type Numbers } from './base-table.ts'
import { Hints } from './hints.ts'
import { NumberMap } from './number-map.ts'

/** The minimum number of deleted ids that a table remembers, latest first. */
export const MAX_DELETED_IDS = 10_000

const NO_IDS = NumberMap.of<string>([])
const contains = (stored: unknown, value: unknown) =>
  stored === value || (Array.isArray(stored) && stored.includes(value))

/** For tables without writes. */
const NO_HINTS = new Hints()

/**
 * Rows by order number. A row gets the next number when it is created, and the number never changes. A row that is
 * created again gets a new number. A copy shares nearly everything with its original.
 */
export class Table {
  #rows: NumberMap<Row>
  /** The latest deleted ids by order number, and an older generation of them. */
  #deleted: NumberMap<string>
  #deletedBefore: NumberMap<string>
  /** Hints for ids and indexed fields of rows that are not in the base. */
  #hints: Hints
  #next: number
  /** Values computed from the rows. */
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

  /** Computes a value from the rows once. A copy starts without computed values, because it will be changed. */
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

  /** The order number of an id that exists or was recently deleted. */
  orderOf(id: string): number | undefined {
    return this.#orderOfRow(id) ?? this.#orderOfDeleted(id)
  }

  /** Writes a row at the given order number, at its current one, or at the next. */
  put(row: Row, order = this.#orderOfRow(row.id) ?? this.#next) {
    const deletedOrder = this.#orderOfDeleted(row.id)
    if (deletedOrder !== undefined) {
      this.#deleted = this.#deleted.delete(deletedOrder)
      this.#deletedBefore = this.#deletedBefore.delete(deletedOrder)
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

  /** Clears the list of deleted ids and continues with the number after the last row. */
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

  /** Rows with this value in an indexed field, oldest first. */
  where(field: string, value: unknown): Row[] {
    const orders = [...new Set(this.#ordersWhere(field, value))]
    return orders.sort((a, b) => a - b).map(order => this.#rows.get(order)!)
  }

  /** Any row of `where`. */
  first(field: string, value: unknown): Row | undefined {
    for (const order of this.#ordersWhere(field, value)) return this.#rows.get(order)
    return undefined
  }

  /** Whether the table is unchanged and numbered from 0. Does not read rows. */
  get hasUsualNumbers(): boolean {
    const { base } = this
    return !this.isChanged && base.deleted.size === 0 && base.next === base.rows.size && this.#next === base.next
  }

  get isChanged(): boolean {
    return this.#rows !== this.base.rows
  }

  /** The approximate length as JSON of rows that are not in the base. */
  get changedLength(): number {
    const changed: (Row | null)[] = []
    this.base.rows.compare(this.#rows, (_order, _before, row) => changed.push(row ?? null))
    return estimateLength(changed)
  }

  /** The order numbers of rows and of deleted ids. Callers may pass collected row numbers. */
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

  /** The ops that turn this table into another one over the same base, deletions first. */
  opsTo(other: Table, table: string): Op[] {
    const [removed, written]: [Op[], Op[]] = [[], []]
    this.#rows.compare(other.#rows, (order, before, after) => {
      if (before && before.id === after?.id) written.push({ table, id: before.id, before, after })
      else {
        if (before) removed.push({ table, id: before.id, before, after: null })
        if (after) written.push({ table, id: after.id, before: null, after, order })
      }
    })
    return [...removed, ...written]
  }

  #orderOfRow(id: string): number | undefined {
    const matches = (order: number) => this.#rows.get(order)?.id === id
    return this.#findOrder(id, matches)
  }

  #orderOfDeleted(id: string): number | undefined {
    const matches = (order: number) => (this.#deleted.get(order) ?? this.#deletedBefore.get(order)) === id
    return this.#findOrder(id, matches)
  }

  #findOrder(id: string, matches: (order: number) => boolean): number | undefined {
    const inBase = this.base.orders.get(id)
    return inBase !== undefined && matches(inBase) ? inBase : this.#hints.of('id', id).findLast(matches)
  }

  *#ordersWhere(field: string, value: unknown): Generator<number> {
    for (const orders of [this.base.where(field, value), this.#hints.of(field, value)])
      for (const order of orders) if (contains(this.#rows.get(order)?.[field], value)) yield order
  }

  #addHints(order: number, row: Row) {
    this.#hints.add('id', row.id, order)
    for (const field of this.indexed) this.#hints.add(field, row[field], order)
  }

  /** Earlier states keep their own hints. */
  #collectHints() {
    this.#hints = new Hints()
    for (const ids of [this.#deletedBefore, this.#deleted])
      ids.compare(NO_IDS, (order, id) => this.#hints.add('id', id, order))
    this.base.rows.compare(this.#rows, (order, _before, row) => row && this.#addHints(order, row))
    this.#hints.close()
  }
}
