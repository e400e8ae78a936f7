import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/engine/language/index.ts'
import { baseOf, type Op, Tables } from '../../../src/engine/state/index.ts'
import { ALL } from '../../support/long.ts'
import { tiny } from '../tiny-api.ts'

/** Compares the table, on which paging, undo and restarts depend, with a plain list. */

const TABLE = 'tasks'
const rowOf = (id: string, mark: number): Row => ({ id, project_id: `mark ${mark}` })
const baseRows = (count: number) => Array.from({ length: count }, (_, i) => rowOf(`base${i}`, i % 3))

/** The order numbers of all ids, including deleted ones, and the current rows. */
class PlainList {
  orders = new Map<string, number>()
  rows = new Map<string, Row>()
  #next = 0

  put(row: Row) {
    if (!this.rows.has(row.id)) this.orders.set(row.id, this.#next++)
    this.rows.set(row.id, row)
  }

  /** Oldest first. */
  get seen(): string[] {
    return [...this.orders].sort(([, a], [, b]) => a - b).map(([id]) => id)
  }

  alive(ids = this.seen): Row[] {
    return ids.flatMap(id => this.rows.get(id) ?? [])
  }

  moment = () => ({ rows: new Map(this.rows), orders: new Map(this.orders) })

  /** Restores earlier rows with their numbers. */
  go({ rows, orders }: Pick<PlainList, 'rows' | 'orders'>) {
    this.rows = new Map(rows)
    for (const id of rows.keys()) this.orders.set(id, orders.get(id)!)
  }
}

/** A table and a plain list with the same operations. */
class Pair {
  readonly list = new PlainList()
  #past: (ReturnType<PlainList['moment']> & { tables: Tables; alive: Row[] })[] = []
  tables: Tables

  constructor(count: number) {
    const rows = baseRows(count)
    for (const row of rows) this.list.put(row)
    this.tables = new Tables(baseOf(tiny.catalog, { [TABLE]: rows }))
  }

  get table() {
    return this.tables.of(TABLE)
  }

  put(id: string, mark: number) {
    this.#do({ table: TABLE, id, before: this.list.rows.get(id) ?? null, after: rowOf(id, mark) })
    this.list.put(rowOf(id, mark))
  }

  remove(id: string) {
    const before = this.list.rows.get(id)
    if (before) this.#do({ table: TABLE, id, before, after: null })
    this.list.rows.delete(id)
  }

  /** Like a rewind. */
  back(count: number) {
    const earlier = this.#past.at(-count)
    if (!earlier) return
    this.#past = this.#past.slice(0, -count)
    this.tables = this.tables.after(JSON.parse(JSON.stringify(this.tables.opsTo(earlier.tables))))
    expect(this.tables.opsTo(earlier.tables)).toEqual([])
    this.list.go(earlier)
  }

  /** Like a restart, which stores only rows and order numbers. */
  rebuild() {
    const { rows, numbers } = JSON.parse(JSON.stringify({ rows: this.tables.rows(), numbers: this.tables.numbers() }))
    this.tables = new Tables(baseOf(tiny.catalog, rows, numbers))
    this.#past = []
  }

  check() {
    const { table, list } = this
    const [alive, seen] = [list.alive(), list.seen]
    expect([...table.oldestFirst()]).toEqual(alive)
    expect([...table.newestFirst()]).toEqual(alive.toReversed())
    expect(table.size).toBe(alive.length)
    for (const [at, id] of seen.entries()) {
      const order = table.orderOf(id)
      expect(order).toBe(list.orders.get(id))
      expect(table.get(id)).toEqual(list.rows.get(id))
      expect([...table.newestFirst(order)]).toEqual(list.alive(seen.slice(0, at)).toReversed())
      expect([...table.oldestFirst(order)]).toEqual(list.alive(seen.slice(at + 1)))
    }
    for (const mark of ['mark 0', 'mark 1', 'mark 2']) {
      const expected = alive.filter(row => row.project_id === mark)
      expect(table.where('project_id', mark)).toEqual(expected)
      expect(table.first('project_id', mark)?.project_id).toBe(expected[0]?.project_id)
    }
    const deleted = seen.filter(id => !list.rows.has(id)).map(id => [id, list.orders.get(id)])
    expect(table.numbers().deleted).toEqual(Object.fromEntries(deleted))
    expect(table.orderOf('never_seen')).toBeUndefined()
    for (const earlier of this.#past.slice(-3))
      expect([...earlier.tables.of(TABLE).oldestFirst()]).toEqual(earlier.alive)
  }

  #do(op: Op) {
    this.#past.push({ ...this.list.moment(), tables: this.tables, alive: this.list.alive() })
    this.tables = this.tables.after([op])
  }
}

/** A base row, or one of a few rows that are added and removed repeatedly. */
const someId = (count: number) =>
  fc.oneof(
    fc.nat(Math.max(0, count - 1)).map(i => `base${i}`),
    fc.nat(9).map(i => `added${i}`),
  )

type Step = (pair: Pair) => void
const puts = (id: string, mark: number) => (pair: Pair) => pair.put(id, mark)
const stepsOn = (count: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(someId(count), fc.nat(2)).map(args => puts(...args)) },
      { weight: 6, arbitrary: someId(count).map(id => (pair: Pair) => pair.remove(id)) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }).map(steps => (pair: Pair) => pair.back(steps)) },
      { weight: 1, arbitrary: fc.constant((pair: Pair) => pair.rebuild()) },
    ),
    { maxLength },
  )

describe('A table', () => {
  it('behaves like an ordered list after any puts, removals, rewinds and rebuilds', () => {
    const worlds = fc.nat(6).chain(count => fc.tuple(fc.constant(count), stepsOn(count, 25)))
    fc.assert(
      fc.property(worlds, ([count, steps]) => {
        const pair = new Pair(count)
        pair.check()
        for (const step of steps) {
          step(pair)
          pair.check()
        }
      }),
      { numRuns: ALL ? 100 : 33 },
    )
  })

  it('behaves like an ordered list when whole blocks of its base are removed', () => {
    const worlds = fc.tuple(fc.integer({ min: 70, max: 200 }), fc.integer({ min: 0, max: 5 }))
    const steps = stepsOn(70, 15)
    fc.assert(
      fc.property(worlds, steps, steps, ([count, first], before, after) => {
        const pair = new Pair(count)
        for (const step of before) step(pair)
        for (let i = first; i < count; i++) pair.remove(`base${i}`)
        for (const step of after) step(pair)
        pair.check()
      }),
      { numRuns: ALL ? 20 : 7 },
    )
  })

  it('behaves like an ordered list when whole blocks of added rows are removed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.nat(70), stepsOn(3, 10), (count, kept, after) => {
        const pair = new Pair(3)
        for (let i = 0; i < count; i++) pair.put(`more${i}`, i % 3)
        for (let i = kept; i < count; i++) pair.remove(`more${i}`)
        for (const step of after) step(pair)
        pair.check()
      }),
      { numRuns: ALL ? 20 : 7 },
    )
  })

  it('does not change its base', () => {
    const base = baseOf(tiny.catalog, { [TABLE]: baseRows(100) })
    const [one, other] = [new Tables(base).of(TABLE), new Tables(base).of(TABLE)]
    for (let i = 0; i < 65; i++) one.remove(`base${i}`)
    expect(one.size).toBe(35)
    expect(other.size).toBe(100)
    expect([...other.oldestFirst()]).toEqual(baseRows(100))
  })

  it('caches derived values, separately from other states', () => {
    const { tables } = new Pair(2)
    const row = rowOf('new', 0)
    const ids = (state: Tables) => Array.from(state.of(TABLE).oldestFirst(), ({ id }) => id)
    const first = tables.derive(ids)
    const next = tables.after([{ table: TABLE, id: row.id, before: null, after: row }])
    expect(next.derive(ids)).toEqual([...first, 'new'])
    expect(tables.derive(ids)).toBe(first)
  })
})
