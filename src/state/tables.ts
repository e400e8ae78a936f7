import { isDeepStrictEqual } from 'node:util'
import type { Op, Row } from '../contract/journal-entry.ts'
import { kindOf, tableNames } from '../resources/index.ts'
import { type Base, type Deleted, emptyTable } from './base-table.ts'
import { Ledger } from './overlay.ts'
import { Table } from './table.ts'

/** How many of the latest deleted ids of a table are remembered, at least. */
export const REMEMBERED = 10_000

/**
 * All tables of one sandbox. Made in no time whatever the size of the base: a table costs nothing until it is touched.
 */
export class Tables {
  readonly base: Base
  readonly #tables = new Map<string, Table>()
  /** By table; copies have them in common. */
  #ledgers = new Map<string, Ledger>()

  /** Grows with every change: what was computed from the state can tell whether it still holds. */
  version = 0

  constructor(base: Base) {
    this.base = base
  }

  of(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      const base = this.base[name] ?? emptyTable
      const ledger = this.#ledgers.get(name) ?? new Ledger(base.slots.length)
      table = new Table(base, kindOf(name).indexes ?? [], ledger)
      this.#ledgers.set(name, ledger)
      this.#tables.set(name, table)
    }
    return table
  }

  /** About how much it has beside the base: tables that were changed, and what was changed in them. */
  get weight(): { tables: number; length: number } {
    const changed = [...this.#tables.values()].filter(table => table.isTouched)
    return { tables: changed.length, length: changed.reduce((sum, { touchedLength }) => sum + touchedLength, 0) }
  }

  apply(ops: readonly Op[]) {
    this.version++
    for (const { table, id, after, again } of ops) {
      if (after) this.of(table).put(after, again)
      else this.#remove(table, id)
    }
  }

  /** Ids that were deleted are remembered, since pages may continue from them; but not without end. */
  #remove(name: string, id: string) {
    const table = this.of(name)
    table.remove(id)
    if (table.remembered < 2 * REMEMBERED) return
    const own = table.detached(REMEMBERED)
    this.#tables.set(name, own)
    this.#ledgers = new Map(this.#ledgers).set(name, own.ledger)
  }

  undo(ops: readonly Op[]) {
    this.version++
    for (const { table, id, before, again } of ops.toReversed()) {
      if (before) this.of(table).put(before)
      else this.of(table).remove(id)
      if (again) this.of(table).forget(id)
    }
  }

  /** What makes steps that are about to be applied never have been, as long as none have followed. */
  undoOf(ops: readonly Op[]): () => void {
    const fresh = ops.filter(({ table, id }) => this.of(table).placeOf(id) === undefined)
    return () => {
      this.undo(ops)
      for (const { table, id } of fresh) this.of(table).forget(id)
    }
  }

  /** Steps that create records: an id that was deleted before is marked, so that it becomes the newest. */
  creating(ops: readonly Op[]): readonly Op[] {
    const isAgain = ({ table, id, before, after }: Op) => !before && after && this.of(table).placeOf(id) !== undefined
    return ops.some(isAgain) ? ops.map(op => (isAgain(op) ? { ...op, again: true as const } : op)) : ops
  }

  copy(): Tables {
    const copy = new Tables(this.base)
    copy.#ledgers = this.#ledgers
    for (const [name, table] of this.#tables) copy.#tables.set(name, table.copy())
    return copy
  }

  /** A copy that has nothing in common with this one. */
  detached(): Tables {
    const copy = new Tables(this.base)
    for (const [name, table] of this.#tables) {
      const own = table.detached()
      copy.#tables.set(name, own)
      copy.#ledgers.set(name, own.ledger)
    }
    return copy
  }

  /** True when one is a copy of the other: an id has the same place in both, so steps lead from one to the other. */
  hasPlacesOf(other: Tables): boolean {
    return this.#ledgers === other.#ledgers && tableNames.every(name => this.of(name).hasPlacesOf(other.of(name)))
  }

  /** The steps that make this state the other one. */
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

  /** What was deleted, and where it stood; tables that lost nothing are left out. */
  deleted(): Record<string, Deleted[]> {
    const lists = tableNames.map(name => [name, deletedFrom(this.of(name))] as const)
    return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
  }
}

function deletedFrom(table: Table): Deleted[] {
  if (!table.hasGone) return []
  const deleted: Deleted[] = []
  let rows = 0
  for (const entry of table.everything()) {
    if (typeof entry === 'string') deleted.push([entry, rows])
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
