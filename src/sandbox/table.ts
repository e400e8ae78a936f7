import type { Row } from '../schema/row.ts'
import type { BaseTable } from './base.ts'
import { BLOCK, firstAtOrAfter, Ledger, Overlay } from './overlay.ts'

/** Rows in the order they were inserted: a shared base, and over it what this sandbox changed. */
export class Table {
  #over: Overlay | undefined
  /** Grows with every write: what was computed from the table can tell whether it still holds. */
  version = 0

  constructor(
    readonly base: BaseTable,
    readonly indexed: readonly string[],
    readonly ledger: Ledger,
  ) {}

  get size(): number {
    const { rows } = this.base
    const over = this.#over
    return over ? rows.length - over.deleted.total + over.revived.length + over.present.total : rows.length
  }

  get(id: string): Row | undefined {
    const over = this.#over
    if (!over) return this.base.get(id)
    const edited = over.edited.get(id)
    if (edited !== undefined) return edited ?? undefined
    const place = this.ledger.placeOf(id)
    if (place === undefined) return this.base.get(id)
    const row = over.added[place - this.base.rows.length]
    return typeof row === 'object' ? row : undefined
  }

  /** Inserts at the end, or where that id stood before; replaces in place. */
  put(row: Row) {
    this.#over ??= new Overlay()
    const over = this.#over
    const { base, ledger } = this
    const { id } = row
    this.version++
    for (const field of this.indexed) ledger.note(field, row[field], id)
    const place = base.places.get(id)
    const gone = base.gone.get(id)
    if (place === undefined && gone === undefined) return over.add(ledger.enter(id) - base.rows.length, row)
    if (place !== undefined && over.edited.get(id) === null) over.deleted.add(place, -1)
    if (gone !== undefined && !over.edited.has(id)) over.revive({ id, place: gone })
    over.edited.set(id, row)
  }

  remove(id: string) {
    if (!this.get(id)) return
    this.#over ??= new Overlay()
    const over = this.#over
    const { base } = this
    this.version++
    const place = base.places.get(id)
    if (place !== undefined) {
      over.edited.set(id, null)
      over.deleted.add(place, 1)
    } else if (over.edited.delete(id)) over.unrevive(base.gone.get(id)!)
    else over.delete(this.ledger.placeOf(id)! - base.rows.length, id)
  }

  /** As if that id, which is not in the table, had never been. */
  forget(id: string) {
    const place = this.ledger.placeOf(id)
    if (place !== undefined) this.#over!.added[place - this.base.rows.length] = undefined
    this.ledger.forget(id)
  }

  /** The place of an id that is or once was in the table. */
  placeOf(id: string): number | undefined {
    return this.base.places.get(id) ?? this.base.gone.get(id) ?? this.ledger.placeOf(id)
  }

  *newestFirst(before = Number.POSITIVE_INFINITY): Generator<Row> {
    const over = this.#over
    const { rows } = this.base
    const { added = [], revived = [] } = over ?? {}
    for (let i = Math.min(added.length, Math.ceil(before) - rows.length) - 1; i >= 0; i--) {
      while (i >= 0 && endsBlock(i) && over!.present.inBlock(blockOf(i)) === 0) i -= BLOCK
      const row = added[i]
      if (typeof row === 'object') yield row
    }
    let r = firstAtOrAfter(revived, before) - 1
    for (let j = Math.min(rows.length, Math.ceil(before)) - 1; j >= 0; j--) {
      while (over && j >= 0 && endsBlock(j) && over.deleted.inBlock(blockOf(j)) === BLOCK) j -= BLOCK
      while (r >= 0 && revived[r]!.place > j) yield this.get(revived[r--]!.id)!
      const row = j < 0 ? undefined : this.#current(rows[j]!)
      if (row) yield row
    }
    while (r >= 0) yield this.get(revived[r--]!.id)!
  }

  *oldestFirst(after = Number.NEGATIVE_INFINITY): Generator<Row> {
    const over = this.#over
    const { rows } = this.base
    const { added = [], revived = [] } = over ?? {}
    let r = firstAtOrAfter(revived, after)
    if (revived[r]?.place === after) r++
    for (let j = Math.max(0, Math.floor(after) + 1); j < rows.length; j++) {
      while (over && startsBlock(j) && over.deleted.inBlock(blockOf(j)) === BLOCK) j += BLOCK
      while (r < revived.length && revived[r]!.place < j) yield this.get(revived[r++]!.id)!
      const row = j < rows.length ? this.#current(rows[j]!) : undefined
      if (row) yield row
    }
    while (r < revived.length) yield this.get(revived[r++]!.id)!
    for (let i = Math.max(0, Math.floor(after) + 1 - rows.length); i < added.length; i++) {
      while (i < added.length && startsBlock(i) && over!.present.inBlock(blockOf(i)) === 0) i += BLOCK
      const row = added[i]
      if (typeof row === 'object') yield row
    }
  }

  /** Oldest first, all that is or was in the table: rows, and the ids of those that were deleted. */
  *everything(): Generator<Row | string> {
    const { rows, gone } = this.base
    const dead = gone.entries()
    let next = dead.next().value
    for (const [place, row] of rows.entries()) {
      for (; next && next[1] < place; next = dead.next().value) yield this.get(next[0]) ?? next[0]
      yield this.#current(row) ?? row.id
    }
    for (; next; next = dead.next().value) yield this.get(next[0]) ?? next[0]
    for (const row of this.#over?.added ?? []) if (row !== undefined) yield row
  }

  /** Rows whose indexed field has that value. */
  where(field: string, value: unknown): Row[] {
    const ids = new Set(this.base.idsWhere(field, value))
    for (const id of this.ledger.noted(field, value)) ids.add(id)
    const rows: Row[] = []
    for (const id of ids) {
      const row = this.get(id)
      if (row && row[field] === value) rows.push(row)
    }
    return rows
  }

  /** Ids whose rows differ from the base's. */
  *touched(): Generator<string> {
    if (!this.#over) return
    yield* this.#over.edited.keys()
    for (const row of this.#over.added) if (typeof row === 'object') yield row.id
  }

  copy(): Table {
    const copy = new Table(this.base, this.indexed, this.ledger)
    copy.#over = this.#over?.copy()
    copy.version = this.version
    return copy
  }

  /** The same rows with places of their own: what other copies came to know since is not known here. */
  detached(): Table {
    const table = new Table(this.base, this.indexed, new Ledger(this.base.rows.length))
    for (const [id, row] of this.#over?.edited ?? []) {
      if (row) table.put(row)
      else table.remove(id)
    }
    for (const entry of this.#over?.added ?? []) {
      if (entry === undefined) continue
      table.put(typeof entry === 'string' ? { id: entry } : entry)
      if (typeof entry === 'string') table.remove(entry)
    }
    return table
  }

  #current(row: Row): Row | undefined {
    const edited = this.#over?.edited.get(row.id)
    return edited === undefined ? row : (edited ?? undefined)
  }
}

const blockOf = (place: number) => Math.floor(place / BLOCK)
const startsBlock = (place: number) => place % BLOCK === 0
const endsBlock = (place: number) => place % BLOCK === BLOCK - 1
