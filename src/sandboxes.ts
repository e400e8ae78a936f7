import type { Assumed } from './assumptions.ts'
import { ApiError, fail } from './errors.ts'
import { FileError } from './files/document.ts'
import type { NamedFiles } from './files/named-files.ts'
import { nearest } from './files/nearest.ts'
import { checkFixture, type Fixture, hashToken, type LaunchToken, readFixtureFile } from './fixtures/index.ts'
import { type Base, baseOf, Ids, type Origin, Sandbox, type SandboxEvent } from './sandbox/index.ts'

type Json = Record<string, unknown>

/** What the simulator was started with: new sandboxes are forks of it. */
export interface Launch {
  fixture: Fixture
  /** Fixtures that can be asked for by name. */
  fixtures: NamedFiles
  assumed: Assumed
  seed?: string
  clock?: { now: number; frozen: boolean }
  maxSandboxes: number
}

/** What a sandbox is to be made of, where it is not what the simulator was started with. */
export interface Recipe {
  fixture?: string | Json
  scenario?: string | Json
  seed?: string | number
}

interface Made {
  sandbox: Sandbox
  tokens: readonly LaunchToken[]
}

export const SANDBOX_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** All sandboxes there are. */
export class Sandboxes {
  readonly default: Sandbox
  readonly #all = new Map<string, Made>()
  readonly #launchBase: Base
  readonly #names = new Ids(undefined, '')

  constructor(
    readonly launch: Launch,
    readonly emit: (event: SandboxEvent) => void,
  ) {
    this.#launchBase = baseOf(launch.fixture.rows)
    this.default = this.#fork('default')
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)?.sandbox
  }

  list(): Sandbox[] {
    return Array.from(this.#all.values(), ({ sandbox }) => sandbox)
  }

  /** The sandbox a token names; one that does not exist yet is started by a token of the launch fixture, and by no other. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.get(name)
    if (existing) return existing
    if (!SANDBOX_NAME.test(name)) return undefined
    const known = this.#launchBase.api_keys?.idsWhere('token_sha256', hashToken(secret)) ?? []
    return known.length > 0 ? this.#fork(name) : undefined
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkRoom(name)
    const { origin, tokens } = await this.#originOf(recipe)
    return this.#add(name, origin, tokens)
  }

  /** Makes a sandbox anew of something else, under the name it has. */
  async recreate(name: string, recipe: Recipe): Promise<Sandbox> {
    const { origin, tokens } = await this.#originOf(recipe)
    const existing = this.#all.get(name)!
    existing.sandbox.origin = origin
    existing.sandbox.reset()
    this.#all.set(name, { sandbox: existing.sandbox, tokens })
    return existing.sandbox
  }

  drop(name: string) {
    this.get(name)?.drop()
    this.#all.delete(name)
  }

  /** A name nobody has; it need not be repeatable, as a test that wants that gives its own. */
  freeName(): string {
    return this.#names
      .id('sandbox', name => this.#all.has(name))
      .toLowerCase()
      .slice(0, 24)
  }

  /** Tokens of its fixture that still work in the sandbox: others cannot be told from their hashes. */
  tokensOf({ name, tables }: Sandbox): readonly LaunchToken[] {
    const tokens = this.#all.get(name)?.tokens ?? []
    return tokens.filter(({ token }) => tables.of('api_keys').where('token_sha256', hashToken(token)).length > 0)
  }

  /** A token that acts in the sandbox, an admin's if there is one. */
  tokenFor(sandbox: Sandbox): string | null {
    const tokens = this.tokensOf(sandbox)
    const best = tokens.find(({ admin }) => admin) ?? tokens[0]
    if (!best) return null
    return sandbox.name === 'default' ? best.token : `${best.token}~${sandbox.name}`
  }

  #fork(name: string): Sandbox {
    this.#checkRoom(name)
    const { assumed, seed, clock, fixture } = this.launch
    return this.#add(name, { base: this.#launchBase, assumed, seed, clock }, fixture.tokens)
  }

  #add(name: string, origin: Origin, tokens: readonly LaunchToken[]): Sandbox {
    const sandbox = new Sandbox(name, origin, this.emit)
    this.#all.set(name, { sandbox, tokens })
    return sandbox
  }

  #checkRoom(name: string) {
    const { maxSandboxes } = this.launch
    if (this.#all.size >= maxSandboxes && name !== 'default')
      fail('too_many_sandboxes', { sandbox: name, most: maxSandboxes })
  }

  async #originOf({ fixture, seed }: Recipe): Promise<{ origin: Origin; tokens: readonly LaunchToken[] }> {
    const { launch } = this
    const origin = { base: this.#launchBase, assumed: launch.assumed, seed: launch.seed, clock: launch.clock }
    if (seed !== undefined) origin.seed = String(seed)
    if (fixture === undefined) return { origin, tokens: launch.fixture.tokens }
    const loaded = await this.#fixture(fixture)
    return { origin: { ...origin, base: baseOf(loaded.rows) }, tokens: loaded.tokens }
  }

  /** By name from the launch folders, or as it is; never by path. */
  async #fixture(given: string | Json): Promise<Fixture> {
    const now = this.launch.clock?.now ?? this.default.clock.now()
    if (typeof given === 'string') {
      const file = this.launch.fixtures.find(given)
      const names = this.launch.fixtures.names()
      if (!file)
        fail('not_found', {
          what: `fixture "${given.slice(0, 80)}"`,
          nearest: nearest(given, names),
          exists: `There are: ${names.join(', ')}.`,
        })
      return readFixtureFile(file, now).catch(asBadRequest)
    }
    const fixture = checkFixture(given, { now, ensureKey: true })
    if (Array.isArray(fixture))
      fail('bad_request', {
        why: `The fixture does not fit: ${fixture
          .slice(0, 10)
          .map(({ message }) => message)
          .join('; ')}`,
      })
    return fixture
  }
}

function asBadRequest(error: unknown): never {
  if (error instanceof FileError) throw new ApiError('bad_request', { why: error.message })
  throw error
}

export interface Token {
  /** What the stored hash covers. */
  secret: string
  /** The sandbox it acts in. */
  name: string
}

/** `sim_admin~checkout-7` acts in the sandbox `checkout-7`; without a tilde, in `default`. */
export function splitToken(token: string): Token {
  const at = token.indexOf('~')
  return at < 0 ? { secret: token, name: 'default' } : { secret: token.slice(0, at), name: token.slice(at + 1) }
}
