import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { request } from 'undici'
import { expect } from 'vitest'
import { afterwards } from './afterwards.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes
type Any = any

export interface CallOptions {
  /** null sends no Authorization header. */
  token?: string | null
  /** null sends no version header. */
  version?: string | null
  headers?: Record<string, string>
  /** Sent unchanged instead of a JSON body. */
  raw?: string | Uint8Array
}

export interface TestResponse {
  status: number
  headers: Headers
  text: string
  body: Any
}

interface Target {
  url: string
  token: string | null
  vendor?: string
  headers?: Record<string, string>
}

/** JSON calls to a simulator's API and control plane. */
export function callsOf(
  { url, token: usual, vendor = 'service', headers: always }: Target,
  check?: (method: string, path: string, response: TestResponse) => void,
) {
  async function call(method: string, path: string, body?: unknown, how: CallOptions = {}): Promise<TestResponse> {
    const { token = usual, version = '2', raw } = how
    const headers: Record<string, string> = { 'user-agent': 'test', ...always }
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (version !== null) headers[`${vendor}-version`] = version
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    // Takes half the time of fetch.
    const received = await request(url + path, { method, headers: { ...headers, ...how.headers }, body: sent ?? null })
    const text = await received.body.text()
    const response = {
      status: received.statusCode,
      headers: headersOf(received.headers),
      text,
      body: text ? JSON.parse(text) : undefined,
    }
    check?.(method, path, response)
    return response
  }

  /** The same call with another token. */
  const as =
    (token: string | null) =>
    (method: string, path: string, body?: unknown, how: CallOptions = {}) =>
      call(method, path, body, { ...how, token })

  return { call, as }
}

/** Joins repeated headers. */
const headersOf = (given: http.IncomingHttpHeaders) =>
  new Headers(Object.entries(given).map(([name, value]) => [name, String(value)]))

export type Call = ReturnType<typeof callsOf>['call']

/** The request's id in the journal. */
export const operationOf = ({ headers }: TestResponse) => headers.get('edgesim-operation-id')!

/**
 * Expects an error with a message. `code` is the vendor's number, or a string. Null or the status means edgesim's code,
 * and an empty string means none.
 */
export function expectError(response: TestResponse, status: number, code: number | string | null) {
  const isOwn = code === null || code === status
  const expected = isOwn
    ? `ERR_EDGESIM_${status}`
    : typeof code === 'string'
      ? code || undefined
      : `ERR_SERVICE_${code}`
  expect({ status: response.status, code: response.body?.error_code }).toEqual({ status, code: expected })
  expect(response.body.status_code).toBe(status)
  expect(response.body.msg.length).toBeGreaterThan(20)
  return response.body
}

/** Expects an error with exactly the four fields that API clients read. */
export function expectRefusal(response: TestResponse, status: number, code: number | null) {
  const { headers, text, body } = response
  expect(headers.get('content-type')).toBe('application/json')
  expect(text).not.toMatch(/<html|<!doctype|<pre>/i)
  expect(Object.keys(body)).toEqual(['error_code', 'status_code', 'msg', 'details'])
  for (const [name, value] of Object.entries(body.details)) expect(value, name).toEqual(expect.any(String))
  return expectError(response, status, code)
}

/** A TLS client's certificate and version. */
export type ClientTls = Pick<ConnectionOptions, 'cert' | 'key' | 'maxVersion'>

export interface AskOptions extends ClientTls {
  method?: string
  /** An object, or names and values in turn. */
  headers?: http.OutgoingHttpHeaders | string[]
  body?: string | Uint8Array
  /** The client's address. */
  from?: string
  ca?: string
  /** Reuses connections. By default, each request opens one. */
  agent?: http.Agent
  /** Disconnects the client. */
  leave?: AbortSignal
  /** Called after the response headers. */
  onHead?(): void
}

/** A response, complete or not, or the connection error. */
export interface Seen {
  status?: number
  headers: http.IncomingHttpHeaders
  rawHeaders: string[]
  text: string
  /** The text as JSON, or undefined. */
  readonly body: Any
  /** For example `ECONNRESET`. */
  error?: string
  /** The failed system call: `read` after a reset, undefined after a close. */
  syscall?: string
  ms: number
}

/** Sends one request with Node's client. Never rejects, because the result contains errors. */
export function ask(url: string, { agent, leave, onHead, from, body, ...options }: AskOptions = {}): Promise<Seen> {
  const began = performance.now()
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let response: http.IncomingMessage | undefined
    const finish = (error?: NodeJS.ErrnoException) => {
      const text = Buffer.concat(chunks).toString()
      resolve({
        status: response?.statusCode,
        headers: response?.headers ?? {},
        rawHeaders: response?.rawHeaders ?? [],
        text,
        get body() {
          return parsed(text)
        },
        error: error?.code,
        syscall: error?.syscall,
        ms: performance.now() - began,
      })
    }
    const { request } = url.startsWith('https') ? https : http
    const req = request(url, { ...options, localAddress: from, agent: agent ?? false } as http.RequestOptions, res => {
      response = res
      onHead?.()
      res.on('data', chunk => chunks.push(chunk))
      res.on('error', finish)
      res.on('end', () => finish())
    })
    req.on('error', finish)
    leave?.addEventListener('abort', () => req.destroy())
    req.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

export interface ServerEvent {
  id: string
  type: string
  data: Any
}

/** Reads server-sent events until the test ends. */
export async function openEvents(url: string, headers: Record<string, string> = {}) {
  const request = http.get(url, { headers, agent: false })
  afterwards(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const events: ServerEvent[] = []
  const comments: string[] = []
  let rest = ''
  const take = (block: string) => {
    const lines = block.split('\n')
    const field = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
    comments.push(...lines.filter(line => line.startsWith(':')))
    const data = field('data')
    if (data !== undefined) events.push({ id: field('id')!, type: field('event')!, data: JSON.parse(data) })
  }
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop()!
    blocks.forEach(take)
  })
  const ended = new Promise<void>(resolve => void response.once('close', resolve))
  response.on('error', () => {})

  async function until(fulfilled: () => boolean) {
    while (!fulfilled()) {
      if (response.closed) throw new Error(`the stream ended after ${JSON.stringify(events)}`)
      await Promise.race([new Promise(resolve => response.once('data', resolve)), ended])
    }
  }

  return {
    answer: response,
    events,
    comments,
    ended,
    until,
    untilCount: (count: number) => until(() => events.length >= count),
    leave: () => request.destroy(),
  }
}

/** Starts a server on a free port, and closes it after the test. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  afterwards(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise(resolve => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** The URL of a server that sends this head in every response. */
export async function answering(head: string): Promise<string> {
  const server = createServer(socket => socket.once('data', () => socket.write(`HTTP/1.1 ${head}\r\n\r\n`)))
  return `http://127.0.0.1:${await listening(server)}`
}

/** The URL of a server that switches to an unrequested protocol. */
export const switching = () => answering('101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other')
