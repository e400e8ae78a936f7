import { nest } from '../fixtures/index.ts'
import { tableNames } from '../resources/index.ts'
import type { Counters } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import type { Deleted, Tables } from '../state/index.ts'

/** The fixture that a database was created from. */
export interface Seeded {
  fixture: string
  /** The hash of its content. */
  sha256: string
}

/** A state as the file has it. */
export interface Stored {
  /** As in a fixture, with parts inside their records. */
  records: Record<string, Iterable<Row>>
  /** Complete once `records` was iterated. */
  deleted: Record<string, Iterable<Deleted>>
  /** Ids of parts in the order of insertion, where `records` has another order; complete with `deleted`. */
  order: Record<string, readonly string[]>
  /** The seq of the last change that is in the file. */
  seq: number
  counters: Counters
  seeded?: Seeded
  /** When the file was written, in real time. */
  written?: string
}

/** The state in tables that no longer change: it is written in slices. */
export function storedOf(tables: Tables, seq: number, counters: Counters): Stored {
  const rows: Record<string, Iterable<Row>> = {}
  const deleted: Stored['deleted'] = {}
  const order: Stored['order'] = {}
  for (const name of tableNames) {
    const gone: Deleted[] = []
    deleted[name] = gone
    rows[name] = rowsOf(tables.of(name).slots(), gone)
  }
  const records = nest(rows, (table, ids) => {
    order[table] = ids
  })
  return { records, deleted, order, seq, counters: { ...counters } }
}

function* rowsOf(everything: Iterable<Row | string>, gone: Deleted[]): Generator<Row> {
  let rows = 0
  for (const entry of everything) {
    if (typeof entry === 'string') gone.push([entry, rows])
    else {
      rows++
      yield entry
    }
  }
}
