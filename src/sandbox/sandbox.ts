import { runYielding } from '../basics/slices.ts'
import type { Assumed } from '../contract/assumptions.ts'
import { fail } from '../contract/errors.ts'
import type { LaunchToken } from '../contract/info.ts'
import {
  type Cause,
  type Change,
  type History,
  type Op,
  replay,
  type SavedSandbox,
  stateText,
  Tables,
} from '../state/index.ts'
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
  /** Plain text tokens that are new with the state. */
  tokens?: readonly LaunchToken[]
  /** Called when the disk does not confirm the change. */
  onUndone?: () => void
  /** What `logTextOf` gave for the state. */
  text?: readonly Uint8Array[]
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
  /** What the assumed rate limit has counted; those of rules are with the rules. */
  counted!: Counted
  /** Plain text tokens that may still work. */
  tokens!: readonly LaunchToken[]
  tables: Tables
  readonly snapshots: Snapshots
  changedBytes = 0
  seq = 0
  /** Ends when the sandbox is reset or dropped: waits end, and earlier requests can no longer write. */
  lifetime = new Lifetime()
  log: ChangeLog | undefined
  lastUsed = 0
  /** What `journalBytes` was when all sandboxes were last summed up. */
  countedJournalBytes = 0
  /** Requests of the API and of the control plane that are not answered yet. */
  underWay = 0
  /** Set while the disk has not confirmed a change that was due by the clock: answers that would show it wait for it. */
  settling: Promise<void> | undefined
  /** Set while its edges open or close ports: an answer that made them do so waits for it. */
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

  /** Logs the change, then applies it: both, or neither. */
  commit(cause: Cause, ops: readonly Op[], lifetime = this.lifetime, onUndone?: () => void): Change {
    return commit(this, cause, ops, lifetime, onUndone)
  }

  /** The whole state becomes another, in one change. */
  replace(cause: Cause, other: Tables, options: Replacing = {}): Change {
    const { lifetime = this.lifetime, tokens = [], onUndone, text } = options
    const before = this.tokens
    const undone = () => {
      this.tokens = before
      onUndone?.()
    }
    const change =
      other.line === this.tables.line
        ? commit(this, cause, this.tables.opsTo(other), lifetime, undone)
        : swap(this, cause, { tables: other, text }, lifetime, undone)
    const given = new Set(tokens.map(({ token }) => token))
    this.tokens = [...before.filter(({ token }) => !given.has(token)), ...tokens]
    return change
  }

  /** Back to the state it was created with, or to another origin's. Requests in progress can no longer write. */
  reset(origin = this.origin, text?: readonly Uint8Array[]) {
    const { ids, clock, journal, decisions, deliveries, history, assumed, rules, counted, tokens, tables } = this
    const kept = { ids, clock, journal, decisions, deliveries, history, assumed, rules, counted, tokens, tables }
    const before = { origin: this.origin, ...kept }
    const next = new Tables(origin.base)
    const sameBase = tables.base === origin.base
    const cause: Cause = { kind: 'reset' }
    const change = sameBase ? nextEdit(this, cause, tables.opsTo(next)) : nextSwap(this, cause, next)
    const parts = newParts(this.name, origin)
    this.ids = parts.ids
    try {
      const undo = () => Object.assign(this, before)
      // Over the same base, ops lead back: the state need not be logged whole.
      logChange(this, change, this.lifetime, undo, sameBase ? undefined : { tables: next, text })
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

  /** The same in slices: a large state does not keep other requests waiting. */
  async resetYielding(origin = this.origin) {
    const text = this.tables.base === origin.base ? undefined : await this.logTextOf(new Tables(origin.base))
    this.reset(origin, text)
  }

  /** What the log will write when that state replaces this one. It may be long, and is made in slices. */
  async logTextOf(other: Tables): Promise<readonly Uint8Array[] | undefined> {
    if (!this.log || other.line === this.tables.line) return undefined
    return runYielding(stateText(other))
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

  /** Draws from another seed from now on. The counters stay, so that nothing is drawn twice. */
  reseed(seed: string | undefined) {
    if (seed === this.ids.seed) return
    const { counters } = this.ids
    this.ids = new Ids(seed, this.name)
    this.ids.counters = counters
  }

  /** The state as it was at that time, and the time since when states are known. */
  stateAt(time: number): { tables: Tables; knownSince: number } {
    const tables = this.history.before(this.tables, (_change, madeAt) => madeAt <= time)
    return { tables, knownSince: this.history.knownSince }
  }

  /** Restores the state from just before a request of the journal. This is a change too, so it can be undone. */
  rewind(id: string): Change {
    const seq = this.journal.get(id)?.stateSeq
    if (seq === undefined || this.history.reachesBackTo(this.seq) > seq) {
      const exists =
        'It was never in this sandbox, or it was dropped: the journal and the changes behind it are bounded.'
      fail('not_found', { what: `request ${id} to rewind to`, id, exists })
    }
    return this.replace(
      { kind: 'rewind', id },
      this.history.before(this.tables, change => change.seq <= seq),
    )
  }

  /** Continues from a stored state and the changes made to it since. */
  resume({ base, seq, counters, changes, clean }: SavedSandbox) {
    const last = changes.at(-1)
    this.tables = replay(base, changes)
    this.seq = last?.seq ?? seq
    this.ids.counters = { ...(last?.counters ?? counters) }
    // Requests that change nothing draw an operation id too, but are not in the log; ids of events are drawn after it.
    if (clean) return
    this.ids.skip('op')
    this.ids.skip('ev')
  }

  /** Resolves when the changes so far are as safe as `--durability` promises. */
  async durable() {
    try {
      await this.log?.durable?.()
    } catch (error) {
      fail('cannot_write', { why: `the disk did not confirm it: ${(error as Error).message}` })
    }
  }
}
