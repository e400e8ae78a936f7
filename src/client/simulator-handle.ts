import { randomUUID } from 'node:crypto'
import type { Lenient } from '../contract/lenient.ts'
import type { Fixture, Scenario } from '../contract/shapes.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { ControlClient } from './control-client.ts'
import { nameOrContent, SandboxHandle } from './sandbox-handle.ts'

/** What a sandbox is created from, where it differs from the options of the simulator. */
export interface SandboxRecipe {
  /** A name, the path of a file, or the fixture itself. */
  fixture?: string | Lenient<Fixture>
  scenario?: string | Lenient<Scenario>
  seed?: string | number
}

/** Reads files here: the simulator may run elsewhere, and takes no paths. */
const withoutPaths = async ({ fixture, scenario, ...rest }: SandboxRecipe = {}) => ({
  ...rest,
  fixture: await nameOrContent(fixture),
  scenario: await nameOrContent(scenario),
})

/** Why requests were refused before they reached a sandbox, and when the latest one was. */
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
  /** The PEM certificate that clients trust; undefined for a simulator that serves HTTP. */
  readonly certificate: string | undefined

  constructor(
    control: ControlClient,
    /** A token for the default sandbox; null when it has none that is known. */
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
   * The variables for a program that uses this simulator: `spawn(command, { env: { ...process.env, ...sim.env } })`. With
   * the option `as`, the program finds it at the address of that host.
   */
  get env(): Record<string, string> {
    return this.#env()
  }

  get default(): SandboxHandle {
    return new SandboxHandle(this.#control, 'default', this.url, this.token ?? '')
  }

  /**
   * The sandbox of that name, created if needed; without a name, a new one. With a recipe, the sandbox is created from
   * it, or reset to it.
   */
  async sandbox(name?: string, recipe?: SandboxRecipe): Promise<SandboxHandle> {
    if (name === '')
      throw new SimulatorError('INVALID_OPTION', 'The name of a sandbox is empty. Leave it out to get a new sandbox.')
    // The name is always chosen here: a proxy picks the simulator by the name in the path.
    const chosen = name ?? `sandbox-${randomUUID().slice(0, 13)}`
    const control = this.#control.for(chosen)
    const path = `/sandboxes/${encodeURIComponent(chosen)}`
    const existing =
      name !== undefined && recipe === undefined ? await control.callIfThere<Created>('GET', path) : undefined
    const made = existing ?? (await control.call<Created>('PUT', path, await withoutPaths(recipe)))
    if (control.access.remote && made.token !== null) await control.checkToken(made.token)
    return new SandboxHandle(control, made.name, this.url, made.token ?? '')
  }

  /** The latest 20 different reasons, the latest last: foreign Hosts and origins, a missing control token. */
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
