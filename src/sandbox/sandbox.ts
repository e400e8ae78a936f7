import type { Assumed } from '../assumptions.ts'
import { ApiError, fail } from '../errors.ts'
import { type Base, type Cause, type Change, History, type Kept, type Op, replay, Tables } from '../state/index.ts'
import type { ActiveRules } from './active-rules.ts'
import type { ChangeLog } from './change-log.ts'
import { Clock } from './clock.ts'
import { Ids } from './ids.ts'
import { type Entry, Journal } from './journal.ts'
import { Snapshots } from './snapshots.ts'

/** What a sandbox is created with, and returns to when it is reset. */
export interface Origin {
  base: Base
  seed?: string
  clock?: { now: number; frozen: boolean }
  assumed: Assumed
  /** The rules of its scenario, with nothing counted yet. */
  rules?: () => ActiveRules
}

export type SandboxEvent =
  | { type: 'request'; sandbox: string; data: Entry }
  | { type: 'change'; sandbox: string; data: Change }
  | { type: 'warning'; sandbox: string; data: { operation_id: string; text: string } }
  | { type: 'reset'; sandbox: string; data: Record<string, never> }

/** One complete, isolated simulated account. */
export class Sandbox {
  origin: Origin
  tables: Tables
  readonly clock = new Clock()
  readonly journal = new Journal()
  readonly history = new History()
  readonly snapshots = new Snapshots(this)
  ids: Ids
  assumed: Assumed
  rules: ActiveRules | undefined
  /** Of the last change. */
  seq = 0
  /** Aborted when the sandbox is reset or dropped: waits end, and requests from before can no longer write. */
  #life = new AbortController()
  log: ChangeLog | undefined

  constructor(
    readonly name: string,
    origin: Origin,
    readonly emit: (event: SandboxEvent) => void,
  ) {
    this.origin = origin
    this.tables = new Tables(origin.base)
    this.ids = new Ids(origin.seed, name)
    this.assumed = origin.assumed
    this.rules = origin.rules?.()
    this.#setClock()
  }

  get life(): AbortSignal {
    return this.#life.signal
  }

  /** Writes the change down, then makes it: both, or neither. */
  commit(cause: Cause, ops: readonly Op[], life: AbortSignal = this.life, onUndone?: () => void): Change {
    const change = this.#next(cause, ops)
    const undo = this.tables.undoOf(ops)
    this.#record(change, life, () => {
      undo()
      onUndone?.()
    })
    this.tables.apply(ops)
    this.#made(change)
    return change
  }

  /** The whole state becomes another, in one change. */
  replace(cause: Cause, other: Tables, life: AbortSignal = this.life): Change {
    const ops = this.tables.opsTo(other)
    if (other.hasPlacesOf(this.tables)) return this.commit(cause, ops, life)
    const change = this.#next(cause, ops)
    const previous = this.tables
    const next = other.detached()
    this.#record(change, life, () => this.#return(previous), next)
    this.tables = next
    this.#made(change, previous)
    return change
  }

  /** Back to the state it was created with. Requests in progress can no longer write. */
  reset() {
    const { ids, tables: previous } = this
    const next = new Tables(this.origin.base)
    const change = this.#next({ kind: 'reset' }, previous.opsTo(next))
    this.ids = new Ids(this.origin.seed, this.name)
    try {
      // Over the same base, steps lead back: the state need not be written whole.
      const whole = previous.base === this.origin.base ? undefined : next
      this.#record(change, this.life, () => this.#return(previous, ids), whole)
    } catch (error) {
      this.ids = ids
      throw error
    }
    this.tables = next
    this.#made(change, previous)
    this.#begin()
    this.history.clear()
    this.journal.reset()
    this.assumed = this.origin.assumed
    this.rules = this.origin.rules?.()
    this.#setClock()
    this.emit({ type: 'reset', sandbox: this.name, data: {} })
  }

  drop() {
    this.#life.abort()
  }

  /** Draws from another seed from now on. The counters stay, so that nothing is drawn twice. */
  reseed(seed: string | undefined) {
    if (seed === this.ids.seed) return
    const { counters } = this.ids
    this.ids = new Ids(seed, this.name)
    this.ids.counters = counters
  }

  /** The state as it was at that time, as far back as it is known. */
  stateAt(time: number): Tables {
    return this.history.before(this.tables, (_change, madeAt) => madeAt <= time)
  }

  /** Restores the state from just before a request of the journal. This is a change too, so it can be undone. */
  rewind(id: string): Change {
    const seq = this.journal.stateSeqOf(id)
    if (seq === undefined || this.history.reachesBackTo(this.seq) > seq) {
      const exists = 'The journal and the changes behind it are bounded: it was dropped, or never was in this sandbox.'
      fail('not_found', { what: `request ${id} to rewind to`, id, exists })
    }
    return this.replace(
      { kind: 'rewind', id },
      this.history.before(this.tables, change => change.seq <= seq),
    )
  }

  /** Continues from a stored state and the changes made to it since. */
  resume({ base, seq, counters, changes, clean }: Kept) {
    const last = changes.at(-1)
    this.tables = replay(base, changes)
    this.seq = last?.seq ?? seq
    this.ids.counters = { ...(last?.counters ?? counters) }
    // Requests that change nothing draw an operation id too, but are not in the log.
    if (!clean) this.ids.skip('op')
  }

  /** Resolves when the changes so far are as safe as `--durability` promises. */
  async settled() {
    try {
      await this.log?.settled?.()
    } catch (error) {
      fail('cannot_write', { why: `the disk did not confirm it: ${(error as Error).message}` })
    }
  }

  #begin() {
    this.#life.abort()
    this.#life = new AbortController()
  }

  #setClock() {
    const { clock } = this.origin
    if (clock) this.clock.set(clock.now, clock.frozen)
    else this.clock.resume()
  }

  #next(cause: Cause, ops: readonly Op[]): Change {
    return { seq: this.seq + 1, at: this.clock.timestamp(), cause, ops }
  }

  /** `undo` reverts the change; `state` is written when its steps do not lead to the new state. */
  #record(change: Change, life: AbortSignal, undo: () => void, state?: Tables) {
    if (life.aborted) fail('reset_meanwhile', {})
    const whole = () => (state ? { state: state.rows(), deleted: state.deleted() } : {})
    try {
      this.log?.append({ ...change, counters: this.ids.counters, ...whole() }, () => {
        undo()
        this.#unmade(change)
      })
    } catch (error) {
      if (error instanceof ApiError) throw error
      fail('cannot_write', { why: (error as Error).message })
    }
  }

  #return(tables: Tables, ids = this.ids) {
    this.tables = tables
    this.ids = ids
  }

  #unmade({ seq, ops }: Change) {
    this.seq = seq - 1
    this.history.forget(seq)
    const back = ops.toReversed().map(({ before, after, ...op }) => ({ ...op, before: after, after: before }))
    const data: Change = { seq: this.seq, at: this.clock.timestamp(), cause: { kind: 'undo' }, ops: back }
    this.emit({ type: 'change', sandbox: this.name, data })
  }

  #made(change: Change, previous?: Tables) {
    this.seq = change.seq
    this.history.push({ change, previous, madeAt: this.clock.now() }, this.journal.oldestStateSeq)
    this.emit({ type: 'change', sandbox: this.name, data: change })
  }
}
