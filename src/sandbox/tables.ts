import { isDeepStrictEqual } from 'node:util'
import { kindOf, tableNames } from '../resources/index.ts'
import type { Row } from '../schema/row.ts'
import { type Base, emptyTable } from './base.ts'
import type { Op } from './change.ts'
import { Table } from './table.ts'

/** All tables of one sandbox. Made in no time whatever the size of the base: a table costs nothing until it is touched. */
export class Tables {
  readonly base: Base
  readonly #tables = new Map<string, Table>()

  constructor(base: Base) {
    this.base = base
  }

  of(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      table = new Table(this.base[name] ?? emptyTable, kindOf(name).indexes)
      this.#tables.set(name, table)
    }
    return table
  }

  apply(ops: readonly Op[]) {
    for (const { table, id, after } of ops) {
      if (after) this.of(table).put(after)
      else this.of(table).remove(id)
    }
  }

  undo(ops: readonly Op[]) {
    for (const { table, id, before } of ops.toReversed()) {
      if (before) this.of(table).put(before)
      else this.of(table).remove(id)
    }
  }

  copy(): Tables {
    const copy = new Tables(this.base)
    for (const [name, table] of this.#tables) copy.#tables.set(name, table.copy())
    return copy
  }

  /** True when both are changes to the same base, so that the difference is in what was changed alone. */
  sharesBaseWith(other: Tables): boolean {
    return tableNames.every(name => this.of(name).base === other.of(name).base)
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
}

function allIds(from: Table, to: Table): Set<string> {
  const ids = new Set<string>()
  for (const row of from.oldestFirst()) ids.add(row.id)
  for (const row of to.oldestFirst()) ids.add(row.id)
  return ids
}
