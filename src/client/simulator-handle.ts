import { randomUUID } from 'node:crypto'
import type { Lenient } from '../contract/lenient.ts'
import type { Fixture, Scenario } from '../contract/shapes.ts'
import { ControlClient, ControlError } from './control-client.ts'
import { nameOrContent, SandboxHandle } from './sandbox-handle.ts'

/** What a sandbox is created from, if it differs from the launch. */
export interface SandboxRecipe {
  /** A name, a file, or the thing itself. */
  fixture?: string | Lenient<Fixture>
  scenario?: string | Lenient<Scenario>
  seed?: string | number
}

/** Files are read here: the simulator may run elsewhere, and takes no paths. */
const withoutPaths = async ({ fixture, scenario, ...rest }: SandboxRecipe = {}) => ({
  ...rest,
  fixture: await nameOrContent(fixture),
  scenario: await nameOrContent(scenario),
})

/** What was refused before any sandbox saw it, and when it last was. */
export interface Refusal {
  at: string
  msg: string
}

interface Created {
  name: string
  token: string | null
}

/** A running simulator, wherever it runs. */
export class SimulatorHandle {
  readonly #control: ControlClient
  readonly #close: () => Promise<void>
  readonly url: string
  /** The PEM certificate of one that serves HTTPS, for clients to trust. */
  readonly certificate: string | undefined

  constructor(
    control: ControlClient,
    /** A token that acts in the default sandbox; null when none can be told. */
    readonly token: string | null,
    close: () => Promise<void>,
  ) {
    this.#control = control
    this.#close = close
    this.url = control.access.url
    this.certificate = control.access.ca
  }

  get default(): SandboxHandle {
    return new SandboxHandle(this.#control, 'default', this.url, this.token ?? '')
  }

  /**
   * The sandbox of that name, created if needed; without a name, a new one. With a recipe, it is created from that, or
   * reset to it.
   */
  async sandbox(name?: string, recipe?: SandboxRecipe): Promise<SandboxHandle> {
    // The name is ours also where nobody cares: it says where a request goes.
    const chosen = name ?? `sandbox-${randomUUID().slice(0, 13)}`
    const control = this.#control.for(chosen)
    const path = `/sandboxes/${encodeURIComponent(chosen)}`
    const existing = name !== undefined && recipe === undefined ? await this.#existing(control, path) : undefined
    const made = existing ?? (await control.call<Created>('PUT', path, await withoutPaths(recipe)))
    if (control.access.remote && made.token !== null) await control.checkToken(made.token)
    return new SandboxHandle(control, made.name, this.url, made.token ?? '')
  }

  /** The latest 20 different ones, the latest last: foreign Hosts and origins, a missing control token. */
  async refusals(): Promise<Refusal[]> {
    return (await this.#control.call<{ refused: Refusal[] }>('GET', '/info')).refused
  }

  async #existing(control: ControlClient, path: string): Promise<Created | undefined> {
    try {
      return await control.call<Created>('GET', path)
    } catch (error) {
      if (error instanceof ControlError && error.status === 404) return undefined
      throw error
    }
  }

  close(): Promise<void> {
    return this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

export interface ConnectOptions {
  controlToken?: string
  /** The PEM certificate of a simulator that serves HTTPS. */
  ca?: string
}

/** The simulator that runs at an address: closing the handle leaves it running. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<SimulatorHandle> {
  const control = new ControlClient({ ...options, url: url.replace(/\/+$/, ''), remote: true })
  const { tokens } = await control.call<{ tokens: { token: string; admin: boolean }[] }>('GET', '/info')
  const best = tokens.find(({ admin }) => admin) ?? tokens[0]
  return new SimulatorHandle(control, best?.token ?? null, async () => {})
}
