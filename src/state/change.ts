import { isDeepStrictEqual } from 'node:util'
import { estimateLength } from '../basics/json.ts'
import { runSync, type Steps } from '../basics/slices.ts'
import type { Op, Row } from '../contract/journal-entry.ts'
import type { Deleted } from './base-table.ts'

/** Why a change was made: the request that asked for it, or the action of the control plane. */
export interface Cause {
  kind: 'request' | 'reset' | 'state' | 'restore' | 'rewind' | 'scenario' | 'record' | 'undo'
  /** The operation id of the request, the name of the snapshot or scenario. */
  id?: string
}

/** One atomic step of a sandbox's state. */
export interface Change {
  seq: number
  at: string
  cause: Cause
  ops: readonly Op[]
  /** About what it takes to keep, where that is known without its steps. */
  readonly length?: number
}

/** The steps that make rows of a table others: those that are not wanted go, those that differ are put. */
export function* diffRowsSteps(table: string, present: Iterable<Row>, wanted: readonly Row[]): Steps<Op[]> {
  const before = new Map(Array.from(present, row => [row.id, row]))
  yield
  const kept = new Set(wanted.map(({ id }) => id))
  yield
  const ops: Op[] = []
  for (const row of before.values()) if (!kept.has(row.id)) ops.push({ table, id: row.id, before: row, after: null })
  for (const row of wanted) {
    const known = before.get(row.id) ?? null
    if (!isDeepStrictEqual(known, row)) ops.push({ table, id: row.id, before: known, after: row })
    yield
  }
  return ops
}

/** The same at once. */
export const diffRows = (...between: Parameters<typeof diffRowsSteps>): Op[] => runSync(diffRowsSteps(...between))

const lengths = new WeakMap<Change, number>()

/** How long a change is as JSON, which is about what it takes to keep. */
export function lengthOf(change: Change): number {
  let length = lengths.get(change)
  if (length === undefined) {
    length = change.length ?? estimateLength(change.ops)
    lengths.set(change, length)
  }
  return length
}

/** A change as it is logged: where the steps do not lead to the new state, it carries all of that, in order. */
export interface LoggedChange extends Change {
  counters: Record<string, number>
  state?: Record<string, readonly Row[]>
  /** The same as `stateText` has it, where it was written before: it may be long. */
  text?: readonly Uint8Array[]
  /** What was deleted before that state, and where it stood. */
  deleted?: Record<string, readonly Deleted[]>
}
