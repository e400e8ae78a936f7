import { randomUUID } from 'node:crypto'
import type { Fixture, Scenario } from '../shapes.ts'
import type { Lenient } from '../words/lenient.ts'
import { type ControlAccess, ControlClient, ControlError } from './control-client.ts'
import { SandboxHandle } from './sandbox-handle.ts'

/** What a sandbox is created from, if it differs from the launch. */
export interface SandboxRecipe {
  /** A name, or the thing itself. */
  fixture?: string | Lenient<Fixture>
  scenario?: string | Lenient<Scenario>
  seed?: string | number
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
    access: ControlAccess,
    /** A token that acts in the default sandbox; null when none can be told. */
    readonly token: string | null,
    close: () => Promise<void>,
  ) {
    this.#control = new ControlClient(access)
    this.#close = close
    this.url = access.url
    this.certificate = access.ca
  }

  get default(): SandboxHandle {
    return new SandboxHandle(this.#control, 'default', this.url, this.token ?? '')
  }

  /**
   * The sandbox of that name, created if needed; without a name, a new one. With a recipe, it is created from that, or
   * reset to it.
   */
  async sandbox(name?: string, recipe?: SandboxRecipe): Promise<SandboxHandle> {
    const existing = name !== undefined && recipe === undefined ? await this.#existing(name) : undefined
    // The name is ours also where nobody cares: it says where a request goes.
    const path = `/sandboxes/${encodeURIComponent(name ?? `sandbox-${randomUUID().slice(0, 13)}`)}`
    const made = existing ?? (await this.#control.call<Created>('PUT', path, recipe ?? {}))
    return new SandboxHandle(this.#control, made.name, this.url, made.token ?? '')
  }

  async #existing(name: string): Promise<Created | undefined> {
    try {
      return await this.#control.call<Created>('GET', `/sandboxes/${encodeURIComponent(name)}`)
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
  const access = { ...options, url: url.replace(/\/+$/, '') }
  const { tokens } = await new ControlClient(access).call<{ tokens: { token: string; admin: boolean }[] }>(
    'GET',
    '/info',
  )
  const best = tokens.find(({ admin }) => admin) ?? tokens[0]
  return new SimulatorHandle(access, best?.token ?? null, async () => {})
}
