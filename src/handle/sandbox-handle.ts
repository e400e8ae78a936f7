import type { Expectation, Miss } from '../control/expectation.ts'
import type { Entry } from '../sandbox/journal.ts'
import type { Row } from '../schema/row.ts'
import { type ControlClient, ControlError } from './control-client.ts'

type Json = Record<string, unknown>

/** A sandbox's state, in the format of a fixture. */
export type State = Record<string, Row[]>

export interface RequestFilter {
  operation?: string
  method?: string
  path?: string
  /** A status, or a class like `4xx`. */
  status?: number | string
  caller?: string
  /** An operation id or a time. */
  since?: string
  limit?: number
}

/** The requests were not as expected; the message names what came closest. */
export class VerifyError extends Error {
  override name = 'VerifyError'
  constructor(
    message: string,
    readonly matched: string[],
    readonly nearest: Miss[],
  ) {
    const misses = nearest.map(({ id, method, path, differs }) => {
      const how = differs.map(
        ({ field, expected, received }) =>
          `${field} is ${received === undefined ? 'absent' : JSON.stringify(received)}, not ${JSON.stringify(expected)}`,
      )
      return `  ${method} ${path} (${id}): ${how.join('; ')}`
    })
    super(misses.length > 0 ? `${message}\nNearest:\n${misses.join('\n')}` : message)
  }
}

/** One sandbox of a running simulator: what a test needs of it. */
export class SandboxHandle {
  readonly #control: ControlClient
  readonly #base: string

  constructor(
    control: ControlClient,
    readonly name: string,
    /** Where clients of the API go. */
    readonly url: string,
    /** What they authenticate with: it also chooses this sandbox. */
    readonly token: string,
  ) {
    this.#control = control
    this.#base = `/sandboxes/${name}`
  }

  async reset(): Promise<void> {
    await this.#control.call('POST', `${this.#base}/reset`)
  }

  state(): Promise<State> {
    return this.#control.call('GET', `${this.#base}/state`)
  }

  async setState(fixture: Json): Promise<void> {
    await this.#control.call('PUT', `${this.#base}/state`, fixture)
  }

  async snapshot(name: string): Promise<void> {
    await this.#control.call('PUT', `${this.#base}/snapshots/${encodeURIComponent(name)}`)
  }

  async restore(name: string): Promise<void> {
    await this.#control.call('POST', `${this.#base}/snapshots/${encodeURIComponent(name)}/restore`)
  }

  /** The journal, newest first. */
  async requests(filter: RequestFilter = {}): Promise<Entry[]> {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    const { requests } = await this.#control.call<{ requests: Entry[] }>('GET', `${this.#base}/requests?${query}`)
    return requests
  }

  /** The ids of the requests that match; throws with the nearest misses when they are not as expected. */
  async verify(expectation: Expectation): Promise<string[]> {
    try {
      const { matched } = await this.#control.call<{ matched: string[] }>(
        'POST',
        `${this.#base}/requests/verify`,
        expectation,
      )
      return matched
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 409) throw error
      throw new VerifyError(error.message, error.body.matched as string[], error.body.nearest as Miss[])
    }
  }

  /** The state just before a request of the journal. */
  async rewind(id: string): Promise<void> {
    await this.#control.call('POST', `${this.#base}/requests/${encodeURIComponent(id)}/rewind`)
  }

  /** By name from the shelf, or as it is. */
  async useScenario(scenario: string | Json): Promise<void> {
    await this.#control.call(
      'PUT',
      `${this.#base}/scenario`,
      typeof scenario === 'string' ? { name: scenario } : scenario,
    )
  }

  /** Removes the scenario's rules and assumptions and returns to real time; the state stays. */
  async endScenario(): Promise<void> {
    await this.#control.call('DELETE', `${this.#base}/scenario`)
  }

  readonly clock = {
    freeze: async (at?: string | Date): Promise<void> => {
      const now = at instanceof Date ? at.toISOString() : at
      await this.#control.call('PUT', `${this.#base}/clock`, { now, frozen: true })
    },
    advance: async (duration: string): Promise<void> => {
      await this.#control.call('PUT', `${this.#base}/clock`, { advance: duration })
    },
    resume: async (): Promise<void> => {
      await this.#control.call('DELETE', `${this.#base}/clock`)
    },
  }

  /** One that was dropped before stays so. */
  async drop(): Promise<void> {
    try {
      await this.#control.call('DELETE', this.#base)
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 404) throw error
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop()
  }
}
