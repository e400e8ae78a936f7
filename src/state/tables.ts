import { isDeepStrictEqual } from 'node:util'
import type { Op, Row } from '../contract/journal-entry.ts'
import { kindOf, tableNames } from '../resources/index.ts'
import { type Base, type Deleted, emptyTable } from './base-table.ts'
import { SharedPlaces } from './overlay.ts'
import { Table } from './table.ts'

/** At least so many of the latest deleted ids of a table keep their places. */
export const MIN_DELETED_IDS = 10_000

/** All tables of one sandbox. Cheap to make whatever the size of the base: a table is made when it is first used. */
export class Tables {
  readonly base: Base
  readonly #tables = new Map<string, Table>()
  /** By table. Copies share them. */
  #shared = new Map<string, SharedPlaces>()

  /** Grows with every change: tells whether a value that was computed from the state is still valid. */
  version = 0
  /** What was computed from the state, until it changes. */
  #derived: Map<(tables: Tables) => unknown, unknown> | undefined

  constructor(base: Base) {
    this.base = base
  }

  of(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      const base = this.base[name] ?? emptyTable
      const shared = this.#shared.get(name) ?? new SharedPlaces(base.slots.length)
      table = new Table(base, kindOf(name).indexes ?? [], shared)
      this.#shared.set(name, shared)
      this.#tables.set(name, table)
    }
    return table
  }

  /** About how much it holds beside the base: changed tables, and the length of their changed rows as JSON. */
  get weight(): { tables: number; length: number } {
    const changed = [...this.#tables.values()].filter(table => table.isTouched)
    return { tables: changed.length, length: changed.reduce((sum, { touchedLength }) => sum + touchedLength, 0) }
  }

  /** What this function computes from the state. It is kept, and dropped by the next change. */
  derive<T extends object>(compute: (tables: Tables) => T): T {
    const known = this.#derived?.get(compute) as T | undefined
    if (known) return known
    const computed = compute(this)
    this.#derived ??= new Map()
    this.#derived.set(compute, computed)
    return computed
  }

  #noteChange() {
    this.version++
    this.#derived = undefined
  }

  apply(ops: readonly Op[]) {
    this.#noteChange()
    for (const { table, id, after, again } of ops) {
      if (after) this.of(table).put(after, again)
      else this.#remove(table, id)
    }
  }

  /** Deleted ids keep their places, since a list may continue from them. Their number is limited. */
  #remove(name: string, id: string) {
    const table = this.of(name)
    table.remove(id)
    if (table.remembered < 2 * MIN_DELETED_IDS) return
    const own = table.detached(MIN_DELETED_IDS)
    this.#tables.set(name, own)
    this.#shared = new Map(this.#shared).set(name, own.shared)
  }

  undo(ops: readonly Op[]) {
    this.#noteChange()
    for (const { table, id, before, again } of ops.toReversed()) {
      if (before) this.of(table).put(before)
      else this.of(table).remove(id)
      if (again) this.of(table).forget(id)
    }
  }

  /** Returns a function that undoes ops that are about to be applied. It must be called before other ops follow. */
  undoOf(ops: readonly Op[]): () => void {
    const fresh = ops.filter(({ table, id }) => this.of(table).placeOf(id) === undefined)
    return () => {
      this.undo(ops)
      for (const { table, id } of fresh) this.of(table).forget(id)
    }
  }

  /** Marks ops that create a deleted id again, so that it becomes the newest. */
  markRecreated(ops: readonly Op[]): readonly Op[] {
    const isAgain = ({ table, id, before, after }: Op) => !before && after && this.of(table).placeOf(id) !== undefined
    return ops.some(isAgain) ? ops.map(op => (isAgain(op) ? { ...op, again: true as const } : op)) : ops
  }

  copy(): Tables {
    const copy = new Tables(this.base)
    copy.#shared = this.#shared
    for (const [name, table] of this.#tables) copy.#tables.set(name, table.copy())
    return copy
  }

  /** A copy that shares no places with this one. */
  detached(): Tables {
    const copy = new Tables(this.base)
    for (const [name, table] of this.#tables) {
      const own = table.detached()
      copy.#tables.set(name, own)
      copy.#shared.set(name, own.shared)
    }
    return copy
  }

  /** True if one is a copy of the other and ids have the same places in both: ops lead from one to the other. */
  hasPlacesOf(other: Tables): boolean {
    return this.#shared === other.#shared && tableNames.every(name => this.of(name).hasPlacesOf(other.of(name)))
  }

  /** The ops that turn this state into the other one. */
  opsTo(other: Tables): Op[] {
    return tableNames.flatMap(name => {
      const [from, to] = [this.of(name), other.of(name)]
      const ids = from.base === to.base ? new Set([...from.touched(), ...to.touched()]) : allIds(from, to)
      const ops: Op[] = []
      for (const id of ids) {
        const [before, after] = [from.get(id) ?? null, to.get(id) ?? null]
        if (before !== after && !isDeepStrictEqual(before, after)) ops.push({ table: name, id, before, after })
      }
      return ops
    })
  }

  rows(): Record<string, Row[]> {
    return Object.fromEntries(tableNames.map(name => [name, [...this.of(name).oldestFirst()]]))
  }

  /** Deleted ids and their places, by table; tables without any are left out. */
  deleted(): Record<string, Deleted[]> {
    const lists = tableNames.map(name => [name, deletedFrom(this.of(name))] as const)
    return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
  }
}

function deletedFrom(table: Table): Deleted[] {
  if (!table.hasDeleted) return []
  const deleted: Deleted[] = []
  let rows = 0
  for (const slot of table.slots()) {
    if (typeof slot === 'string') deleted.push([slot, rows])
    else rows++
  }
  return deleted
}

function allIds(from: Table, to: Table): Set<string> {
  const ids = new Set<string>()
  for (const row of from.oldestFirst()) ids.add(row.id)
  for (const row of to.oldestFirst()) ids.add(row.id)
  return ids
}
