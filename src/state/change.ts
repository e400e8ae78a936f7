import { isDeepStrictEqual } from 'node:util'
import { estimateLength } from '../basics/json.ts'
import { runSync, type Steps } from '../basics/slices.ts'
import type { Op, Row } from '../contract/journal-entry.ts'

/** What made a change: a request, or an action of the control plane. */
export interface Cause {
  kind: 'request' | 'reset' | 'state' | 'restore' | 'rewind' | 'scenario' | 'record' | 'undo'
  /** The operation id of the request, or the name of the snapshot or scenario. */
  id?: string
}

/** One atomic change of a sandbox's state. */
export interface Change {
  seq: number
  at: string
  cause: Cause
  ops: readonly Op[]
  /** Its estimated length as JSON, if that is known without its ops. */
  readonly length?: number
}

/** The ops that turn the present rows of a table into the wanted ones. */
export function* diffRowsInSteps(table: string, rows: Iterable<Row>, wanted: readonly Row[]): Steps<Op[]> {
  const before = new Map(Array.from(rows, row => [row.id, row]))
  yield
  const wantedIds = new Set(wanted.map(({ id }) => id))
  yield
  const ops: Op[] = []
  for (const row of before.values())
    if (!wantedIds.has(row.id)) ops.push({ table, id: row.id, before: row, after: null })
  for (const row of wanted) {
    const present = before.get(row.id) ?? null
    if (!isDeepStrictEqual(present, row)) ops.push({ table, id: row.id, before: present, after: row })
    yield
  }
  return ops
}

export const diffRows = (...args: Parameters<typeof diffRowsInSteps>): Op[] => runSync(diffRowsInSteps(...args))

const lengths = new WeakMap<Change, number>()

/** About how long a change is as JSON: an estimate of the memory that it takes. */
export function lengthOf(change: Change): number {
  let length = lengths.get(change)
  if (length === undefined) {
    length = change.length ?? estimateLength(change.ops)
    lengths.set(change, length)
  }
  return length
}
