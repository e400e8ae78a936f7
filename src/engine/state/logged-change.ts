import type { Row } from '../../contract/journal-entry.ts'
import { type Base, baseOf, type Numbers } from './base-table.ts'
import type { Change } from './change.ts'
import { Tables } from './tables.ts'

/** A change in the log of a store. Contains the whole new state, in order, if its ops do not lead to it. */
export interface LoggedChange extends Omit<Change, 'length'> {
  counters: Record<string, number>
  state?: Record<string, readonly Row[]>
  /** The order numbers of that state. */
  order?: Record<string, Numbers>
}

/** The stored data of a sandbox. */
export interface SavedSandbox {
  base: Base
  seq: number
  counters: Record<string, number>
  /** Changes to the base after `seq`. */
  changes: readonly LoggedChange[]
  /** False if the process that wrote it was killed. It may have generated more ids than are stored. */
  clean: boolean
}

/** The state after the logged changes. */
export function replay(base: Base, changes: readonly LoggedChange[]): Tables {
  let tables = new Tables(base)
  for (const { cause, ops, state, order } of changes) {
    tables = state ? new Tables(baseOf(base.catalog, state, order)) : tables.after(ops)
    // A reset also clears the list of deleted ids.
    if (cause.kind === 'reset') tables = tables.withoutDeleted()
  }
  return tables
}
