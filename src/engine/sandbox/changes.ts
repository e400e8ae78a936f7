import { runSync, runYielding, type Steps } from '../../basics/slices.ts'
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
  /** `undo` is called if the disk does not confirm the change. */
  append(change: LoggedChange, undo: () => void): void
  /** Resolves when the changes so far are durable: immediately, or when the disk has confirmed them. */
  durable?(): Promise<void>
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

/** A state that replaces another one completely, as written to the log. */
export interface WholeState {
  tables: Tables
  /** The same as text, if it was already encoded. */
  text?: readonly Uint8Array[]
}

/** Logs the change, then replaces the state: both, or neither. */
export function commit(
  sandbox: Changeable,
  cause: Cause,
  ops: readonly Op[],
  lifetime: Lifetime,
  onUndone?: () => void,
): Change {
  const { tables } = sandbox
  return apply(sandbox, nextEdit(sandbox, cause, ops), tables.after(ops), tables.opsBack(ops), lifetime, onUndone)
}

/** The same for a whole new state. */
export function swap(
  sandbox: Changeable,
  cause: Cause,
  { tables, text }: WholeState,
  lifetime: Lifetime,
  onUndone: () => void,
): Change {
  const next = tables.branch()
  const change = nextSwap(sandbox, cause, next)
  return apply(sandbox, change, next, sandbox.tables, lifetime, onUndone, { tables: next, text })
}

function apply(
  sandbox: Changeable,
  change: Change,
  next: Tables,
  back: readonly Op[] | Tables,
  lifetime: Lifetime,
  onUndone?: () => void,
  state?: WholeState,
): Change {
  const previous = sandbox.tables
  const undo = () => {
    sandbox.tables = previous
    onUndone?.()
  }
  logChange(sandbox, change, lifetime, undo, state)
  sandbox.tables = next
  noteChange(sandbox, change, back)
  return change
}

export const nextEdit = ({ seq, clock }: Changeable, cause: Cause, ops: readonly Op[]): Change =>
  new Edit(seq + 1, clock.timestamp(), cause, ops)

export const nextSwap = ({ seq, clock, tables }: Changeable, cause: Cause, next: Tables): Change =>
  new Swap(seq + 1, clock.timestamp(), cause, tables, next)

/** `undo` reverts the change. `state` is the new state, if the change has no ops that lead to it. */
export function logChange(
  sandbox: Changeable,
  change: Change,
  lifetime: Lifetime,
  undo: () => void,
  state?: WholeState,
) {
  if (lifetime.ended) fail(errors.reset_meanwhile, {})
  try {
    sandbox.log?.append({ ...change, counters: sandbox.ids.counters, ...(state && loggedState(state)) }, () => {
      undo()
      noteUndo(sandbox, change)
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    fail(errors.cannot_write, { why: (error as Error).message })
  }
}

const loggedState = ({ tables, text }: WholeState) => ({
  order: tables.numbers(),
  ...(text ? { text } : { state: tables.rows() }),
})

function noteChange(sandbox: Changeable, change: Change, back: readonly Op[] | Tables) {
  sandbox.seq = change.seq
  sandbox.changedBytes += change.length
  const now = sandbox.clock.now()
  const needed = { seq: sandbox.journal.oldestStateSeq, time: now - (sandbox.rules?.lookBackMs ?? 0) }
  sandbox.history.push({ change, back, changedAt: now }, needed)
  sandbox.emit({ type: 'change', sandbox: sandbox.name, data: change })
}

function noteUndo(sandbox: Changeable, { seq, ops }: Change) {
  sandbox.seq = seq - 1
  sandbox.history.forget(seq)
  const back = ops.toReversed().map(({ before, after, ...op }) => ({ ...op, before: after, after: before }))
  const data = new Edit(sandbox.seq, sandbox.clock.timestamp(), { kind: 'undo' }, back)
  sandbox.emit({ type: 'change', sandbox: sandbox.name, data })
}

/**
 * Computes a value from a sandbox's state in slices, and calls `onComputed` in the same tick. If the state has changed
 * in the meantime, computes it again. The fourth time, it does so without a pause.
 */
export async function onStableState<T, R>(
  sandbox: { readonly tables: Tables },
  compute: () => Steps<T>,
  onComputed: (computed: T) => R,
): Promise<R> {
  for (let tries = 0; tries < 3; tries++) {
    const { tables } = sandbox
    const computed = await runYielding(compute())
    if (sandbox.tables === tables) return onComputed(computed)
  }
  return onComputed(runSync(compute()))
}
