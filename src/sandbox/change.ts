import type { Row } from '../schema/row.ts'
import type { Base } from './base.ts'
import type { Tables } from './tables.ts'

export interface Op {
  table: string
  id: string
  before: Row | null
  after: Row | null
}

/** Why a change was made: the request that asked for it, or the action of the control plane. */
export interface Cause {
  kind: 'request' | 'reset' | 'state' | 'restore' | 'rewind' | 'scenario' | 'record'
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

/** A change as it is logged: one that swaps the base carries the whole state, in order, instead of its steps. */
export type LoggedChange = Change & { state?: Record<string, readonly Row[]>; counters: Record<string, number> }

/** Named states that outlive the process. */
export interface SnapshotFiles {
  names(): string[]
  save(name: string, tables: Tables): Promise<void>
  load(name: string): Promise<Base>
  remove(name: string): void
}

/** Where changes are kept. Appending either succeeds before anything is applied, or throws and nothing happened. */
export interface ChangeLog {
  append(change: LoggedChange): void
  /** When the change may be answered for: at once, or when the disk has it. */
  settled?(): Promise<void>
  readonly snapshots?: SnapshotFiles
}
