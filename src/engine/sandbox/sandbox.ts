import { wallClock } from '../../basics/real-time.ts'
import type { LaunchToken } from '../../contract/info.ts'
import { ApiError, fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { Assumed } from '../question.ts'
import { type Cause, type Change, Edit, type Op, replay, type SavedSandbox, Swap, Tables } from '../state/index.ts'
import type { ChangeLog } from './change-log.ts'
import type { SandboxEvent } from './events.ts'
import { Ids } from './ids.ts'
import { type Governing, newParts, type Origin, type Parts } from './origin.ts'
import { MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES, type SnapshotBudget, Snapshots } from './snapshots.ts'

interface Replacing {
  lifetime?: Parts['lifetime']
  /** New plain text tokens of the state. */
  tokens?: readonly LaunchToken[]
}

/** One complete, isolated simulated account. */
export class Sandbox {
  #parts: Parts
  #tables: Tables
  #seq = 0
  #changedBytes = 0
  #log: ChangeLog | undefined
  readonly snapshots: Snapshots
  /** In real time. A reset does not change it. */
  readonly createdAt = wallClock()

  constructor(
    readonly name: string,
    origin: Origin,
    readonly emit: (event: SandboxEvent) => void,
    snapshotBudget: SnapshotBudget = { maxBytes: MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES, all: () => [] },
  ) {
    this.snapshots = new Snapshots(this, snapshotBudget)
    this.#tables = new Tables(origin.base)
    this.#parts = newParts(name, origin)
  }

  get origin() {
    return this.#parts.origin
  }
  get api() {
    return this.#parts.origin.api
  }
  get ids() {
    return this.#parts.ids
  }
  get clock() {
    return this.#parts.clock
  }
  get journal() {
    return this.#parts.journal
  }
  get decisions() {
    return this.#parts.decisions
  }
  get deliveries() {
    return this.#parts.deliveries
  }
  get history() {
    return this.#parts.history
  }
  get assumed() {
    return this.#parts.assumed
  }
  get rules() {
    return this.#parts.rules
  }
  get counted() {
    return this.#parts.counted
  }
  get tokens() {
    return this.#parts.tokens
  }
  get lifetime() {
    return this.#parts.lifetime
  }
  get tables() {
    return this.#tables
  }
  /** The seq of the last change. */
  get seq() {
    return this.#seq
  }
  /** The length of all changes so far. */
  get changedBytes() {
    return this.#changedBytes
  }
  /** Where changes are stored. */
  get log() {
    return this.#log
  }

  /** Logs the change, then applies it: both, or neither. */
  commit(cause: Cause, ops: readonly Op[], lifetime = this.lifetime): Change {
    const tables = this.#tables
    const change = this.#nextEdit(cause, ops)
    // Before the log: if this fails, nothing is logged.
    const [next, back] = [tables.after(ops), tables.opsBack(ops)]
    this.#logChange(change, lifetime)
    this.#tables = next
    this.#noteChange(change, back)
    return change
  }

  /** Replaces the whole state in one change, by another or by ops that lead to it. */
  replace(cause: Cause, to: Tables | readonly Op[], { lifetime, tokens = [] }: Replacing = {}): Change {
    const { tokens: before } = this
    const change =
      to instanceof Tables && to.line !== this.#tables.line
        ? this.#swap(cause, to, lifetime)
        : this.commit(cause, to instanceof Tables ? this.#tables.opsTo(to) : to, lifetime)
    const newTokens = new Set(tokens.map(({ token }) => token))
    this.#change({ tokens: [...before.filter(({ token }) => !newTokens.has(token)), ...tokens] })
    return change
  }

  /** Restores the initial state, or switches to another origin. Requests in progress can no longer write. */
  reset(origin = this.origin) {
    const { lifetime, name } = this
    const next = new Tables(origin.base)
    const sameBase = this.#tables.base === origin.base
    const cause: Cause = { kind: 'reset' }
    const change = sameBase ? this.#nextEdit(cause, this.#tables.opsTo(next)) : this.#nextSwap(cause, next)
    const parts = newParts(name, origin)
    // With the same base, ops lead back, so the whole state need not be logged.
    this.#logChange(change, lifetime, sameBase ? undefined : next, parts.ids)
    this.#parts = parts
    this.#tables = next
    this.#seq = change.seq
    lifetime.end()
    this.emit({ type: 'change', sandbox: name, data: change })
    this.emit({ type: 'reset', sandbox: name, data: {} })
  }

  /** Changes what the next reset restores. */
  relaunch(origin: Origin) {
    this.#change({ origin })
  }

  assume(assumed: Assumed) {
    this.#change({ assumed })
  }

  /** Uses a scenario from now on, or none. With another seed, the counters of ids continue, so no value repeats. */
  govern({ seed, clock = this.clock, ...rest }: Governing) {
    const ids = seed === this.ids.seed ? this.ids : new Ids(seed, this.name, this.ids.counters)
    this.#change({ ...rest, clock, ids, counted: {} })
  }

  get journalBytes(): number {
    const { journal, history, decisions, deliveries } = this.#parts
    return journal.bytes + history.bytes + decisions.bytes + deliveries.bytes
  }

  clearJournals() {
    const { journal, history, decisions, deliveries } = this.#parts
    for (const log of [journal, decisions, deliveries]) log.dropAll()
    history.clear()
  }

  /** The state at that time, and the time since when states are known. */
  stateAt(time: number): { tables: Tables; knownSince: number } {
    const tables = this.history.before(this.#tables, (_change, changedAt) => changedAt <= time)
    return { tables, knownSince: this.history.knownSince }
  }

  /** Restores the state from just before a request in the journal. This is also a change, so it can be undone. */
  rewind(id: string): Change {
    const seq = this.journal.get(id)?.stateSeq
    if (seq === undefined || this.history.reachesBackTo(this.#seq) > seq) {
      const exists = 'This sandbox never received it, or its journal no longer contains it.'
      fail(errors.not_found, { what: `request ${id}`, id, exists })
    }
    return this.replace(
      { kind: 'rewind', id },
      this.history.before(this.#tables, change => change.seq <= seq),
    )
  }

  /** Stores changes from now on, or no longer. `seq` is that of the last stored change. */
  storeIn(log: ChangeLog | undefined, seq = this.#seq) {
    this.#log = log
    this.#seq = seq
  }

  /** Resumes from a stored state and the changes made since then. */
  resume({ base, seq, counters, changes, clean }: SavedSandbox) {
    const last = changes.at(-1)
    this.#tables = replay(base, changes)
    this.#seq = last?.seq ?? seq
    const ids = new Ids(this.ids.seed, this.name, { ...(last?.counters ?? counters) })
    this.#change({ ids })
    if (clean) return
    // Requests that change nothing also use an operation id, but are not in the log. Ids of events are generated after it.
    for (const prefix of ['op', this.api.events?.prefix ?? []].flat()) ids.skip(prefix)
  }

  #change(parts: Partial<Parts>) {
    this.#parts = { ...this.#parts, ...parts }
  }

  /** Like `commit`, for a whole new state. */
  #swap(cause: Cause, tables: Tables, lifetime = this.lifetime): Change {
    const next = tables.branch()
    const before = this.#tables
    const change = this.#nextSwap(cause, next)
    this.#logChange(change, lifetime, next)
    this.#tables = next
    this.#noteChange(change, before)
    return change
  }

  #nextEdit(cause: Cause, ops: readonly Op[]): Change {
    return new Edit(this.#seq + 1, this.clock.timestamp(), cause, ops)
  }

  #nextSwap(cause: Cause, next: Tables): Change {
    return new Swap(this.#seq + 1, this.clock.timestamp(), cause, this.#tables, next)
  }

  /** `state` is the new state, if the change has no ops that lead to it. */
  #logChange(change: Change, lifetime: Parts['lifetime'], state?: Tables, { counters } = this.ids) {
    if (lifetime.ended) fail(errors.reset_meanwhile, {})
    const whole = state && { order: state.numbers(), state: state.rows() }
    try {
      this.#log?.append({ ...change, counters, ...whole })
    } catch (error) {
      if (error instanceof ApiError) throw error
      fail(errors.cannot_write, { why: (error as Error).message })
    }
  }

  #noteChange(change: Change, back: readonly Op[] | Tables) {
    this.#seq = change.seq
    this.#changedBytes += change.length
    const now = this.clock.now()
    const needed = { seq: this.journal.oldestStateSeq, time: now - (this.rules?.lookBackMs ?? 0) }
    this.history.push({ change, back, changedAt: now }, needed)
    this.emit({ type: 'change', sandbox: this.name, data: change })
  }
}
