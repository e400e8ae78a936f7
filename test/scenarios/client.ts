import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Entry } from '../../src/contract/journal-entry.ts'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { eventually } from '../support/eventually.ts'
import { simulate } from '../support/simulate.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
type Any = any
type Json = Record<string, unknown>

/** What a client saw: an answer, whole or not, or the error its connection ended with. */
export interface Seen {
  status?: number
  headers: http.IncomingHttpHeaders
  text: string
  body: Any
  /** `ECONNRESET` and the like. */
  error?: string
  /** The system call that failed: `read` when the peer has reset the connection, nothing when it only closed it. */
  syscall?: string
  ms: number
}

export interface SendOptions {
  body?: unknown
  token?: string
  /** Gives up when that is aborted. */
  leave?: AbortSignal
  /** When the head of the answer is there. */
  onHead?(): void
  /** Keeps the connection for later requests. */
  agent?: http.Agent
  headers?: Record<string, string>
}

/** A simulator, closed after the test: of its own accord, since a connection that was left open holds that up for ever. */
export async function startServer(options: SimulatorOptions = {}) {
  const simulator = await simulate(options, {}, { closeMs: 3_600_000 })
  const { url, port, certificate: ca } = simulator

  /** One request over a connection of its own, unless an agent is given. */
  function send(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
    const { token = simulator.token, agent = false, leave, onHead } = how
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
        onHead?.()
        res.on('data', chunk => chunks.push(chunk))
        res.on('error', finish)
        res.on('end', () => finish())
      })
      req.on('error', finish)
      leave?.addEventListener('abort', () => req.destroy())
      req.end(text)
    })
  }

  /** Everything that comes over a connection of its own, until the server closes it. */
  function bytes(method: string, path: string, token: string): Promise<{ received: Buffer; error?: string }> {
    const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`]
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let error: string | undefined
      const socket = ca ? connectTls({ port, host: '127.0.0.1', ca }) : connect(port, '127.0.0.1')
      const write = () => socket.write(`${head.join('\r\n')}\r\nService-Version: 2\r\n\r\n`)
      socket.once(ca ? 'secureConnect' : 'connect', write)
      socket.on('data', chunk => chunks.push(chunk))
      socket.on('error', (failed: NodeJS.ErrnoException) => {
        error = failed.code
      })
      socket.on('close', () => resolve({ received: Buffer.concat(chunks), error }))
    })
  }

  const control = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Any }> => {
    const seen = await send(method, `/_sim${path}`, { body })
    return { status: seen.status!, body: seen.body }
  }

  /** A client of one sandbox. */
  function clientOf(name: string, token: string) {
    const own = (method: string, path: string, body?: unknown) => control(method, `/sandboxes/${name}${path}`, body)
    const requests = async (): Promise<Entry[]> => (await own('GET', '/requests')).body.requests
    /** The journal, newest first, once everything in it is done. */
    const journal = () =>
      eventually(async () => {
        const entries = await requests()
        if (entries.some(({ explanation }) => explanation === null)) throw new Error('a request is still under way')
        return entries
      })
    /** Waits until that many requests are not answered yet because of what a rule does to them. */
    const underWay = (count: number) =>
      eventually(async () => {
        const held = ({ explanation, rules }: Entry) => explanation === null && rules.some(({ fired }) => fired)
        const waiting = (await requests()).filter(held).length
        if (waiting !== count) throw new Error(`${waiting} requests are under way, not ${count}`)
      })
    return {
      name,
      token,
      send: (method: string, path: string, how: SendOptions = {}) => send(method, path, { token, ...how }),
      bytes: (method: string, path: string) => bytes(method, path, token),
      control: own,
      journal,
      /** The newest entry of the journal. */
      entry: async () => (await journal())[0]!,
      underWay,
      /** Sends a request and leaves without an answer once a rule holds it. */
      async leave(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
        const leaving = new AbortController()
        const seen = send(method, path, { token, ...how, leave: leaving.signal })
        await underWay(1)
        leaving.abort()
        return seen
      },
      /** What each rule has counted. */
      counts: async (): Promise<[matched: number, fired: number][]> =>
        (await own('GET', '/scenario')).body.rules.map(({ matched, fired }: Any) => [matched, fired]),
      /** Descriptions of the keys there are, newest first, whatever rules do to lists. */
      keys: async (): Promise<(string | undefined)[]> =>
        (await own('GET', '/state')).body.api_keys.map(({ description }: Any) => description).reverse(),
      advance: (by: string) => own('PUT', '/clock', { advance: by }),
    }
  }

  /** A client of a sandbox in which a scenario is at work. */
  async function under(scenario: string | Json, recipe: Json = {}) {
    const { status, body } = await control('POST', '/sandboxes', { scenario, ...recipe })
    if (status !== 201) throw new Error(body.msg)
    return clientOf(body.name, body.token)
  }

  return {
    ...simulator,
    send,
    control,
    default: clientOf('default', simulator.token!),
    under,
    /** The same, with nothing but rules. */
    underRules: (...rules: Json[]) => under({ name: 'test', rules }),
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
export type Client = Awaited<ReturnType<Server['under']>>

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
export async function createWithRetries(client: Client, description: string, tries = 3): Promise<Seen> {
  for (;;) {
    const seen = await client.send('POST', '/api_keys', { body: { description } })
    if (seen.error === undefined || --tries === 0) return seen
  }
}
