import { performance } from '../basics/real-time.ts'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import { hashToken, joinToken, type Token } from '../contract/token.ts'
import type { LaunchToken } from '../fixtures/index.ts'
import { Budget, Ids, type Origin, Sandbox, type SandboxEvent, SnapshotRoom } from '../sandbox/index.ts'
import { lengthOf } from '../state/index.ts'
import type { Launch, Recipe } from './launch.ts'

/** What journals, histories and decisions of all sandboxes may take. */
export const PAST_BYTES = 64 * 1024 * 1024

/** What a sandbox keeps of an event. */
function bytesOf(event: SandboxEvent): number {
  if (event.type === 'request') return event.data.bytes
  if (event.type === 'change') return lengthOf(event.data)
  return event.type === 'traffic' ? 1024 : 0
}

/** How many sandboxes that were dropped by themselves are remembered by name. */
export const REMEMBERED = 1000

export interface RegistrySettings {
  /** How many there can be. */
  most: number
  /** `live` is false for events of a sandbox that was dropped: another may have its name by now. */
  emit(event: SandboxEvent, live: boolean): void
  /** Told when some had to forget their journals, since all of them together keep too much. */
  onForgotten(count: number): void
  /** Of what others keep of a sandbox that was dropped, nothing must be left. */
  onDrop(sandbox: Sandbox): void
  /** In milliseconds, of a clock that is never set. */
  now?: () => number
  pastBytes?: number
  snapshotBytes?: number
}

/** The registry of sandboxes. */
export class Sandboxes {
  readonly default: Sandbox
  readonly now: () => number
  /** How many were dropped because nobody used them. */
  expired = 0
  /** Those of them that were dropped last, and why. */
  readonly #gone = new Map<string, string>()
  readonly #room: SnapshotRoom
  readonly #all = new Map<string, Sandbox>()
  readonly #names = new Ids(undefined, '')
  readonly #budget: Budget

  constructor(
    readonly launch: Launch,
    readonly settings: RegistrySettings,
  ) {
    const { now = () => performance.now(), pastBytes = PAST_BYTES, snapshotBytes, onForgotten } = settings
    this.now = now
    this.#budget = new Budget(pastBytes, () => this.#all.values(), onForgotten, now)
    this.#room = new SnapshotRoom(snapshotBytes, () => this.list().map(({ snapshots }) => snapshots))
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
    const known = origin.base.api_keys?.idsWhere('token_sha256', hashToken(secret)) ?? []
    if (known.length === 0) return undefined
    const why = this.#gone.get(name)
    const sandbox = this.#add(name, origin)
    sandbox.warning = why
    return sandbox
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkRoom(name)
    const origin = await this.launch.originOf(recipe)
    // A call with its token may have started it while the fixture was read.
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
    await existing.resetInSlices(origin)
    return existing
  }

  drop(name: string) {
    const sandbox = this.get(name)
    this.#all.delete(name)
    sandbox?.drop()
    if (sandbox) this.settings.onDrop(sandbox)
  }

  /** Drops one that nobody used. Who comes back to it is told why. */
  expire(name: string, why: string) {
    this.drop(name)
    this.expired++
    this.#gone.delete(name)
    this.#gone.set(name, why)
    for (const oldest of this.#gone.keys()) {
      if (this.#gone.size <= REMEMBERED) break
      this.#gone.delete(oldest)
    }
  }

  /** Why there is no longer a sandbox of that name, where it was not dropped by somebody. */
  whyGone(name: string): string | undefined {
    return this.#gone.get(name)
  }

  /** A request to it begins. */
  enter(sandbox: Sandbox) {
    sandbox.underWay++
    this.touch(sandbox)
  }

  leave(sandbox: Sandbox) {
    sandbox.underWay--
    this.touch(sandbox)
  }

  /** Somebody uses it. */
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
    if (name !== 'default') this.#checkRoom(name)
    const sandbox: Sandbox = new Sandbox(
      name,
      origin,
      event => {
        this.#budget.grew(sandbox, bytesOf(event))
        this.settings.emit(event, this.get(name) === sandbox)
      },
      this.#room,
    )
    this.touch(sandbox)
    this.#gone.delete(name)
    this.#all.set(name, sandbox)
    return sandbox
  }

  #checkRoom(name: string) {
    if (this.#all.size >= this.most) fail('too_many_sandboxes', { sandbox: name, most: this.most })
  }
}
