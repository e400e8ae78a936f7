import type { Row } from '../schema/row.ts'
import type { Base, Deleted } from './base.ts'
import type { Tables } from './tables.ts'

export interface Op {
  table: string
  id: string
  before: Row | null
  after: Row | null
}

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
}

/** A change as it is logged: where the steps do not lead to the new state, it carries all of that, in order. */
export interface LoggedChange extends Change {
  counters: Record<string, number>
  state?: Record<string, readonly Row[]>
  /** What was deleted before that state, and where it stood. */
  deleted?: Record<string, readonly Deleted[]>
}

/** Named states that outlive the process. */
export interface SnapshotFiles {
  names(): string[]
  save(name: string, tables: Tables): Promise<void>
  /** `now` is for records that somebody added to the file by hand, without a time. */
  load(name: string, now: number): Promise<Base>
  remove(name: string): void
}

/** Where changes are kept. Appending either succeeds before anything is applied, or throws and nothing happened. */
export interface ChangeLog {
  /** `undo` is for a disk that takes a change and then fails to confirm it. */
  append(change: LoggedChange, undo: () => void): void
  /** When the change may be answered for: at once, or when the disk has it. */
  settled?(): Promise<void>
  readonly snapshots?: SnapshotFiles
}
