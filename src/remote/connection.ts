import { setTimeout as wait } from 'node:timers/promises'
import { performance } from '../basics/real-time.ts'
import { printable } from '../basics/text.ts'
import { type Alarm, realAlarm, within } from '../basics/within.ts'
import { API_VERSION, versionHeader } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { version } from '../files/package.ts'
import { ask } from '../http/ask.ts'
import { isLocalHost } from '../ip/cidr.ts'
import { isFinal, readResponse, retryAfter, type ServiceResponse, TOO_MANY } from './response.ts'

/** The API of a real account, or of a simulator in its place, and the key to it. */
export interface Account {
  url: string
  key: string
  vendor: string
}

interface Question {
  body?: unknown
  /** Null leaves out a header that every request has. */
  headers?: Record<string, string | null>
  signal?: AbortSignal
  /** Sending it twice does no more than sending it once. */
  repeatable?: boolean
}

/** Time passes; a test has its own. */
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

/** Half of what the service allows: production shares the limit. */
export const REQUESTS_PER_MINUTE = 60
export const MAX_REQUESTS_PER_MINUTE = 60_000
/** How often a request is sent until it is answered: the waits between are 1, 2, 4 … seconds, a minute together. */
export const MAX_TRIES = 7
/** How often something is asked for that should be JSON and is not. */
const MAX_GARBLED = 3
/** The longest wait that the service may ask for. */
export const MAX_WAIT_SECONDS = 600
export const ANSWER_WITHIN_SECONDS = 30
/** Limit the pages of a list: a service could name further ones without end. */
export const MAX_PAGES = 2000

/** No answer came to a request that may have had an effect. */
export class LostResponse extends SimulatorError {
  constructor(message: string) {
    super('UNREACHABLE', message)
  }
}

/**
 * The only way to the real service. It sends no other methods than those it was made with, to no other host, not more
 * often than it may, and waits when the service asks it to.
 */
export class Connection<M extends string> {
  readonly #account: Account
  readonly #methods: readonly M[]
  readonly #pace: number
  readonly #maxPages: number
  readonly #time: Time
  readonly #onWait: (seconds: number, why: string) => void
  #next = Number.NEGATIVE_INFINITY
  /** How many requests were sent. */
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

  /** Sends a request until it is answered. Fails with `LostAnswer` if it is not repeatable and may have had an effect. */
  async send(method: M, path: string, question: Question = {}): Promise<ServiceResponse> {
    if (!this.#methods.includes(method)) throw new Error(`${method} ${path} is not sent: only ${this.#methods} are`)
    const { repeatable = method === 'GET', signal } = question
    for (let tries = 1; ; tries++) {
      await this.#takeTurn(signal)
      const { response, why } = await this.#ask(method, path, question).then(
        response => ({
          response,
          why: response.garbled ? 'its answer is not JSON' : `it answered with status ${response.status}`,
        }),
        (error: Error) => ({ response: undefined, why: error.message }),
      )
      if (response && isFinal(response) && (!response.garbled || tries === MAX_GARBLED)) return response
      signal?.throwIfAborted()
      const told = `${this.host} gives no answer to ${method} ${printable(path)}: ${printable(why)}`
      if (tries === MAX_TRIES) throw new SimulatorError('UNREACHABLE', `${told}. It was sent ${tries} times.`)
      const seconds = retryAfter(response) ?? 2 ** (tries - 1)
      if (seconds > MAX_WAIT_SECONDS)
        throw new SimulatorError('UNREACHABLE', `${told}, and asks to wait for ${seconds} s. Run this again then.`)
      this.#onWait(seconds, why)
      await this.#time.wait(seconds * 1000, signal)
      if (!repeatable && response?.status !== TOO_MANY) throw new LostResponse(told)
    }
  }

  /** All pages of a list, from this path on. The next one must be at the same place. */
  async *pages(this: Connection<M | 'GET'>, path: string, signal?: AbortSignal): AsyncGenerator<Page> {
    const seen = new Set<string>()
    for (let next: string | undefined = path; next !== undefined; ) {
      if (seen.has(next)) throw new SimulatorError('UNREACHABLE', `the pages of ${path} go in a circle`)
      if (seen.size === this.#maxPages)
        throw new SimulatorError('UNREACHABLE', `${path} has more than ${this.#maxPages} pages`)
      seen.add(next)
      const response: ServiceResponse = await this.send('GET', next, { signal })
      const uri = (response.body as { next_page_uri?: unknown } | undefined)?.next_page_uri
      next = response.status === 200 && typeof uri === 'string' && uri !== '' ? this.#pathOf(uri) : undefined
      yield { response, next }
    }
  }

  /** The path of a page that an answer names. */
  #pathOf(uri: string): string {
    const base = new URL(this.#account.url)
    const at = URL.canParse(uri, base) ? new URL(uri, base) : undefined
    const prefix = base.pathname.replace(/\/$/, '')
    if (at?.origin !== base.origin || !at.pathname.startsWith(`${prefix}/`))
      throw new SimulatorError(
        'UNREACHABLE',
        `${this.host} names a next page at another place, ${printable(uri.slice(0, 200))}. It is not asked for: the key is only for ${base.href}`,
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

  async #ask(method: M, path: string, { body, headers, signal }: Question): Promise<ServiceResponse> {
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
    const given = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
    const question = { method, path, headers: Object.fromEntries(given), body: sent }
    return within(
      ANSWER_WITHIN_SECONDS * 1000,
      async late => readResponse(await ask(this.#account, { ...question, signal: late })),
      // A request that may have an effect is waited for: what becomes of it must be known.
      { outer: method === 'GET' ? signal : undefined, alarm: this.#time.alarm },
    )
  }
}

export interface Page {
  response: ServiceResponse
  /** Where the next one is. */
  next: string | undefined
}

/** The key must not be readable on its way. */
function checkSafe(url: string) {
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password)
    throw new SimulatorError(
      'INVALID_OPTION',
      '--url: must not have a user name or password. Give the key in EDGESIM_API_KEY.',
    )
  if (protocol !== 'https:' && !isLocalHost(hostname))
    throw new SimulatorError(
      'INVALID_OPTION',
      `--url ${url}: must be https, since the key is sent there. Only this machine may be asked by http.`,
    )
}
