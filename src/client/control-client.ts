import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { SimulatorAddress } from '../contract/names.ts'
import { INSTANCE_HEADER } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { askSimulator, type Question } from '../http/ask-simulator.ts'
import { ControlError } from './errors.ts'
import type { Chunks } from './event-reader.ts'
import { InstanceWatch } from './instance-watch.ts'

export interface ControlAccess extends SimulatorAddress {
  controlToken?: string
  /** It runs in another process, perhaps behind a proxy. */
  remote?: true
}

/** Talks to `/_sim` of a running simulator, in this process or another. */
export class ControlClient {
  readonly #watch: InstanceWatch

  constructor(
    readonly access: ControlAccess,
    sandbox = 'default',
  ) {
    this.#watch = new InstanceWatch(access.url, sandbox)
  }

  /** A client for another sandbox, which checks that always the same simulator answers for it. */
  for(sandbox: string): ControlClient {
    return new ControlClient(this.access, sandbox)
  }

  async call<T = unknown>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const { status, text } = await this.#request({ method, path, body: sent, signal })
    const value = text === '' ? undefined : parse(text)
    if (value === NOT_JSON) throw notEdgesim(this.access.url, status)
    if (status >= 400) throw new ControlError(status, value ?? {})
    return value as T
  }

  /** The body of an answer that does not end, as it comes. */
  async open(path: string): Promise<Chunks> {
    return (await this.#ask({ method: 'GET', path })).setEncoding('utf8')
  }

  /**
   * Checks that requests with a token reach the same simulator. A proxy treats this request like any other of the API,
   * and it is in no journal.
   */
  async checkToken(token: string): Promise<void> {
    const headers = { accept: 'text/html', authorization: `Bearer ${token}` }
    const res = await this.#send({ method: 'GET', path: '/', headers })
    res.resume()
    this.#watch.answeredToken(instanceOf(res))
  }

  async #request(question: Question): Promise<{ status: number; text: string }> {
    const res = await this.#ask(question)
    let text = ''
    try {
      for await (const chunk of res.setEncoding('utf8')) text += chunk
    } catch (error) {
      throw unreachable(this.access.url, error as Error)
    }
    return { status: res.statusCode!, text }
  }

  async #ask({ path, body, ...rest }: Question): Promise<IncomingMessage> {
    const { controlToken } = this.access
    const headers: OutgoingHttpHeaders = {}
    if (body !== undefined)
      Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    if (controlToken) headers.authorization = `Bearer ${controlToken}`
    const res = await this.#send({ ...rest, path: `/_sim${path}`, headers, body })
    try {
      this.#watch.answered(instanceOf(res))
    } catch (error) {
      res.destroy()
      throw error
    }
    return res
  }

  #send(question: Question): Promise<IncomingMessage> {
    return askSimulator(this.access, question).catch(cause => {
      throw unreachable(this.access.url, cause)
    })
  }
}

const instanceOf = ({ headers }: IncomingMessage) => headers[INSTANCE_HEADER.toLowerCase()] as string | undefined

const unreachable = (url: string, cause: Error) =>
  new SimulatorError('UNREACHABLE', `The simulator at ${url} cannot be reached: ${cause.message}`, { cause })

function notEdgesim(url: string, status: number): SimulatorError {
  if (status < 502 || status > 504)
    return new SimulatorError('NOT_EDGESIM', `What answers at ${url} is not edgesim: its answer is not JSON.`)
  return new SimulatorError(
    'UNREACHABLE',
    `The proxy at ${url} cannot reach the simulator behind it: it answers with status ${status}. Sandboxes that were there are gone if that simulator was restarted.`,
  )
}

const NOT_JSON = Symbol('not JSON')

// biome-ignore lint/suspicious/noExplicitAny: the shape is up to the route
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return NOT_JSON
  }
}
