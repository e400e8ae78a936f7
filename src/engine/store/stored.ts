import { missingIn, nest } from '../fixtures/index.ts'
import type { Counters } from '../sandbox/index.ts'
import { addToRuns, type Numbers, type Tables } from '../state/index.ts'

/** The fixture that a database was created from. */
export interface Seeded {
  fixture: string
  /** The hash of its content. */
  sha256: string
}

/** A stored state. */
export interface Stored {
  /** As in a fixture, with parts inside their records. */
  records: Record<string, Iterable<unknown>>
  /** By table. Complete after `records` was iterated. */
  order: Record<string, Numbers>
  /** The seq of the last change in the file. */
  seq: number
  counters: Counters
  seeded?: Seeded
  /** When the file was written, in real time. */
  written?: string
}

export function storedOf(tables: Tables, seq: number, counters: Counters): Stored {
  const { catalog } = tables
  const { tableNames } = catalog
  const order = Object.fromEntries(tableNames.map(name => [name, tables.of(name).numbers([])]))
  const rows = Object.fromEntries(tableNames.map(name => [name, tables.all(name)]))
  const records = nest(catalog, rows, (table, id) => addToRuns(order[table]!.runs, tables.of(table).orderOf(id)!))
  for (const table of Object.keys(records)) if (tables.of(table).size === 0) delete records[table]
  const missing = missingIn(catalog, table => tables.all(table))
  return { records: { ...records, ...missing }, order, seq, counters: { ...counters } }
}
