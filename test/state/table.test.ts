import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/schema/index.ts'
import { baseOf, type Op, Tables } from '../../src/state/index.ts'

/** Paging, undo and restarts depend on the table, which is compared here with a plain list. */

const TABLE = 'api_keys'
const rowOf = (id: string, mark: number): Row => ({ id, token_sha256: `mark ${mark}` })
const baseRows = (count: number) => Array.from({ length: count }, (_, i) => rowOf(`ak_base${i}`, i % 3))

/** All ids in the order of first insertion, and the remaining rows. */
class PlainList {
  readonly seen: string[] = []
  readonly rows = new Map<string, Row>()

  put(row: Row) {
    if (!this.seen.includes(row.id)) this.seen.push(row.id)
    this.rows.set(row.id, row)
  }

  alive(ids = this.seen): Row[] {
    return ids.flatMap(id => this.rows.get(id) ?? [])
  }
}

/** A table and a plain list that get the same operations. */
class Pair {
  readonly list = new PlainList()
  readonly #done: Op[] = []
  tables: Tables

  constructor(count: number) {
    const rows = baseRows(count)
    for (const row of rows) this.list.put(row)
    this.tables = new Tables(baseOf({ [TABLE]: rows }))
  }

  get table() {
    return this.tables.of(TABLE)
  }

  put(id: string, mark: number) {
    this.#do({ table: TABLE, id, before: this.list.rows.get(id) ?? null, after: rowOf(id, mark) })
  }

  remove(id: string) {
    const before = this.list.rows.get(id)
    if (before) this.#do({ table: TABLE, id, before, after: null })
  }

  undo(count: number) {
    const ops = this.#done.splice(Math.max(0, this.#done.length - count))
    this.tables.undo(ops)
    for (const { id, before } of ops.toReversed()) this.#write(id, before)
  }

  /** Like a restart: keeps only the rows and the places of deleted ones. */
  rebuild() {
    const { rows, deleted } = JSON.parse(JSON.stringify({ rows: this.tables.rows(), deleted: this.tables.deleted() }))
    this.tables = new Tables(baseOf(rows, deleted))
  }

  check() {
    const { table, list } = this
    const alive = list.alive()
    expect([...table.oldestFirst()]).toEqual(alive)
    expect([...table.newestFirst()]).toEqual(alive.toReversed())
    expect(table.size).toBe(alive.length)
    for (const [at, id] of list.seen.entries()) {
      const place = table.placeOf(id)
      expect(table.get(id)).toEqual(list.rows.get(id))
      expect([...table.newestFirst(place)]).toEqual(list.alive(list.seen.slice(0, at)).toReversed())
      expect([...table.oldestFirst(place)]).toEqual(list.alive(list.seen.slice(at + 1)))
    }
    for (const mark of ['mark 0', 'mark 1', 'mark 2']) {
      const found = table.where('token_sha256', mark).map(row => row.id)
      const expected = alive.filter(row => row.token_sha256 === mark).map(row => row.id)
      expect(found.toSorted()).toEqual(expected.toSorted())
    }
    const deleted = this.tables.deleted()[TABLE] ?? []
    expect(deleted.map(([id]) => id)).toEqual(list.seen.filter(id => !list.rows.has(id)))
    expect(table.placeOf('ak_never_seen')).toBeUndefined()
  }

  #do(op: Op) {
    this.#done.push(op)
    this.tables.apply([op])
    this.#write(op.id, op.after)
  }

  #write(id: string, row: Row | null) {
    if (row) this.list.put(row)
    else this.list.rows.delete(id)
  }
}

/** One of the base's rows, or one of a few that are added, removed and added again. */
const someId = (count: number) =>
  fc.oneof(
    fc.nat(Math.max(0, count - 1)).map(i => `ak_base${i}`),
    fc.nat(9).map(i => `ak_added${i}`),
  )

type Step = (pair: Pair) => void
const stepsOn = (count: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(someId(count), fc.nat(2)).map(
          ([id, mark]) =>
            (pair: Pair) =>
              pair.put(id, mark),
        ),
      },
      { weight: 6, arbitrary: someId(count).map(id => (pair: Pair) => pair.remove(id)) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }).map(steps => (pair: Pair) => pair.undo(steps)) },
      { weight: 1, arbitrary: fc.constant((pair: Pair) => pair.rebuild()) },
    ),
    { maxLength },
  )

describe('A table', () => {
  it('behaves like an ordered list, whatever is put, removed, undone and rebuilt', () => {
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
      { numRuns: 100 },
    )
  })

  it('behaves like an ordered list when whole blocks of its base are removed', () => {
    const worlds = fc.tuple(fc.integer({ min: 70, max: 200 }), fc.integer({ min: 0, max: 5 }))
    const steps = stepsOn(70, 15)
    fc.assert(
      fc.property(worlds, steps, steps, ([count, first], before, after) => {
        const pair = new Pair(count)
        for (const step of before) step(pair)
        for (let i = first; i < count; i++) pair.remove(`ak_base${i}`)
        for (const step of after) step(pair)
        pair.check()
      }),
      { numRuns: 20 },
    )
  })

  it('behaves like an ordered list when whole blocks of added rows are removed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.nat(70), stepsOn(3, 10), (count, kept, after) => {
        const pair = new Pair(3)
        for (let i = 0; i < count; i++) pair.put(`ak_more${i}`, i % 3)
        for (let i = kept; i < count; i++) pair.remove(`ak_more${i}`)
        for (const step of after) step(pair)
        pair.check()
      }),
      { numRuns: 20 },
    )
  })

  it('does not change its base', () => {
    const base = baseOf({ [TABLE]: baseRows(100) })
    const [one, other] = [new Tables(base).of(TABLE), new Tables(base).of(TABLE)]
    for (let i = 0; i < 65; i++) one.remove(`ak_base${i}`)
    expect(one.size).toBe(35)
    expect(other.size).toBe(100)
    expect([...other.oldestFirst()]).toEqual(baseRows(100))
  })

  it('is independent of its copy', () => {
    const pair = new Pair(5)
    pair.put('ak_added0', 0)
    pair.remove('ak_base2')
    const copy = pair.tables.copy().of(TABLE)
    const rows = [...copy.oldestFirst()]
    copy.remove('ak_base0')
    copy.put(rowOf('ak_added0', 1))
    copy.put(rowOf('ak_added1', 1))
    pair.check()
    const other = pair.tables.copy().of(TABLE)
    pair.put('ak_base2', 2)
    pair.remove('ak_added0')
    expect([...other.oldestFirst()]).toEqual(rows)
    pair.check()
  })

  it('has another version after every change and after every undo', () => {
    const { tables } = new Pair(2)
    const row = rowOf('ak_new', 0)
    const ops = [{ table: TABLE, id: row.id, before: null, after: row }]
    const versions = [tables.version]
    tables.apply(ops)
    versions.push(tables.version)
    tables.undo(ops)
    versions.push(tables.version)
    expect(new Set(versions).size).toBe(3)
  })

  it('keeps what was derived from it until the next change or undo', () => {
    const { tables } = new Pair(2)
    const row = rowOf('ak_new', 0)
    const ops = [{ table: TABLE, id: row.id, before: null, after: row }]
    const ids = (state: Tables) => Array.from(state.of(TABLE).oldestFirst(), ({ id }) => id)
    const first = tables.derive(ids)
    expect(tables.derive(ids)).toBe(first)
    tables.apply(ops)
    expect(tables.derive(ids)).toEqual([...first, 'ak_new'])
    tables.undo(ops)
    expect(tables.derive(ids)).toEqual(first)
  })
})
