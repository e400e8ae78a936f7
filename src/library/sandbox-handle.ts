/// <reference lib="esnext.disposable" preserve="true" />
import type { EventDelivery } from '../contract/event-delivery.ts'
import type { DeliveryExpectation, DeliveryMiss, Miss } from '../contract/expectation.ts'
import type { DefaultRequests, ScenarioReport } from '../contract/info.ts'
import type { Lenient, LenientFor } from '../contract/lenient.ts'
import { NAME } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { TrafficQuestion } from '../contract/traffic.ts'
import { readDocument } from '../engine/files/document.ts'
import { NamedFiles } from '../engine/files/named-files.ts'
import { expandFixture } from '../engine/fixtures/index.ts'
import type { Fixture, Scenario } from '../ngrok/shapes.ts'
import type { ControlClient } from './control-client.ts'
import { ControlError, VerifyError } from './errors.ts'
import { readEvents, type SandboxEvent } from './event-reader.ts'
import type { AllTables, DeliveryFilter, EdgeAddress, RecordsHandle, RequestFilter, State } from './handle-types.ts'
import type { Expectation, Har, JournalEntry, TrafficReport, TrafficVerdict } from './wire-types.ts'

/** One sandbox of a running simulator. */
export class SandboxHandle {
  readonly #control: ControlClient
  readonly #base: string
  #token: string

  constructor(
    control: ControlClient,
    readonly name: string,
    /** The base URL for clients of the API. */
    readonly url: string,
    token: string,
  ) {
    this.#control = control
    this.#base = `/sandboxes/${name}`
    this.#token = token
  }

  /** The token that authenticates clients and selects this sandbox. Replacing the state may change it. */
  get token(): string {
    return this.#token
  }

  async reset(): Promise<void> {
    await this.#call('POST', '/reset')
    await this.#refreshToken()
  }

  state(): Promise<State> {
    return this.#call('GET', '/state')
  }

  async setState(fixture: Lenient<Fixture>): Promise<void> {
    await this.#call('PUT', '/state', fixture)
    await this.#refreshToken()
  }

  snapshot(name: string): Promise<void> {
    return this.#do('PUT', `/snapshots/${encodeURIComponent(name)}`)
  }

  async restore(name: string): Promise<void> {
    await this.#call('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
    await this.#refreshToken()
  }

  /** The journal, newest first. */
  async requests(filter: RequestFilter = {}): Promise<JournalEntry[]> {
    return (await this.#call<{ requests: JournalEntry[] }>('GET', `/requests?${toQuery(filter)}`)).requests
  }

  /** The journal in HAR format, oldest first, for a browser's network panel. Complete without a limit. */
  har(filter: RequestFilter = {}): Promise<Har> {
    return this.#call('GET', `/requests.har?${toQuery(filter)}`)
  }

  /** One request of the journal, with its response and explanation. */
  request(id: string): Promise<JournalEntry> {
    return this.#call('GET', `/requests/${encodeURIComponent(id)}`)
  }

  /**
   * The requests to the sandbox `default` since this one was created, by key. Often from a client with a hard-coded
   * token, or from other tests.
   */
  async defaultRequests(): Promise<DefaultRequests[]> {
    return (await this.#call<{ default_requests?: DefaultRequests[] }>('GET', '')).default_requests ?? []
  }

  /** New events of the sandbox. */
  async *events(): AsyncGenerator<SandboxEvent, void, undefined> {
    yield* readEvents(await this.#control.open(`${this.#base}/events`))
  }

  /** The raw records of a table, such as `ip_policies`. */
  db<T extends keyof AllTables>(table: T): RecordsHandle<AllTables[T][number]> {
    const path = `/db/${encodeURIComponent(table)}`
    const one = (id: string) => `${path}/${encodeURIComponent(id)}`
    return {
      list: (query = {}) => this.#call('GET', `${path}?${new URLSearchParams(query)}`),
      get: id => this.#call('GET', one(id)),
      add: record => this.#call('POST', path, record),
      change: (id, fields) => this.#call('PATCH', one(id), fields),
      remove: id => this.#call('DELETE', one(id)),
    }
  }

  /** Listeners with their counters, and the latest decisions. In sandboxes other than `default`, this opens the ports. */
  traffic(): Promise<TrafficReport> {
    return this.#call('GET', '/traffic')
  }

  /** The first address of an edge. */
  async edge(id: string): Promise<EdgeAddress> {
    const { listeners, certificate } = await this.traffic()
    const own = listeners.filter(({ edge }) => edge === id)
    const found = own.find(each => each.error === undefined)
    if (found) return { url: found.url, host: found.host, port: found.port, certificate }
    const why = own[0]?.error ?? 'unknown edge, or no loopback address in its hostports'
    throw new SimulatorError('NOT_LISTENING', `Edge ${id} is not listening: ${why}`)
  }

  /** The decision of an edge on a connection or request, without sending it. */
  checkTraffic(question: TrafficQuestion): Promise<TrafficVerdict> {
    return this.#call('POST', '/traffic/check', question)
  }

  /** The ids of matching requests. Throws a VerifyError with the closest misses if the expectation is not met. */
  verify(expectation: Expectation): Promise<string[]> {
    return this.#verify<Miss>('/requests/verify', expectation)
  }

  /** Published events by destination, newest first. */
  async deliveries(filter: DeliveryFilter = {}): Promise<EventDelivery[]> {
    return (await this.#call<{ deliveries: EventDelivery[] }>('GET', `/deliveries?${toQuery(filter)}`)).deliveries
  }

  /** The ids of matching events. Throws a VerifyError with the closest misses if the expectation is not met. */
  verifyDelivery(expectation: DeliveryExpectation): Promise<string[]> {
    return this.#verify<DeliveryMiss>('/deliveries/verify', expectation)
  }

  async #verify<M extends Miss | DeliveryMiss>(path: string, expectation: object): Promise<string[]> {
    try {
      return (await this.#call<{ matched: string[] }>('POST', path, expectation)).matched
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 409) throw error
      throw new VerifyError(error.message, error.body.matched as string[], error.body.nearest as M[])
    }
  }

  /** Restores the state before a request of the journal. */
  rewind(id: string): Promise<void> {
    return this.#do('POST', `/requests/${encodeURIComponent(id)}/rewind`)
  }

  /**
   * Activates a scenario: a name, a file or an object. The compiler checks literals completely, but imported JSON only
   * partly, because all its strings have the type `string`.
   */
  useScenario<const S extends string | Lenient<Scenario>>(
    scenario: S & (S extends Scenario ? never : string | LenientFor<Scenario, S>),
  ): Promise<void>
  // Compiler errors show the last overload.
  useScenario(scenario: string | Scenario): Promise<void>
  async useScenario(scenario: string | Lenient<Scenario>): Promise<void> {
    await this.#call('PUT', '/scenario', await nameOrContent(scenario))
    await this.#refreshToken()
  }

  /** The active scenario, with match counts per rule. Its name is null without a scenario. */
  scenario(): Promise<ScenarioReport> {
    return this.#call('GET', '/scenario')
  }

  /** Removes the scenario's rules and assumptions, and returns to real time. The state is unchanged. */
  endScenario(): Promise<void> {
    return this.#do('DELETE', '/scenario')
  }

  #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#control.call(method, this.#base + path, body)
  }

  /** A call without a result. */
  async #do(method: string, path: string, body?: unknown): Promise<void> {
    await this.#call(method, path, body)
  }

  async #refreshToken() {
    const { token } = await this.#call<{ token: string | null }>('GET', '')
    this.#token = token ?? ''
  }

  readonly clock = {
    now: async () => new Date((await this.#call<{ now: string }>('GET', '/clock')).now),
    freeze: (at?: string | Date) =>
      this.#do('PUT', '/clock', { now: at instanceof Date ? at.toISOString() : at, frozen: true }),
    advance: (duration: string) => this.#do('PUT', '/clock', { advance: duration }),
    resume: () => this.#do('DELETE', '/clock'),
  }

  /** Marks the sandbox as one whose test failed. `edgesim exec` lists its failed requests first. */
  markFailed(): Promise<void> {
    return this.#do('PATCH', '', { failed: true })
  }

  /** Deletes the sandbox, if it still exists. */
  async drop(): Promise<void> {
    await this.#control.callIfThere('DELETE', this.#base)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop()
  }
}

/** A scenario for the control API. A string that is not a name is the path of a file to read. */
export const nameOrContent = async (given: unknown) => (isPath(given) ? (await readDocument(given)).value : given)

/** A fixture. The simulator cannot read the files that it extends, so they are read here. */
export async function nameOrFixture<T>(given: T, fixtures = new NamedFiles('fixtures', undefined)): Promise<T> {
  return isPath(given) ? ((await expandFixture(await readDocument(given), fixtures)).value as T) : given
}

const isPath = (given: unknown): given is string => typeof given === 'string' && !NAME.test(given)

function toQuery(filter: RequestFilter | DeliveryFilter): URLSearchParams {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
}
