import { type Base, baseOf } from './base-table.ts'
import type { LoggedChange } from './change.ts'
import { Tables } from './tables.ts'

/** What a store kept of a sandbox. */
export interface Kept {
  base: Base
  seq: number
  counters: Record<string, number>
  /** Changes to the base that came after that seq. */
  changes: readonly LoggedChange[]
  /** Whether the process that kept it came to its end: else it may have done more than it wrote down. */
  clean: boolean
}

/** The state that logged changes lead to. */
export function replay(base: Base, changes: readonly LoggedChange[]): Tables {
  const lastReset = changes.findLastIndex(({ cause }) => cause.kind === 'reset')
  let tables = new Tables(base)
  for (const [i, { ops, state, deleted }] of changes.entries()) {
    if (state) tables = new Tables(baseOf(state, deleted))
    else tables.apply(ops)
    // A reset also forgets which ids there ever were.
    if (i === lastReset) tables = new Tables(baseOf(tables.rows()))
  }
  return tables
}
