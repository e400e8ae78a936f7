import { setTimeout as wait } from 'node:timers/promises'
import { isLocalHost } from '../../basics/cidr.ts'
import { performance } from '../../basics/real-time.ts'
import { printable } from '../../basics/text.ts'
import { type Alarm, realAlarm, within } from '../../basics/within.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { version } from '../../engine/files/package.ts'
import { sendRequest } from '../../server/http/send-request.ts'
import { API_VERSION, versionHeader } from '../vendor.ts'
import { isFinal, readResponse, retryAfter, type ServiceResponse, TOO_MANY } from './response.ts'

/** A real account, or a simulator in its place, and its API key. */
export interface Account {
  url: string
  key: string
  vendor: string
}

interface RequestOptions {
  body?: unknown
  /** Null omits a default header. */
  headers?: Record<string, string | null>
  signal?: AbortSignal
  /** Sending the request twice has the same effect as sending it once. */
  repeatable?: boolean
}

/** Replaced in tests. */
export interface Time {
  now(): number
  wait(ms: number, signal?: AbortSignal): Promise<unknown>
  alarm: Alarm
}

const realTime: Time = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
  alarm: realAlarm,
}

/** Half of the API's limit, because production shares it. */
export const REQUESTS_PER_MINUTE = 60
export const MAX_REQUESTS_PER_MINUTE = 60_000
/** Attempts per request. The waits between them are 1, 2, 4 … seconds: about a minute in total. */
export const MAX_TRIES = 7
/** Attempts while a response that should be JSON is not. */
const MAX_GARBLED = 3
/** The longest `Retry-After` that is accepted. */
export const MAX_WAIT_SECONDS = 600
export const RESPONSE_TIMEOUT_SECONDS = 30
/** Pages per list: a server could link to further ones without end. */
export const MAX_PAGES = 2000

/** The response to a request that may have had an effect was lost. */
export class LostResponse extends SimulatorError {
  constructor(message: string) {
    super('UNREACHABLE', message)
  }
}

/**
 * The only connection to the real API. It sends only the methods it was created with, only to one host, no faster than
 * `pace`, and waits as long as `Retry-After` says.
 */
export class Connection<M extends string> {
  readonly #account: Account
  readonly #methods: readonly M[]
  readonly #pace: number
  readonly #maxPages: number
  readonly #time: Time
  readonly #onWait: (seconds: number, why: string) => void
  #next = Number.NEGATIVE_INFINITY
  sent = 0

  constructor(
    account: Account,
    methods: readonly M[],
    options: { pace?: number; maxPages?: number; time?: Time; onWait?(seconds: number, why: string): void } = {},
  ) {
    checkSafe(account.url)
    this.#account = account
    this.#methods = methods
    this.#pace = options.pace ?? REQUESTS_PER_MINUTE
    this.#maxPages = options.maxPages ?? MAX_PAGES
    this.#time = options.time ?? realTime
    this.#onWait = options.onWait ?? (() => {})
  }

  get host() {
    return new URL(this.#account.url).host
  }

  get vendor() {
    return this.#account.vendor
  }

  /** Retries until there is a response. Throws `LostResponse` if retrying a request is not safe. */
  async send(method: M, path: string, options: RequestOptions = {}): Promise<ServiceResponse> {
    if (!this.#methods.includes(method)) throw new Error(`${method} ${path} is not allowed: only ${this.#methods}`)
    const { repeatable = method === 'GET', signal } = options
    for (let tries = 1; ; tries++) {
      await this.#takeTurn(signal)
      const { response, why } = await this.#ask(method, path, options).then(
        response => ({
          response,
          why: response.garbled ? 'the response is not JSON' : `status ${response.status}`,
        }),
        (error: Error) => ({ response: undefined, why: error.message }),
      )
      if (response && isFinal(response) && (!response.garbled || tries === MAX_GARBLED)) return response
      signal?.throwIfAborted()
      const failure = `${method} ${printable(path)} failed at ${this.host}: ${printable(why)}`
      if (tries === MAX_TRIES) throw new SimulatorError('UNREACHABLE', `${failure}. Gave up after ${tries} attempts.`)
      const seconds = retryAfter(response) ?? 2 ** (tries - 1)
      if (seconds > MAX_WAIT_SECONDS)
        throw new SimulatorError('UNREACHABLE', `${failure}. Run the command again after ${seconds} s (Retry-After).`)
      this.#onWait(seconds, why)
      await this.#time.wait(seconds * 1000, signal)
      if (!repeatable && response?.status !== TOO_MANY) throw new LostResponse(failure)
    }
  }

  /** All pages of a list, starting at this path. Links to other hosts are rejected. */
  async *pages(this: Connection<M | 'GET'>, path: string, signal?: AbortSignal): AsyncGenerator<Page> {
    const seen = new Set<string>()
    for (let next: string | undefined = path; next !== undefined; ) {
      if (seen.has(next)) throw new SimulatorError('UNREACHABLE', `The pages of ${path} form a loop.`)
      if (seen.size === this.#maxPages)
        throw new SimulatorError('UNREACHABLE', `${path} has more than ${this.#maxPages} pages.`)
      seen.add(next)
      const response: ServiceResponse = await this.send('GET', next, { signal })
      const uri = (response.body as { next_page_uri?: unknown } | undefined)?.next_page_uri
      next = response.status === 200 && typeof uri === 'string' && uri !== '' ? this.#pathOf(uri) : undefined
      yield { response, next }
    }
  }

  /** The path of a `next_page_uri`. */
  #pathOf(uri: string): string {
    const base = new URL(this.#account.url)
    const at = URL.canParse(uri, base) ? new URL(uri, base) : undefined
    const prefix = base.pathname.replace(/\/$/, '')
    if (at?.origin !== base.origin || !at.pathname.startsWith(`${prefix}/`))
      throw new SimulatorError(
        'UNREACHABLE',
        `${this.host} links to a next page at another address, "${printable(uri.slice(0, 200))}". It was not requested, because the key is only for ${base.href}.`,
      )
    return at.pathname.slice(prefix.length) + at.search
  }

  async #takeTurn(signal: AbortSignal | undefined) {
    signal?.throwIfAborted()
    const now = this.#time.now()
    const turn = Math.max(now, this.#next)
    this.#next = turn + 60_000 / this.#pace
    if (turn > now) await this.#time.wait(turn - now, signal)
  }

  async #ask(method: M, path: string, { body, headers, signal }: RequestOptions): Promise<ServiceResponse> {
    this.sent++
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const all: Record<string, string | number | null> = {
      accept: 'application/json',
      authorization: `Bearer ${this.#account.key}`,
      'user-agent': `edgesim/${version}`,
      [versionHeader(this.vendor).toLowerCase()]: API_VERSION,
      ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      ...headers,
    }
    const headerList = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
    const options = { method, path, headers: Object.fromEntries(headerList), body: sent }
    return within(
      RESPONSE_TIMEOUT_SECONDS * 1000,
      async late => readResponse(await sendRequest(this.#account, { ...options, signal: late })),
      // Do not abort a request that may have an effect: its outcome must be known.
      { outer: method === 'GET' ? signal : undefined, alarm: this.#time.alarm },
    )
  }
}

export interface Page {
  response: ServiceResponse
  /** The path of the next page. */
  next: string | undefined
}

/** The key must not be sent in plain text. */
function checkSafe(url: string) {
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password)
    throw new SimulatorError(
      'INVALID_OPTION',
      '--url must not contain a user name or password. Set the key in EDGESIM_API_KEY.',
    )
  if (protocol !== 'https:' && !isLocalHost(hostname))
    throw new SimulatorError(
      'INVALID_OPTION',
      `--url ${url} must use HTTPS, because the API key is sent there. HTTP is allowed only for this machine.`,
    )
}
