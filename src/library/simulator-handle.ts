/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto'
import type { Lenient } from '../contract/lenient.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { Fixture, Scenario } from '../ngrok/shapes.ts'
import type { ControlClient } from './control-client.ts'
import { nameOrContent, nameOrFixture, SandboxHandle } from './sandbox-handle.ts'

/** Overrides the simulator's options for a sandbox. */
export interface SandboxRecipe {
  /** A name, a file path, or the fixture itself. */
  fixture?: string | Lenient<Fixture>
  scenario?: string | Lenient<Scenario>
  seed?: string | number
}

/** Reads the files: the simulator may run elsewhere, and does not accept paths. */
const withoutPaths = async ({ fixture, scenario, ...rest }: SandboxRecipe = {}) => ({
  ...rest,
  fixture: await nameOrFixture(fixture),
  scenario: await nameOrContent(scenario),
})

/** Why requests were rejected before they reached a sandbox, and the time of the latest one. */
export interface Refusal {
  at: string
  msg: string
}

interface Created {
  name: string
  token: string | null
}

/** A running simulator, in this process or another. */
export class SimulatorHandle {
  readonly #control: ControlClient
  readonly #close: () => Promise<void>
  readonly #env: () => Record<string, string>
  readonly url: string
  /** The PEM certificate that clients trust; undefined for HTTP. */
  readonly certificate: string | undefined

  constructor(
    control: ControlClient,
    /** A token for the default sandbox; null if unknown. */
    readonly token: string | null,
    close: () => Promise<void>,
    env = (): Record<string, string> => ({ EDGESIM_URL: this.url, EDGESIM_TOKEN: this.token ?? '' }),
  ) {
    this.#control = control
    this.#close = close
    this.#env = env
    this.url = control.access.url
    this.certificate = control.access.ca
  }

  /**
   * Environment variables for a client of this simulator: `spawn(command, { env: { ...process.env, ...sim.env } })`. With
   * the option `as`, they redirect that host to the simulator.
   */
  get env(): Record<string, string> {
    return this.#env()
  }

  get default(): SandboxHandle {
    return new SandboxHandle(this.#control, 'default', this.url, this.token ?? '')
  }

  /**
   * The sandbox with that name, created if missing. Without a name, a new sandbox. A recipe also resets an existing
   * sandbox to it.
   */
  async sandbox(name?: string, recipe?: SandboxRecipe): Promise<SandboxHandle> {
    if (name === '')
      throw new SimulatorError('INVALID_OPTION', 'The sandbox name is empty. Omit it to create a new sandbox.')
    // Always generate the name here: a proxy chooses the simulator by the name in the path.
    const chosen = name ?? `sandbox-${randomUUID().slice(0, 13)}`
    const control = this.#control.for(chosen)
    const path = `/sandboxes/${encodeURIComponent(chosen)}`
    const existing =
      name !== undefined && recipe === undefined ? await control.callIfThere<Created>('GET', path) : undefined
    const created = existing ?? (await control.call<Created>('PUT', path, await withoutPaths(recipe)))
    if (control.access.remote && created.token !== null) await control.checkToken(created.token)
    return new SandboxHandle(control, created.name, this.url, created.token ?? '')
  }

  /** The latest 20 distinct reasons, newest last: unknown Host or origin, missing control token. */
  async refusals(): Promise<Refusal[]> {
    return (await this.#control.call<{ refused: Refusal[] }>('GET', '/info')).refused
  }

  close(): Promise<void> {
    return this.#close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
