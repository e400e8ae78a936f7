import type { Assumed } from './assumptions.ts'
import { fail } from './errors.ts'
import { type Fixture, hashToken } from './fixtures/index.ts'
import { type Base, baseOf, Sandbox, type SandboxEvent } from './sandbox/index.ts'

/** What the simulator was started with: new sandboxes are forks of it. */
export interface Launch {
  fixture: Fixture
  assumed: Assumed
  seed?: string
  clock?: { now: number; frozen: boolean }
  maxSandboxes: number
}

export const SANDBOX_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** All sandboxes there are. */
export class Sandboxes {
  readonly default: Sandbox
  readonly #all = new Map<string, Sandbox>()
  readonly #launchBase: Base

  constructor(
    readonly launch: Launch,
    readonly emit: (event: SandboxEvent) => void,
  ) {
    this.#launchBase = baseOf(launch.fixture.rows)
    this.default = this.create('default')
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)
  }

  list(): Sandbox[] {
    return [...this.#all.values()]
  }

  create(name: string): Sandbox {
    const { maxSandboxes, assumed, seed, clock } = this.launch
    if (this.#all.size >= maxSandboxes && name !== 'default')
      fail('too_many_sandboxes', { sandbox: name, most: maxSandboxes })
    const sandbox = new Sandbox(name, { base: this.#launchBase, assumed, seed, clock }, this.emit)
    this.#all.set(name, sandbox)
    return sandbox
  }

  drop(name: string) {
    this.#all.get(name)?.drop()
    this.#all.delete(name)
  }

  /** The sandbox a token names; one that does not exist yet is started by a token of the launch fixture, and by no other. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.#all.get(name)
    if (existing) return existing
    if (!SANDBOX_NAME.test(name)) return undefined
    const known = this.#launchBase.api_keys?.idsWhere('token_sha256', hashToken(secret)) ?? []
    return known.length > 0 ? this.create(name) : undefined
  }
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
