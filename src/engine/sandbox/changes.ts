import { ApiError, fail } from '../error.ts'
import { errors } from '../errors.ts'
import {
  type Base,
  type Cause,
  type Change,
  Edit,
  type History,
  type LoggedChange,
  type Op,
  Swap,
  type Tables,
} from '../state/index.ts'
import type { Clock } from './clock.ts'
import type { SandboxEvent } from './events.ts'
import type { Ids } from './ids.ts'
import type { Journal } from './journal.ts'
import type { Lifetime } from './lifetime.ts'
import type { ActiveRules } from './origin.ts'

/** Named states that survive a restart. */
export interface SnapshotFiles {
  names(): string[]
  save(name: string, tables: Tables): Promise<void>
  /** `now` is the time for records that were added to the file manually, without a time. */
  load(name: string, now: number): Promise<Base>
  remove(name: string): void
}

/** Stores changes. `append` either succeeds before the change is applied, or throws and changes nothing. */
export interface ChangeLog {
  append(change: LoggedChange): void
  /** The path of the stored state. */
  readonly file: string
  /** Its size on disk, in addition to the state itself. */
  readonly bytes: number
  readonly snapshots?: SnapshotFiles
}

/** The parts of a sandbox that a change reads and writes. */
export interface Changeable {
  readonly name: string
  readonly ids: Ids
  readonly clock: Clock
  readonly journal: Journal
  readonly history: History
  readonly rules: ActiveRules | undefined
  readonly lifetime: Lifetime
  readonly log: ChangeLog | undefined
  readonly emit: (event: SandboxEvent) => void
  tables: Tables
  /** The seq of the last change. */
  seq: number
  /** The length of all changes so far. */
  changedBytes: number
}

/** Logs the change, then replaces the state: both, or neither. */
export function commit(sandbox: Changeable, cause: Cause, ops: readonly Op[], lifetime: Lifetime): Change {
  const { tables } = sandbox
  const change = nextEdit(sandbox, cause, ops)
  // Before the log: if this fails, nothing is logged.
  const [next, back] = [tables.after(ops), tables.opsBack(ops)]
  logChange(sandbox, change, lifetime)
  sandbox.tables = next
  noteChange(sandbox, change, back)
  return change
}

/** The same for a whole new state. */
export function swap(sandbox: Changeable, cause: Cause, tables: Tables, lifetime: Lifetime): Change {
  const next = tables.branch()
  const before = sandbox.tables
  const change = nextSwap(sandbox, cause, next)
  logChange(sandbox, change, lifetime, next)
  sandbox.tables = next
  noteChange(sandbox, change, before)
  return change
}

export const nextEdit = ({ seq, clock }: Changeable, cause: Cause, ops: readonly Op[]): Change =>
  new Edit(seq + 1, clock.timestamp(), cause, ops)

export const nextSwap = ({ seq, clock, tables }: Changeable, cause: Cause, next: Tables): Change =>
  new Swap(seq + 1, clock.timestamp(), cause, tables, next)

/** `state` is the new state, if the change has no ops that lead to it. */
export function logChange(sandbox: Changeable, change: Change, lifetime: Lifetime, state?: Tables) {
  if (lifetime.ended) fail(errors.reset_meanwhile, {})
  try {
    sandbox.log?.append({ ...change, counters: sandbox.ids.counters, ...(state && loggedState(state)) })
  } catch (error) {
    if (error instanceof ApiError) throw error
    fail(errors.cannot_write, { why: (error as Error).message })
  }
}

const loggedState = (tables: Tables) => ({ order: tables.numbers(), state: tables.rows() })

function noteChange(sandbox: Changeable, change: Change, back: readonly Op[] | Tables) {
  sandbox.seq = change.seq
  sandbox.changedBytes += change.length
  const now = sandbox.clock.now()
  const needed = { seq: sandbox.journal.oldestStateSeq, time: now - (sandbox.rules?.lookBackMs ?? 0) }
  sandbox.history.push({ change, back, changedAt: now }, needed)
  sandbox.emit({ type: 'change', sandbox: sandbox.name, data: change })
}
