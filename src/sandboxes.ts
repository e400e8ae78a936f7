import { fail } from './errors.ts'
import type { LaunchToken } from './fixtures/index.ts'
import type { Blueprint, Launch, Recipe } from './launch.ts'
import { Ids, Sandbox, type SandboxEvent } from './sandbox/index.ts'
import type { Scenario } from './scenarios/index.ts'
import { hashToken, joinToken, type Token } from './token.ts'
import { NAME } from './words/name.ts'

interface Made {
  sandbox: Sandbox
  tokens: readonly LaunchToken[]
}

/** The registry of sandboxes. */
export class Sandboxes {
  readonly default: Sandbox
  readonly #all = new Map<string, Made>()
  readonly #names = new Ids(undefined, '')

  constructor(
    readonly launch: Launch,
    readonly most: number,
    readonly emit: (event: SandboxEvent) => void,
  ) {
    this.default = this.#add('default', launch.blueprint)
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)?.sandbox
  }

  list(): Sandbox[] {
    return Array.from(this.#all.values(), ({ sandbox }) => sandbox)
  }

  /** The sandbox that a token names. If it does not exist, a token of the launch fixture creates it. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.get(name)
    if (existing) return existing
    if (!NAME.test(name)) return undefined
    const { blueprint } = this.launch
    const known = blueprint.origin.base.api_keys?.idsWhere('token_sha256', hashToken(secret)) ?? []
    if (known.length === 0) return undefined
    this.#checkRoom(name)
    return this.#add(name, blueprint)
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkRoom(name)
    const blueprint = await this.launch.blueprintOf(recipe)
    // A call with its token may have started it while the fixture was read.
    if (this.#all.has(name))
      fail('conflict', { why: `The sandbox "${name}" was created by another request in the meantime` })
    return this.#add(name, blueprint)
  }

  /** Resets a sandbox to another fixture, scenario or seed. */
  async recreate(name: string, recipe: Recipe): Promise<Sandbox> {
    const { origin, tokens } = await this.launch.blueprintOf(recipe)
    const existing = this.#all.get(name)!
    existing.sandbox.origin = origin
    existing.sandbox.reset()
    existing.tokens = tokens
    return existing.sandbox
  }

  drop(name: string) {
    this.get(name)?.drop()
    this.#all.delete(name)
  }

  /** A random name that is not in use. */
  freeName(): string {
    return this.#names
      .id('sandbox', name => this.#all.has(name))
      .toLowerCase()
      .slice(0, 24)
  }

  /** The plain text tokens that still work in the sandbox; of other tokens only hashes are known. */
  tokensOf({ name, tables }: Sandbox): readonly LaunchToken[] {
    const tokens = this.#all.get(name)?.tokens ?? []
    return tokens.filter(({ token }) => tables.of('api_keys').where('token_sha256', hashToken(token)).length > 0)
  }

  /** A token that acts in the sandbox, an admin's if there is one. */
  tokenFor(sandbox: Sandbox): string | null {
    const tokens = this.tokensOf(sandbox)
    const best = tokens.find(({ admin }) => admin) ?? tokens[0]
    if (!best) return null
    return joinToken({ secret: best.token, name: sandbox.name })
  }

  useScenario(sandbox: Sandbox, scenario: Scenario) {
    const fresh = this.launch.use(scenario, sandbox)
    const made = this.#all.get(sandbox.name)
    if (!made || fresh.length === 0) return
    const given = new Set(fresh.map(({ token }) => token))
    made.tokens = [...made.tokens.filter(({ token }) => !given.has(token)), ...fresh]
  }

  /** Reloads the launch fixture or scenario. Sandboxes created from it use the new one from their next reset on. */
  async relaunch(what: 'fixture' | 'scenario') {
    const before = this.launch.blueprint.origin
    await this.launch.reread(what)
    const { blueprint, scenario } = this.launch
    for (const made of this.#all.values()) {
      if (made.sandbox.origin !== before) continue
      made.sandbox.origin = blueprint.origin
      made.tokens = blueprint.tokens
      if (what === 'scenario' && scenario) this.useScenario(made.sandbox, scenario)
    }
    if (what === 'fixture') this.default.reset()
  }

  #add(name: string, { origin, tokens }: Blueprint): Sandbox {
    const sandbox = new Sandbox(name, origin, this.emit)
    this.#all.set(name, { sandbox, tokens })
    return sandbox
  }

  #checkRoom(name: string) {
    if (this.#all.size >= this.most) fail('too_many_sandboxes', { sandbox: name, most: this.most })
  }
}
