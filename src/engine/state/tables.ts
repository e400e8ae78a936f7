import { isDeepStrictEqual } from 'node:util'
import type { Op, Row } from '../../contract/journal-entry.ts'
import type { Catalog, Fields, Records, RowOf, TableOf } from '../language/index.ts'
import { areSequential, type Base, EMPTY_TABLE, type Numbers } from './base-table.ts'
import { Table } from './table.ts'

const nameOf = (table: TableOf<Fields>) => (typeof table === 'string' ? table : table.table)

/** An immutable state of a sandbox. Cheap to create for any size of the base. */
export class Tables implements Records {
  /** Created on first use. */
  readonly #tables: Record<string, Table>
  /** Values computed from the state. */
  #derived: Map<(tables: Tables) => unknown, unknown> | undefined

  constructor(
    readonly base: Base,
    /** Shared by all states derived from one another. Order numbers are only comparable among these. */
    readonly line: object = {},
    tables?: Record<string, Table>,
  ) {
    this.#tables = { ...tables }
  }

  /** The kinds of records. */
  get catalog(): Catalog {
    return this.base.catalog
  }

  of(name: string): Table {
    this.#tables[name] ??= new Table(this.base.tables[name] ?? EMPTY_TABLE, this.catalog.kindOf(name)?.indexes ?? [])
    return this.#tables[name]
  }

  get<F extends Fields>(table: TableOf<F>, id: string) {
    return this.of(nameOf(table)).get(id) as RowOf<F> | undefined
  }

  where<F extends Fields>(table: TableOf<F>, field: string, value: unknown) {
    return this.of(nameOf(table)).where(field, value) as RowOf<F>[]
  }

  /** Any row of `where`. */
  first<F extends Fields>(table: TableOf<F>, field: string, value: unknown) {
    return this.of(nameOf(table)).first(field, value) as RowOf<F> | undefined
  }

  all<F extends Fields>(table: TableOf<F>) {
    return this.of(nameOf(table)).oldestFirst() as Iterable<RowOf<F>>
  }

  /** Computes a value from several tables once. A value from a single table uses `Table.derive`. */
  derive<T extends object>(compute: (tables: Tables) => T): T {
    const known = this.#derived?.get(compute) as T | undefined
    if (known) return known
    const computed = compute(this)
    this.#derived ??= new Map()
    this.#derived.set(compute, computed)
    return computed
  }

  /** The state after these ops. */
  after(ops: readonly Op[]): Tables {
    if (ops.length === 0) return this
    const next = new Tables(this.base, this.line, this.#tables)
    for (const { table: name, id, after, order } of ops) {
      if (next.of(name) === this.of(name)) next.#tables[name] = this.of(name).copy()
      if (after) next.of(name).put(after, order)
      else next.of(name).remove(id)
    }
    return next
  }

  /** The ops that restore this state after the given ops. */
  opsBack(ops: readonly Op[]): Op[] {
    return ops.toReversed().map(({ table, id, before, after }) => {
      const order = after ? undefined : this.of(table).orderOf(id)
      return { table, id, before: after, after: before, ...(order !== undefined && { order }) }
    })
  }

  /** The same state with a new line. */
  branch(): Tables {
    return new Tables(this.base, {}, this.#tables)
  }

  /** The same rows, without the list of deleted ids. */
  withoutDeleted(): Tables {
    const next = this.branch()
    for (const name of this.catalog.tableNames) {
      const own = this.of(name).copy()
      own.forgetDeleted()
      next.#tables[name] = own
    }
    return next
  }

  /** The approximate size of the changes to the base: the number of changed tables, and their changed rows as JSON. */
  get weight(): { tables: number; length: number } {
    const changed = Object.values(this.#tables).filter(table => table.isChanged)
    return { tables: changed.length, length: changed.reduce((sum, { changedLength }) => sum + changedLength, 0) }
  }

  /** The ops that turn this state into the other one. If both have the same base, rows keep their positions. */
  opsTo(other: Tables): Op[] {
    const differs = ({ before, after }: Op) => !isDeepStrictEqual(before, after)
    return this.catalog.tableNames.flatMap(name => {
      const [from, to] = [this.of(name), other.of(name)]
      return (from.base === to.base ? from.opsTo(to, name) : opsById(from, to, name)).filter(differs)
    })
  }

  rows(): Record<string, Row[]> {
    return Object.fromEntries(this.catalog.tableNames.map(name => [name, [...this.of(name).oldestFirst()]]))
  }

  /** The order numbers by table, for rows that are stored oldest first. */
  numbers(): Record<string, Numbers> {
    const others = this.catalog.tableNames.filter(name => !this.of(name).hasUsualNumbers)
    const all = others.map(name => [name, this.of(name).numbers()] as const)
    return Object.fromEntries(all.filter(([, numbers]) => !areSequential(numbers)))
  }
}

function opsById(from: Table, to: Table, table: string): Op[] {
  const ids = new Set<string>()
  for (const each of [from, to]) for (const { id } of each.oldestFirst()) ids.add(id)
  return Array.from(ids, id => ({ table, id, before: from.get(id) ?? null, after: to.get(id) ?? null }))
}
