import { runSync, runYielding, type Steps } from '../basics/slices.ts'
import { ApiError, fail } from '../contract/errors.ts'
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
  /** `undo` is called if the disk accepts the change and then fails to confirm it. */
  append(change: LoggedChange, undo: () => void): void
  /** Resolves when the changes so far are as safe as was promised: at once, or when the disk has confirmed them. */
  durable?(): Promise<void>
  /** Where the state is on disk. */
  readonly file: string
  /** Its size on disk, beside the state itself. */
  readonly bytes: number
  readonly snapshots?: SnapshotFiles
}

/** What a change reads and writes of a sandbox. */
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
  /** Of the last change. */
  seq: number
  /** The length of all changes so far. */
  changedBytes: number
}

/** A state that replaces another whole, as the log writes it. */
export interface WholeState {
  tables: Tables
  /** The same as text, where that was made before. */
  text?: readonly Uint8Array[]
}

/** Logs the change, then puts the new state in place of the old: both, or neither. */
export function commit(
  sandbox: Changeable,
  cause: Cause,
  ops: readonly Op[],
  lifetime: Lifetime,
  onUndone?: () => void,
): Change {
  const { tables } = sandbox
  return enter(sandbox, nextEdit(sandbox, cause, ops), tables.after(ops), tables.opsBack(ops), lifetime, onUndone)
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
  return enter(sandbox, change, next, sandbox.tables, lifetime, onUndone, { tables: next, text })
}

function enter(
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

/** `undo` reverts the change. `state` is the new state, where the change has no ops that lead to it. */
export function logChange(
  sandbox: Changeable,
  change: Change,
  lifetime: Lifetime,
  undo: () => void,
  state?: WholeState,
) {
  if (lifetime.ended) fail('reset_meanwhile', {})
  try {
    sandbox.log?.append({ ...change, counters: sandbox.ids.counters, ...(state && loggedState(state)) }, () => {
      undo()
      noteUndo(sandbox, change)
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    fail('cannot_write', { why: (error as Error).message })
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
  sandbox.history.push({ change, back, madeAt: now }, needed)
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
 * Computes something from a sandbox's state in slices, and goes on with it in the same tick. If the state has changed
 * meanwhile it is computed again; the fourth time without a pause.
 */
export async function onStableState<T, R>(
  sandbox: { readonly tables: Tables },
  compute: () => Steps<T>,
  goOn: (computed: T) => R,
): Promise<R> {
  for (let tries = 0; tries < 3; tries++) {
    const { tables } = sandbox
    const computed = await runYielding(compute())
    if (sandbox.tables === tables) return goOn(computed)
  }
  return goOn(runSync(compute()))
}
