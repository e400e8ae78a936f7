import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { within } from '../basics/within.ts'
import { INSTANCE_HEADER, type SimulatorAddress } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { type OutgoingRequest, sendRequest } from '../server/http/send-request.ts'
import { ControlError } from './errors.ts'
import type { Chunks } from './event-reader.ts'

export interface ControlAccess extends SimulatorAddress {
  controlToken?: string
  /** Runs in another process, perhaps behind a proxy. */
  remote?: true
}

const PROXY_ADVICE =
  'A proxy in front of several simulators must send all requests of a sandbox to the same simulator: by the name in /_sim/sandboxes/{name}, and by the part after ~ in the bearer token (see docs/scale-out.md)'

/** Long enough for a very busy machine. */
const HEALTH_MS = 30_000

/**
 * Client of `/_sim` of a simulator in this process or another. Checks that the same simulator always responds for a
 * sandbox: on another one, its data would seem to be lost.
 */
export class ControlClient {
  #instance: string | undefined

  constructor(
    readonly access: ControlAccess,
    readonly sandbox = 'default',
  ) {}

  for(sandbox: string): ControlClient {
    return new ControlClient(this.access, sandbox)
  }

  async call<T = unknown>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const res = await this.#request({ method, path, body: sent, signal })
    const response = await text(res).catch(cause => this.#failUnreachable(cause))
    const value = response === '' ? undefined : this.#parse(response, res.statusCode!)
    if (res.statusCode! >= 400) throw new ControlError(res.statusCode!, value ?? {})
    return value
  }

  /** The simulator's version. Fails if none runs there, or if it does not respond in time. */
  async checkHealth(ms = HEALTH_MS): Promise<string> {
    const { url } = this.access
    // Another client: behind a proxy, any simulator may respond.
    const health = await within(ms, late =>
      this.for('default')
        .call<{ status?: string; version?: string } | null | undefined>('GET', '/health', undefined, late)
        .catch(error => {
          if (!late.aborted) throw error
          throw new SimulatorError('UNREACHABLE', `No response from ${url} within ${ms / 1000} s.`)
        }),
    )
    if (health?.status !== 'ok') throw new SimulatorError('NOT_EDGESIM', `The server at ${url} is not edgesim.`)
    return String(health.version)
  }

  /** Like `call`, but undefined for status 404. */
  async callIfThere<T>(method: string, path: string): Promise<T | undefined> {
    return this.call<T>(method, path).catch(error => {
      if (error instanceof ControlError && error.status === 404) return undefined
      throw error
    })
  }

  /** The body of an endless response. */
  async open(path: string): Promise<Chunks> {
    return (await this.#request({ method: 'GET', path })).setEncoding('utf8')
  }

  /**
   * Checks that requests with a token reach the same simulator. A proxy treats this request like any other API request,
   * and the journal does not record it.
   */
  async checkToken(token: string): Promise<void> {
    const headers = { accept: 'text/html', authorization: `Bearer ${token}` }
    const res = await this.#send({ method: 'GET', path: '/', headers })
    res.resume()
    this.#checkInstance(
      res,
      other =>
        `At ${this.access.url}, API and control requests of the sandbox "${this.sandbox}" reach different simulators (${other} and ${this.#instance}). ${PROXY_ADVICE}.`,
    )
  }

  async #request({ path, body, ...rest }: OutgoingRequest): Promise<IncomingMessage> {
    const { controlToken, url } = this.access
    const headers: OutgoingHttpHeaders = {}
    if (body !== undefined)
      Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    if (controlToken) headers.authorization = `Bearer ${controlToken}`
    const res = await this.#send({ ...rest, path: `/_sim${path}`, headers, body })
    this.#checkInstance(
      res,
      other =>
        `Two simulators (${this.#instance}, then ${other}) respond at ${url} for the sandbox "${this.sandbox}". ${PROXY_ADVICE}. If the simulator was restarted, the sandbox no longer exists. Connect and create it again.`,
    )
    return res
  }

  #send(question: OutgoingRequest): Promise<IncomingMessage> {
    return sendRequest(this.access, question).catch(cause => this.#failUnreachable(cause))
  }

  /** A response of the proxy itself has no instance header. */
  #checkInstance(res: IncomingMessage, describe: (other: string) => string) {
    const instance = res.headers[INSTANCE_HEADER.toLowerCase()] as string | undefined
    this.#instance ??= instance
    if (instance === undefined || instance === this.#instance) return
    res.destroy()
    throw new SimulatorError('TWO_INSTANCES', describe(instance))
  }

  // biome-ignore lint/suspicious/noExplicitAny: depends on the route
  #parse(response: string, status: number): any {
    try {
      return JSON.parse(response)
    } catch {
      const { url } = this.access
      if (status < 502 || status > 504)
        throw new SimulatorError('NOT_EDGESIM', `The server at ${url} is not edgesim: its response is not JSON.`)
      throw new SimulatorError(
        'UNREACHABLE',
        `The proxy at ${url} cannot reach the simulator: it returns status ${status}. If the simulator was restarted, its sandboxes no longer exist.`,
      )
    }
  }

  #failUnreachable(cause: Error): never {
    const message = `Cannot reach the simulator at ${this.access.url}: ${cause.message}`
    throw new SimulatorError('UNREACHABLE', message, { cause })
  }
}
