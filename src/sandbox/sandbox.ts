import type { Assumed } from '../assumptions.ts'
import { ApiError, fail } from '../errors.ts'
import { type Base, baseOf } from './base.ts'
import type { Cause, Change, ChangeLog, LoggedChange, Op } from './change.ts'
import { Clock } from './clock.ts'
import type { ActiveRules } from './effects.ts'
import { History } from './history.ts'
import { Ids } from './ids.ts'
import { type Entry, Journal } from './journal.ts'
import { Snapshots } from './snapshots.ts'
import { Tables } from './tables.ts'

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
  /** Ends when the sandbox is reset or dropped: what waits stops waiting, and what began before never writes after. */
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
  commit(cause: Cause, ops: readonly Op[], life: AbortSignal = this.life): Change {
    const change = this.#next(cause, ops)
    this.#record(change, life)
    this.tables.apply(ops)
    this.#made(change)
    return change
  }

  /** The whole state becomes another, in one change. */
  replace(cause: Cause, next: Tables): Change {
    const change = this.#next(cause, this.tables.opsTo(next))
    const sameBase = this.tables.sharesBaseWith(next)
    this.#record(change, this.life, sameBase ? undefined : next)
    const previous = this.tables
    this.tables = next
    this.#made(change, previous)
    return change
  }

  /** Back to what it was created with. Requests that are under way are refused their writes. */
  reset() {
    const counters = this.ids.counters
    this.ids = new Ids(this.origin.seed, this.name)
    try {
      this.replace({ kind: 'reset' }, new Tables(this.origin.base))
    } catch (error) {
      this.ids.counters = counters
      throw error
    }
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

  /** Draws from another seed from now on; what was counted stays, so that nothing is ever drawn twice. */
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

  /** The state as it was just before a request of the journal did anything; itself a change, so it can be undone. */
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

  /** Continues from what a store kept: a state, and the changes made to it since. */
  resume(kept: { base: Base; seq: number; counters: Record<string, number>; changes: readonly LoggedChange[] }) {
    const { changes } = kept
    const lastReset = changes.findLastIndex(({ cause }) => cause.kind === 'reset')
    this.tables = new Tables(kept.base)
    for (const [i, { ops, state }] of changes.entries()) {
      if (state) this.tables = new Tables(baseOf(state))
      else this.tables.apply(ops)
      // A reset also forgets which ids there ever were.
      if (i === lastReset) this.tables = new Tables(baseOf(this.tables.rows()))
    }
    const last = changes.at(-1)
    this.seq = last?.seq ?? kept.seq
    this.ids.counters = { ...(last?.counters ?? kept.counters) }
    // Requests that change nothing draw an operation id too, and leave no line: skip ahead of any they may have had.
    if (last) this.ids.counters.op = (this.ids.counters.op ?? 0) + 1_000_000
  }

  /** When the latest changes may be answered for. */
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

  #record(change: Change, life: AbortSignal, state?: Tables) {
    if (life.aborted) fail('reset_meanwhile', {})
    try {
      this.log?.append({ ...change, counters: this.ids.counters, ...(state ? { state: state.rows() } : {}) })
    } catch (error) {
      if (error instanceof ApiError) throw error
      fail('cannot_write', { why: (error as Error).message })
    }
  }

  #made(change: Change, previous?: Tables) {
    this.seq = change.seq
    this.history.push({ change, previous, madeAt: this.clock.now() }, this.journal.oldestStateSeq)
    this.emit({ type: 'change', sandbox: this.name, data: change })
  }
}
