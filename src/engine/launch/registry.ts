import { performance } from '../../basics/real-time.ts'
import type { LaunchToken } from '../../contract/info.ts'
import { NAME } from '../../contract/names.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import {
  Ids,
  MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES,
  type Origin,
  Sandbox,
  type SandboxEvent,
  type SnapshotBudget,
} from '../sandbox/index.ts'
import { hashToken, joinToken, type Token } from '../token.ts'
import type { Launch, Recipe } from './launch.ts'

/** The limit for journals, decisions and changes of all sandboxes. */
export const MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES = 64 * 1024 * 1024
/** Journals are cleared above the first fraction of the limit, until they are below the second. */
const CLEAR_ABOVE = 7 / 8
const CLEAR_DOWN_TO = 3 / 4

export interface RegistrySettings {
  /** The maximum number of sandboxes. */
  most: number
  /** The value of `--sandbox-ttl`. */
  ttl?: string
  /** `live` is false for events of a dropped sandbox. Another one may have its name now. */
  emit(event: SandboxEvent, live: boolean): void
  warn(text: string): void
  /** Resources of the sandbox must be released. */
  onDrop(sandbox: Sandbox): void
  /** In milliseconds, on a monotonic clock. */
  now?: () => number
  /** The limits for journals and snapshots of all sandboxes. */
  journalBytes?: number
  snapshotBytes?: number
}

const MAX_FAILED_NAMES = 1000

/** How a sandbox is used. */
interface Use {
  /** On a monotonic clock, in milliseconds. */
  latest: number
  /** API and control API requests without a response yet. */
  activeRequests: number
  /** The simulator's number of requests when the sandbox was created, or reset by its name. */
  arrivalsBefore: number
  /** Its `journalBytes` at the last count. */
  journalBytes: number
}

export class Sandboxes {
  readonly default: Sandbox
  readonly now: () => number
  /** The number of sandboxes dropped because they were unused. */
  expired = 0
  /** The number of sandboxes created so far. */
  created = 0
  /** The names of sandboxes whose test failed, including dropped ones, latest last. */
  readonly failed = new Set<string>()
  /** The number of requests so far, in all sandboxes. */
  arrivals = 0
  readonly #snapshotBudget: SnapshotBudget
  readonly #all = new Map<string, Sandbox>()
  readonly #uses = new WeakMap<Sandbox, Use>()
  readonly #names = new Ids(undefined, '')
  #journalBytes = 0
  #warned = false

  constructor(
    readonly launch: Launch,
    readonly settings: RegistrySettings,
  ) {
    const { now = () => performance.now(), snapshotBytes: maxBytes = MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES } = settings
    this.now = now
    this.#snapshotBudget = { maxBytes, all: () => this.list().map(({ snapshots }) => snapshots) }
    this.default = this.#add('default', launch.origin)
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)
  }

  list(): Sandbox[] {
    return [...this.#all.values()]
  }

  /** The sandbox in a token. If it does not exist, a token of the launch fixture creates it. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.get(name)
    if (existing) return existing
    if (!NAME.test(name)) return undefined
    const { origin } = this.launch
    // Without tokens, any request may name a sandbox.
    const { keys } = origin.api.catalog
    const known = keys && origin.base.tables[keys.table]?.where('token_sha256', hashToken(secret))
    if (keys && !known?.length) return undefined
    return this.#add(name, origin)
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkCount(name)
    const origin = await this.launch.originOf(recipe)
    // A request with a token for it may have created it while the fixture was read.
    if (this.#all.has(name))
      fail(errors.conflict, { why: `The sandbox "${name}" was created by another request in the meantime` })
    return this.#add(name, origin)
  }

  /** Resets a sandbox, to another fixture, scenario or seed if the recipe has any. */
  async recreate(name: string, recipe: Recipe): Promise<Sandbox> {
    const isSame = Object.keys(recipe).length === 0
    const origin = await this.launch.originOf(recipe)
    const existing = this.get(name)
    // The sandbox may have been dropped while the fixture was read.
    if (!existing) return this.#add(name, origin)
    existing.reset(isSame ? undefined : origin)
    this.useOf(existing).arrivalsBefore = this.arrivals
    return existing
  }

  drop(name: string) {
    const sandbox = this.get(name)
    this.#all.delete(name)
    if (!sandbox) return
    sandbox.lifetime.end()
    this.#journalBytes -= this.useOf(sandbox).journalBytes
    this.settings.onDrop(sandbox)
  }

  /** Notes whether the sandbox's test failed. */
  setFailed(name: string, failed: boolean) {
    this.failed.delete(name)
    if (failed) this.failed.add(name)
    if (this.failed.size > MAX_FAILED_NAMES) this.failed.delete(this.failed.values().next().value!)
  }

  readonly useOf = (sandbox: Sandbox): Use => this.#uses.get(sandbox)!

  /** A request to the sandbox starts. */
  enter(sandbox: Sandbox) {
    const use = this.useOf(sandbox)
    use.activeRequests++
    use.latest = this.now()
  }

  leave(sandbox: Sandbox) {
    const use = this.useOf(sandbox)
    use.activeRequests--
    use.latest = this.now()
  }

  /** Records that the sandbox is used. */
  touch(sandbox: Sandbox) {
    this.useOf(sandbox).latest = this.now()
  }

  get count(): number {
    return this.#all.size
  }

  /** A random unused name. */
  freeName(): string {
    return this.#names
      .id('sandbox', name => this.#all.has(name))
      .toLowerCase()
      .slice(0, 24)
  }

  /** The plain text tokens that still work in the sandbox. Other tokens are only known as hashes. */
  tokensOf({ tokens, tables }: Sandbox): readonly LaunchToken[] {
    const { keys } = tables.catalog
    if (!keys) return []
    const isActive = (id: string) => keys.owners.every(table => tables.get(table, id)?.active !== false)
    return tokens.filter(
      ({ token, owner_id }) => tables.of(keys.table).first('token_sha256', hashToken(token)) && isActive(owner_id),
    )
  }

  /** A token for the sandbox, preferably an admin's. */
  tokenFor(sandbox: Sandbox): string | null {
    const tokens = this.tokensOf(sandbox)
    const best = tokens.find(({ admin }) => admin) ?? tokens[0]
    if (!best) return null
    return joinToken({ secret: best.token, name: sandbox.name })
  }

  /** Reloads the launch fixture or scenario. Sandboxes created from it use the new one after their next reset. */
  async relaunch(what: 'fixture' | 'scenario') {
    const before = this.launch.origin
    await this.launch.load(what)
    const { origin, scenario } = this.launch
    for (const sandbox of this.#all.values()) {
      if (sandbox.origin !== before) continue
      sandbox.relaunch(origin)
      if (what === 'scenario' && scenario) this.launch.use(scenario, sandbox)
    }
    if (what === 'fixture') this.default.reset()
  }

  #add(name: string, origin: Origin): Sandbox {
    if (name !== 'default') this.#checkCount(name)
    const sandbox: Sandbox = new Sandbox(
      name,
      origin,
      event => {
        const isLive = this.get(name) === sandbox
        if (isLive) this.#boundJournals(sandbox)
        this.settings.emit(event, isLive)
      },
      this.#snapshotBudget,
    )
    const use = { latest: this.now(), activeRequests: 0, arrivalsBefore: this.arrivals, journalBytes: 0 }
    this.#uses.set(sandbox, use)
    this.created++
    this.#all.set(name, sandbox)
    return sandbox
  }

  /**
   * Each sandbox has its own limits, but the journals of ten thousand sandboxes would fill any memory. So the least
   * recently used sandboxes lose theirs.
   */
  #boundJournals(current: Sandbox) {
    this.#countJournals(current).latest = this.now()
    const { journalBytes: most = MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES, warn } = this.settings
    if (this.#journalBytes <= most * CLEAR_ABOVE) return
    let cleared = 0
    for (const sandbox of this.list().sort((a, b) => this.useOf(a).latest - this.useOf(b).latest)) {
      if (this.#journalBytes <= most * CLEAR_DOWN_TO) break
      if (sandbox === current || this.useOf(sandbox).journalBytes === 0) continue
      sandbox.clearJournals()
      this.#countJournals(sandbox)
      cleared++
    }
    if (cleared === 0 || this.#warned) return
    this.#warned = true
    const which = cleared === 1 ? 'least recently used sandbox' : `${cleared} least recently used sandboxes`
    warn(
      `The journals of all sandboxes reached their size limit. Cleared the journals of the ${which}. Drop sandboxes that you no longer need.`,
    )
  }

  #countJournals(sandbox: Sandbox): Use {
    const use = this.useOf(sandbox)
    this.#journalBytes += sandbox.journalBytes - use.journalBytes
    use.journalBytes = sandbox.journalBytes
    return use
  }

  #checkCount(name: string) {
    if (this.#all.size >= this.settings.most)
      fail(errors.too_many_sandboxes, { sandbox: name, most: this.settings.most })
  }
}
