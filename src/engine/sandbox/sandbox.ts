import { wallClock } from '../../basics/real-time.ts'
import type { LaunchToken } from '../../contract/info.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { Assumed } from '../question.ts'
import { type Cause, type Change, type History, type Op, replay, type SavedSandbox, Tables } from '../state/index.ts'
import { type Changeable, type ChangeLog, commit, logChange, nextEdit, nextSwap, swap } from './changes.ts'
import type { Clock } from './clock.ts'
import type { Decisions } from './decisions.ts'
import type { Deliveries } from './deliveries.ts'
import type { SandboxEvent } from './events.ts'
import { Ids } from './ids.ts'
import type { Journal } from './journal.ts'
import { Lifetime } from './lifetime.ts'
import { type ActiveRules, type Counted, newParts, type Origin, type ResetParts } from './origin.ts'
import { SnapshotBudget, Snapshots } from './snapshots.ts'

interface Replacing {
  lifetime?: Lifetime
  /** New plain text tokens of the state. */
  tokens?: readonly LaunchToken[]
}

/** One complete, isolated simulated account. */
export class Sandbox implements ResetParts, Changeable {
  origin!: Origin
  ids!: Ids
  clock!: Clock
  journal!: Journal
  decisions!: Decisions
  deliveries!: Deliveries
  history!: History
  assumed!: Assumed
  rules: ActiveRules | undefined
  /** The calls counted by the assumed rate limit. Limits in rules have their own counters. */
  counted!: Counted
  /** Plain text tokens that may still work. */
  tokens!: readonly LaunchToken[]
  tables: Tables
  readonly snapshots: Snapshots
  changedBytes = 0
  seq = 0
  /** Ends when the sandbox is reset or dropped. Then waits end, and earlier requests can no longer write. */
  lifetime = new Lifetime()
  log: ChangeLog | undefined
  /** In real time. A reset does not change it. */
  readonly createdAt = wallClock()
  lastUsed = 0
  /** The simulator's number of requests when this sandbox was created, or reset by its name. */
  arrivalsBefore = 0
  /** `journalBytes` at the last count of all sandboxes. */
  countedJournalBytes = 0
  /** API and control API requests without a response yet. */
  activeRequests = 0
  /** Set while listeners open or close. The response to the request that caused it waits for it. */
  pendingListeners: Promise<void> | undefined

  constructor(
    readonly name: string,
    origin: Origin,
    readonly emit: (event: SandboxEvent) => void,
    snapshotBudget = new SnapshotBudget(),
  ) {
    this.snapshots = new Snapshots(this, snapshotBudget)
    this.tables = new Tables(origin.base)
    Object.assign(this, newParts(name, origin))
  }

  get api() {
    return this.origin.api
  }

  /** Logs the change, then applies it: both, or neither. */
  commit(cause: Cause, ops: readonly Op[], lifetime = this.lifetime): Change {
    return commit(this, cause, ops, lifetime)
  }

  /** Replaces the whole state in one change, by another or by ops that lead to it. */
  replace(cause: Cause, to: Tables | readonly Op[], options: Replacing = {}): Change {
    const { lifetime = this.lifetime, tokens = [] } = options
    const before = this.tokens
    const change =
      to instanceof Tables && to.line !== this.tables.line
        ? swap(this, cause, to, lifetime)
        : commit(this, cause, to instanceof Tables ? this.tables.opsTo(to) : to, lifetime)
    const newTokens = new Set(tokens.map(({ token }) => token))
    this.tokens = [...before.filter(({ token }) => !newTokens.has(token)), ...tokens]
    return change
  }

  /** Restores the initial state, or switches to another origin. Requests in progress can no longer write. */
  reset(origin = this.origin) {
    const { ids, tables } = this
    const next = new Tables(origin.base)
    const sameBase = tables.base === origin.base
    const cause: Cause = { kind: 'reset' }
    const change = sameBase ? nextEdit(this, cause, tables.opsTo(next)) : nextSwap(this, cause, next)
    const parts = newParts(this.name, origin)
    this.ids = parts.ids
    try {
      // With the same base, ops lead back, so the whole state need not be logged.
      logChange(this, change, this.lifetime, sameBase ? undefined : next)
    } catch (error) {
      this.ids = ids
      throw error
    }
    Object.assign(this, parts, { tables: next, seq: change.seq })
    this.lifetime.end()
    this.lifetime = new Lifetime()
    this.emit({ type: 'change', sandbox: this.name, data: change })
    this.emit({ type: 'reset', sandbox: this.name, data: {} })
  }

  get journalBytes(): number {
    return this.journal.bytes + this.history.bytes + this.decisions.bytes + this.deliveries.bytes
  }

  clearJournals() {
    this.journal.dropAll()
    this.decisions.dropAll()
    this.deliveries.dropAll()
    this.history.clear()
  }

  /** Uses another seed from now on. The counters continue, so no value repeats. */
  reseed(seed: string | undefined) {
    if (seed === this.ids.seed) return
    const { counters } = this.ids
    this.ids = new Ids(seed, this.name)
    this.ids.counters = counters
  }

  /** The state at that time, and the time since when states are known. */
  stateAt(time: number): { tables: Tables; knownSince: number } {
    const tables = this.history.before(this.tables, (_change, changedAt) => changedAt <= time)
    return { tables, knownSince: this.history.knownSince }
  }

  /** Restores the state from just before a request in the journal. This is also a change, so it can be undone. */
  rewind(id: string): Change {
    const seq = this.journal.get(id)?.stateSeq
    if (seq === undefined || this.history.reachesBackTo(this.seq) > seq) {
      const exists = 'This sandbox never received it, or its journal no longer contains it.'
      fail(errors.not_found, { what: `request ${id}`, id, exists })
    }
    return this.replace(
      { kind: 'rewind', id },
      this.history.before(this.tables, change => change.seq <= seq),
    )
  }

  /** Resumes from a stored state and the changes made since then. */
  resume({ base, seq, counters, changes, clean }: SavedSandbox) {
    const last = changes.at(-1)
    this.tables = replay(base, changes)
    this.seq = last?.seq ?? seq
    this.ids.counters = { ...(last?.counters ?? counters) }
    if (clean) return
    // Requests that change nothing also use an operation id, but are not in the log. Ids of events are generated after it.
    for (const prefix of ['op', this.api.events?.prefix ?? []].flat()) this.ids.skip(prefix)
  }
}
