import { runYielding } from '../basics/slices.ts'
import type { Assumed } from '../contract/assumptions.ts'
import { ApiError, fail } from '../contract/errors.ts'
import type { Decision } from '../contract/traffic.ts'
import type { LaunchToken } from '../fixtures/index.ts'
import {
  type Base,
  type Cause,
  type Change,
  History,
  type Kept,
  lengthOf,
  type Op,
  replay,
  Swap,
  stateText,
  Tables,
} from '../state/index.ts'
import type { ActiveRules } from './active-rules.ts'
import type { Spender } from './budget.ts'
import type { ChangeLog } from './change-log.ts'
import { Clock } from './clock.ts'
import { Decisions } from './decisions.ts'
import { Ids } from './ids.ts'
import { Journal, type Recorded } from './journal.ts'
import { Life } from './life.ts'
import { SnapshotRoom, Snapshots } from './snapshots.ts'

/** What a sandbox is created with, and returns to when it is reset. */
export interface Origin {
  base: Base
  /** The plain text tokens of its fixture and scenario. */
  tokens: readonly LaunchToken[]
  seed?: string
  /** Of the sandbox itself or of a flag: a scenario draws from it instead of its own. */
  fixedSeed?: string
  clock?: { now: number; frozen: boolean }
  assumed: Assumed
  /** The rules of its scenario, with nothing counted yet. */
  rules?: () => ActiveRules
}

/** Sandboxes that were dropped together, since nobody had used them. */
export interface Expired {
  count: number
  /** The first hundred of them. */
  sandboxes: string[]
  unused_for: string
}

export type SandboxEvent =
  | { type: 'request'; sandbox: string; data: Recorded }
  | { type: 'change'; sandbox: string; data: Change }
  | { type: 'warning'; sandbox: string; data: { operation_id: string; text: string } }
  | { type: 'traffic'; sandbox: string; data: Decision }
  | { type: 'reset'; sandbox: string; data: Record<string, never> }
  | { type: 'expired'; sandbox: 'default'; data: Expired }

/** All that a reset makes new, and that comes back when the disk does not confirm the reset. */
interface Condition {
  origin: Origin
  ids: Ids
  clock: Clock
  journal: Journal
  decisions: Decisions
  history: History
  assumed: Assumed
  rules: ActiveRules | undefined
  tokens: readonly LaunchToken[]
}

const newCondition = (name: string, origin: Origin): Condition => ({
  origin,
  ids: new Ids(origin.seed, name),
  clock: new Clock(origin.clock),
  journal: new Journal(),
  decisions: new Decisions(),
  history: new History(),
  assumed: origin.assumed,
  rules: origin.rules?.(),
  tokens: origin.tokens,
})

/** Causes that create records; others bring records back to where they were. */
const CREATING = new Set<Cause['kind']>(['request', 'record', 'scenario'])

interface Replacing {
  life?: Life
  /** Plain text tokens that are new with the state. */
  tokens?: readonly LaunchToken[]
  /** When the disk does not confirm the change. */
  onUndone?: () => void
  /** Of the state, as `prepare` has made it. */
  text?: readonly Uint8Array[]
}

/** One complete, isolated simulated account. */
export class Sandbox implements Condition, Spender {
  origin!: Origin
  ids!: Ids
  clock!: Clock
  journal!: Journal
  decisions!: Decisions
  history!: History
  assumed!: Assumed
  rules: ActiveRules | undefined
  /** Plain text tokens that may still work. */
  tokens!: readonly LaunchToken[]
  tables: Tables
  readonly snapshots: Snapshots
  changedBytes = 0
  /** Of the last change. */
  seq = 0
  /** Ends when the sandbox is reset or dropped: waits end, and requests from before can no longer write. */
  life = new Life()
  log: ChangeLog | undefined
  lastUsed = 0
  /** Requests of the API and of the control plane that are not answered yet. */
  underWay = 0
  /** Why the one before it is gone, of which its first request does not know. */
  warning: string | undefined
  /** A change was written down and only half made: only a defect of ours leaves it so. */
  halfApplied = false
  /** While its edges open or close their ports: an answer that made them do so waits for it. */
  pendingListeners: Promise<void> | undefined

  constructor(
    readonly name: string,
    origin: Origin,
    readonly emit: (event: SandboxEvent) => void,
    room = new SnapshotRoom(),
  ) {
    this.snapshots = new Snapshots(this, room)
    this.tables = new Tables(origin.base)
    Object.assign(this, newCondition(name, origin))
  }

  /** Writes the change down, then makes it: both, or neither. */
  commit(cause: Cause, given: readonly Op[], life: Life = this.life, onUndone?: () => void): Change {
    const ops = CREATING.has(cause.kind) ? this.tables.creating(given) : given
    const change = this.#next(cause, ops)
    const undo = this.tables.undoOf(ops)
    this.#record(change, life, () => {
      undo()
      onUndone?.()
    })
    this.halfApplied = true
    this.tables.apply(ops)
    this.halfApplied = false
    this.#made(change)
    return change
  }

  /** The whole state becomes another, in one change. */
  replace(cause: Cause, other: Tables, { life = this.life, tokens = [], onUndone, text }: Replacing = {}): Change {
    const before = this.tokens
    const undone = () => {
      this.tokens = before
      onUndone?.()
    }
    const change = other.hasPlacesOf(this.tables)
      ? this.commit(cause, this.tables.opsTo(other), life, undone)
      : this.#swap(this.#nextSwap(cause, other), other.detached(), { life, text }, undone)
    const given = new Set(tokens.map(({ token }) => token))
    this.tokens = [...before.filter(({ token }) => !given.has(token)), ...tokens]
    return change
  }

  #swap(
    change: Change,
    next: Tables,
    { life, text }: { life: Life; text?: readonly Uint8Array[] },
    onUndone: () => void,
  ): Change {
    const previous = this.tables
    const undo = () => {
      this.tables = previous
      onUndone()
    }
    this.#record(change, life, undo, { tables: next, text })
    this.tables = next
    this.#made(change, previous)
    return change
  }

  /** Back to the state it was created with, or to another's. Requests in progress can no longer write. */
  reset(origin = this.origin, text?: readonly Uint8Array[]) {
    const { ids, clock, journal, decisions, history, assumed, rules, tokens, tables } = this
    const before = { origin: this.origin, ids, clock, journal, decisions, history, assumed, rules, tokens, tables }
    const next = new Tables(origin.base)
    const sameBase = tables.base === origin.base
    const cause: Cause = { kind: 'reset' }
    const change = sameBase ? this.#next(cause, tables.opsTo(next)) : this.#nextSwap(cause, new Tables(origin.base))
    const condition = newCondition(this.name, origin)
    this.ids = condition.ids
    try {
      // Over the same base, steps lead back: the state need not be written whole.
      this.#record(change, this.life, () => Object.assign(this, before), sameBase ? undefined : { tables: next, text })
    } catch (error) {
      this.ids = ids
      throw error
    }
    Object.assign(this, condition, { tables: next, seq: change.seq })
    this.life.end()
    this.life = new Life()
    this.emit({ type: 'change', sandbox: this.name, data: change })
    this.emit({ type: 'reset', sandbox: this.name, data: {} })
  }

  /** The same without holding others up, however large the state is. */
  async resetInSlices(origin = this.origin) {
    const text = this.tables.base === origin.base ? undefined : await this.prepare(new Tables(origin.base))
    this.reset(origin, text)
  }

  /** What the log will write of a state that takes the place of this one: it may be long, and is made in slices. */
  async prepare(other: Tables): Promise<readonly Uint8Array[] | undefined> {
    if (!this.log || other.hasPlacesOf(this.tables)) return undefined
    return runYielding(stateText(other))
  }

  drop() {
    this.life.end()
  }

  get past(): number {
    return this.journal.bytes + this.history.bytes + this.decisions.bytes
  }

  forgetPast() {
    for (const past of [this.journal, this.decisions]) past.forget()
    this.history.clear()
  }

  /** Draws from another seed from now on. The counters stay, so that nothing is drawn twice. */
  reseed(seed: string | undefined) {
    if (seed === this.ids.seed) return
    const { counters } = this.ids
    this.ids = new Ids(seed, this.name)
    this.ids.counters = counters
  }

  /** The state as it was at that time, and from when on it is known. */
  stateAt(time: number): { tables: Tables; knownSince: number } {
    const tables = this.history.before(this.tables, (_change, madeAt) => madeAt <= time)
    return { tables, knownSince: this.history.knownSince }
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
  async durable() {
    try {
      await this.log?.durable?.()
    } catch (error) {
      fail('cannot_write', { why: `the disk did not confirm it: ${(error as Error).message}` })
    }
  }

  #next(cause: Cause, ops: readonly Op[]): Change {
    return { seq: this.seq + 1, at: this.clock.timestamp(), cause, ops }
  }

  #nextSwap(cause: Cause, other: Tables): Change {
    return new Swap(this.seq + 1, this.clock.timestamp(), cause, this.tables, other)
  }

  /** `undo` reverts the change; `state` is written when its steps do not lead to the new state. */
  #record(change: Change, life: Life, undo: () => void, state?: { tables: Tables; text?: readonly Uint8Array[] }) {
    if (life.over) fail('reset_meanwhile', {})
    if (this.halfApplied)
      fail('cannot_write', { why: 'a change before it was only half made, by a defect of edgesim; restart it' })
    const whole = () => {
      if (!state) return {}
      const { tables, text } = state
      return { deleted: tables.deleted(), ...(text ? { text } : { state: tables.rows() }) }
    }
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

  #unmade({ seq, ops }: Change) {
    this.seq = seq - 1
    this.history.forget(seq)
    const back = ops.toReversed().map(({ before, after, ...op }) => ({ ...op, before: after, after: before }))
    const data: Change = { seq: this.seq, at: this.clock.timestamp(), cause: { kind: 'undo' }, ops: back }
    this.emit({ type: 'change', sandbox: this.name, data })
  }

  #made(change: Change, previous?: Tables) {
    this.seq = change.seq
    this.changedBytes += lengthOf(change)
    const now = this.clock.now()
    const needed = { seq: this.journal.oldestStateSeq, time: now - (this.rules?.lookBackMs ?? 0) }
    this.history.push({ change, previous, madeAt: now }, needed)
    this.emit({ type: 'change', sandbox: this.name, data: change })
  }
}
