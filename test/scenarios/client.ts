import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { vi } from 'vitest'
import type { SimulatorOptions } from '../../src/options.ts'
import type { Entry } from '../../src/sandbox/journal.ts'
import { simulate } from '../support/simulate.ts'

/** What a client saw: an answer, whole or not, or the error its connection ended with. */
export interface Seen {
  status?: number
  headers: http.IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
  body: any
  /** `ECONNRESET` and the like. */
  error?: string
  /** The system call that failed: `read` when the peer has reset the connection, nothing when it only closed it. */
  syscall?: string
  ms: number
}

export interface SendOptions {
  body?: unknown
  token?: string
  /** Gives up after that many milliseconds. */
  leaveAfter?: number
  /** Keeps the connection for later requests. */
  agent?: http.Agent
  headers?: Record<string, string>
}

type Rules = Record<string, unknown>[]

/** A simulator with some rules at work, and a client of it that tells what happens to its connection. */
export async function underRules(rules: Rules, options: SimulatorOptions = {}) {
  return speakTo({ scenario: { name: 'test', rules }, ...options })
}

export async function speakTo(options: SimulatorOptions = {}) {
  const simulator = await simulate(options)
  const { url, port, certificate: ca } = simulator

  function send(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
    const { token = 'sim_admin', agent = false, leaveAfter } = how
    const text = how.body === undefined ? undefined : JSON.stringify(how.body)
    const headers: http.OutgoingHttpHeaders = { authorization: `Bearer ${token}`, 'service-version': '2' }
    if (text !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = Buffer.byteLength(text)
    }
    const began = performance.now()
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let answer: http.IncomingMessage | undefined
      const finish = (error?: NodeJS.ErrnoException) => {
        const received = Buffer.concat(chunks).toString()
        resolve({
          status: answer?.statusCode,
          headers: answer?.headers ?? {},
          text: received,
          body: parsed(received),
          error: error?.code,
          syscall: error?.syscall,
          ms: performance.now() - began,
        })
      }
      const { request } = ca ? https : http
      const req = request(url + path, { method, agent, ca, headers: { ...headers, ...how.headers } }, res => {
        answer = res
        res.on('data', chunk => chunks.push(chunk))
        res.on('error', finish)
        res.on('end', () => finish())
      })
      req.on('error', finish)
      if (leaveAfter !== undefined) setTimeout(() => req.destroy(), leaveAfter)
      req.end(text)
    })
  }

  /** Everything that comes over a connection of its own, until the server closes it. */
  function bytes(method: string, path: string): Promise<{ received: Buffer; error?: string }> {
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer sim_admin\r\nService-Version: 2\r\n\r\n`
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let error: string | undefined
      const socket = ca ? connectTls({ port, host: '127.0.0.1', ca }) : connect(port, '127.0.0.1')
      socket.once(ca ? 'secureConnect' : 'connect', () => socket.write(head))
      socket.on('data', chunk => chunks.push(chunk))
      socket.on('error', (failed: NodeJS.ErrnoException) => {
        error = failed.code
      })
      socket.on('close', () => resolve({ received: Buffer.concat(chunks), error }))
    })
  }

  const control = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await send(method, `/_sim${path}`, { body })
    return { status: status!, body: answer }
  }

  /** The journal, newest first, once everything in it is done. */
  const journal = async (): Promise<Entry[]> =>
    vi.waitFor(async () => {
      const { requests } = (await control('GET', '/requests')).body
      if (requests.some((entry: Entry) => entry.explanation === null)) throw new Error('a request is still under way')
      return requests
    })

  /** Waits until that many requests have come in and are not answered yet. */
  const underWay = (count: number, sandbox = 'default') =>
    vi.waitFor(async () => {
      const { requests } = (await control('GET', `/sandboxes/${sandbox}/requests`)).body
      const waiting = requests.filter(({ explanation }: Entry) => explanation === null).length
      if (waiting !== count) throw new Error(`${waiting} requests are under way, not ${count}`)
    })

  return {
    ...simulator,
    send,
    bytes,
    control,
    journal,
    underWay,
    /** The newest entry of the journal. */
    entry: async () => (await journal())[0]!,
    rules: async () => (await control('GET', '/scenario')).body.rules as { matched: number; fired: number }[],
    /** Descriptions of the keys there are, newest first, whatever rules do to lists. */
    keys: async (): Promise<(string | undefined)[]> =>
      (await control('GET', '/state')).body.api_keys.map((key: { description?: string }) => key.description).reverse(),
    clock: (advance: string) => control('PUT', '/clock', { advance }),
  }
}

export type Speaker = Awaited<ReturnType<typeof speakTo>>

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Over plain connections and over TLS. */
export const bothWays: [string, SimulatorOptions][] = [
  ['over plain connections', {}],
  ['over TLS', { tls: true }],
]

/** What a client does that takes a lost connection for a reason to try again. */
export async function createWithRetries(client: Speaker, description: string, tries = 3): Promise<Seen> {
  for (;;) {
    const seen = await client.send('POST', '/api_keys', { body: { description } })
    if (seen.error === undefined || --tries === 0) return seen
  }
}

/** Serves as if nothing had happened, and closes without waiting for anybody. */
export async function expectHealthy(client: Speaker) {
  const { status } = await client.control('GET', '/health')
  if (status !== 200) throw new Error(`health is ${status}`)
  const began = performance.now()
  await client.close()
  const took = performance.now() - began
  if (took > 800) throw new Error(`closing took ${Math.round(took)} ms: a connection was left open`)
}
