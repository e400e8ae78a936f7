import { performance } from '../basics/real-time.ts'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import { hashToken, joinToken, type Token } from '../contract/token.ts'
import type { LaunchToken } from '../fixtures/index.ts'
import {
  Ids,
  JournalBudget,
  MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES,
  type Origin,
  Sandbox,
  type SandboxEvent,
  SnapshotBudget,
} from '../sandbox/index.ts'
import type { Launch, Recipe } from './launch.ts'

/** About what a decision about traffic takes in the journals. */
const DECISION_BYTES = 1024

/** By how much an event makes the journals of its sandbox grow. */
function journalBytesOf(event: SandboxEvent): number {
  if (event.type === 'request') return event.data.bytes
  if (event.type === 'change') return event.data.length
  return event.type === 'traffic' ? DECISION_BYTES : 0
}

/** How many sandboxes that nobody used are remembered by name after they were dropped. */
export const MAX_EXPIRED_NAMES = 1000

export interface RegistrySettings {
  /** How many sandboxes there can be. */
  most: number
  /** `live` is false for events of a sandbox that was dropped: another may have its name by now. */
  emit(event: SandboxEvent, live: boolean): void
  /** Called when journals were cleared, because those of all sandboxes together were too large. */
  onJournalsCleared(count: number): void
  /** Whoever holds something of the sandbox must let go of it. */
  onDrop(sandbox: Sandbox): void
  /** In milliseconds, of a clock that is never set. */
  now?: () => number
  /** The bounds of journals and snapshots of all sandboxes together. */
  journalBytes?: number
  snapshotBytes?: number
}

/** The registry of sandboxes. */
export class Sandboxes {
  readonly default: Sandbox
  readonly now: () => number
  /** How many were dropped because nobody used them. */
  expired = 0
  /** The names of the latest of these, and why each was dropped. */
  readonly #expiredNames = new Map<string, string>()
  readonly #snapshotBudget: SnapshotBudget
  readonly #all = new Map<string, Sandbox>()
  readonly #names = new Ids(undefined, '')
  readonly #journalBudget: JournalBudget

  constructor(
    readonly launch: Launch,
    readonly settings: RegistrySettings,
  ) {
    const { now = () => performance.now(), onJournalsCleared, snapshotBytes } = settings
    const { journalBytes = MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES } = settings
    this.now = now
    this.#journalBudget = new JournalBudget(journalBytes, () => this.#all.values(), onJournalsCleared, now)
    this.#snapshotBudget = new SnapshotBudget(snapshotBytes, () => this.list().map(({ snapshots }) => snapshots))
    this.default = this.#add('default', launch.origin)
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)
  }

  list(): Sandbox[] {
    return [...this.#all.values()]
  }

  /** The sandbox that a token names. If it does not exist, a token of the launch fixture creates it. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.get(name)
    if (existing) return existing
    if (!NAME.test(name)) return undefined
    const { origin } = this.launch
    const known = origin.base.api_keys?.where('token_sha256', hashToken(secret)) ?? []
    if (known.length === 0) return undefined
    const why = this.whyGone(name)
    const sandbox = this.#add(name, origin)
    sandbox.whyPredecessorDropped = why
    return sandbox
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkCount(name)
    const origin = await this.launch.originOf(recipe)
    // A call with a token of that name may have created it while the fixture was read.
    if (this.#all.has(name))
      fail('conflict', { why: `The sandbox "${name}" was created by another request in the meantime` })
    return this.#add(name, origin)
  }

  /** Resets a sandbox to another fixture, scenario or seed. */
  async recreate(name: string, recipe: Recipe): Promise<Sandbox> {
    const origin = await this.launch.originOf(recipe)
    const existing = this.get(name)
    // It may have been dropped while the fixture was read.
    if (!existing) return this.#add(name, origin)
    await existing.resetYielding(origin)
    return existing
  }

  drop(name: string) {
    const sandbox = this.get(name)
    this.#all.delete(name)
    sandbox?.drop()
    if (sandbox) this.settings.onDrop(sandbox)
  }

  /** Drops a sandbox that nobody used, and remembers why for the next request to that name. */
  expire(name: string, why: string) {
    this.drop(name)
    this.expired++
    this.#expiredNames.delete(name)
    this.#expiredNames.set(name, why)
    for (const oldest of this.#expiredNames.keys()) {
      if (this.#expiredNames.size <= MAX_EXPIRED_NAMES) break
      this.#expiredNames.delete(oldest)
    }
  }

  /** Why the sandbox of that name was dropped; undefined when a request did so. */
  whyGone(name: string): string | undefined {
    return this.#expiredNames.get(name)
  }

  /** A request to the sandbox begins. */
  enter(sandbox: Sandbox) {
    sandbox.underWay++
    this.touch(sandbox)
  }

  leave(sandbox: Sandbox) {
    sandbox.underWay--
    this.touch(sandbox)
  }

  /** Notes that the sandbox is in use. */
  touch(sandbox: Sandbox) {
    sandbox.lastUsed = this.now()
  }

  get most(): number {
    return this.settings.most
  }

  get count(): number {
    return this.#all.size
  }

  /** A random name that is not in use. */
  freeName(): string {
    return this.#names
      .id('sandbox', name => this.#all.has(name))
      .toLowerCase()
      .slice(0, 24)
  }

  /** The plain text tokens that still work in the sandbox; of other tokens only hashes are known. */
  tokensOf({ tokens, tables }: Sandbox): readonly LaunchToken[] {
    return tokens.filter(({ token }) => tables.of('api_keys').where('token_sha256', hashToken(token)).length > 0)
  }

  /** A token that acts in the sandbox, an admin's if there is one. */
  tokenFor(sandbox: Sandbox): string | null {
    const tokens = this.tokensOf(sandbox)
    const best = tokens.find(({ admin }) => admin) ?? tokens[0]
    if (!best) return null
    return joinToken({ secret: best.token, name: sandbox.name })
  }

  /** Reloads the launch fixture or scenario. Sandboxes created from it use the new one from their next reset on. */
  async relaunch(what: 'fixture' | 'scenario') {
    const before = this.launch.origin
    await this.launch.reread(what)
    const { origin, scenario } = this.launch
    for (const sandbox of this.#all.values()) {
      if (sandbox.origin !== before) continue
      sandbox.origin = origin
      if (what === 'scenario' && scenario) await this.launch.use(scenario, sandbox)
    }
    if (what === 'fixture') this.default.reset()
  }

  #add(name: string, origin: Origin): Sandbox {
    if (name !== 'default') this.#checkCount(name)
    const sandbox: Sandbox = new Sandbox(
      name,
      origin,
      event => {
        this.#journalBudget.add(sandbox, journalBytesOf(event))
        this.settings.emit(event, this.get(name) === sandbox)
      },
      this.#snapshotBudget,
    )
    this.touch(sandbox)
    this.#expiredNames.delete(name)
    this.#all.set(name, sandbox)
    return sandbox
  }

  #checkCount(name: string) {
    if (this.#all.size >= this.most) fail('too_many_sandboxes', { sandbox: name, most: this.most })
  }
}
