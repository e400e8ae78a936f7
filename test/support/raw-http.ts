import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect } from 'vitest'
import { afterwards } from './afterwards.ts'
import type { ClientTls, TestResponse } from './http.ts'

interface DialOptions extends ClientTls {
  host?: string
  /** The client's address and port. */
  from?: string
  localPort?: number
  /** Uses TLS, and trusts this certificate. */
  ca?: string | null
}

/** Opens a connection, destroyed after the test. */
export function dial(port: number, { host = '127.0.0.1', from, localPort, ca, ...tls }: DialOptions = {}) {
  const at = { port, host, localAddress: from, localPort, allowHalfOpen: true }
  const socket: Socket = ca ? connectTls({ ...at, ...tls, ca }) : connect(at)
  afterwards(() => socket.destroy())
  const chunks: Buffer[] = []
  let error: string | undefined
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('end', () => socket.end())
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    error = cause.code
  })
  /** All received bytes, as one character each. */
  const said = () => Buffer.concat(chunks).toString('latin1')
  const closed = new Promise<{ said: string; error?: string }>(resolve => {
    socket.once('close', () => resolve({ said: said(), error }))
  })
  /** Resolves on the first bytes, or when the connection closes. */
  const heard = new Promise<void>(resolve => {
    socket.once('data', () => resolve()).once('close', () => resolve())
  })
  return { socket, said, heard, closed }
}

type TalkOptions = DialOptions & { end?: boolean }

/** Sends bytes, and returns everything received and the error until the connection closes. */
export function talk(port: number, sent: string | Uint8Array, { end = true, ...how }: TalkOptions = {}) {
  const { socket, closed } = dial(port, how)
  if (end) socket.end(sent)
  else socket.write(sent)
  return closed
}

export interface RawCall {
  method?: string
  path: string
  token?: string
  /** Additional header lines. */
  headers?: string[]
  /** Strings and bytes are sent unchanged, other values as JSON. */
  body?: unknown
  /** Sends no Content-Length. */
  chunked?: boolean
}

/** The bytes of a valid request. */
export function bytesOf(port: number, call: RawCall): Buffer {
  const { method = 'GET', path, token = 'sim_admin', headers = [], body, chunked } = call
  const host = `Host: 127.0.0.1:${port}`
  const lines = [`${method} ${path} HTTP/1.1`, host, `Authorization: Bearer ${token}`, 'Service-Version: 2']
  if (body === undefined) return Buffer.from([...lines, ...headers, '', ''].join('\r\n'))
  const content = Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length}`
  const head = [...lines, 'Content-Type: application/json', length, ...headers, '', ''].join('\r\n')
  if (!chunked) return Buffer.concat([Buffer.from(head), content])
  return Buffer.from(`${head}${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`)
}

export interface Reply {
  status: number
  /** Everything before the body. */
  head: string
  /** With lower-case names. */
  headers: Map<string, string>
  text: string
}

export interface Heard {
  replies: Reply[]
  closed: boolean
  /** Bytes after the responses. */
  rest: Buffer
  ms: number
}

/** What the client does after sending: waits for the response, or ends or resets the connection. */
export type End = 'answer' | 'fin' | 'reset'

/** Time limit without received bytes. */
const HANG_MS = 120_000

/** A connection for pipelined requests, opened on demand and after the server has closed it. */
export class Connection {
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #closed = true
  #wake: () => void = () => {}

  constructor(readonly port: number) {}

  /** Pipelines the calls, and reads their responses. */
  async send(calls: RawCall[]): Promise<Reply[]> {
    const methods = calls.map(({ method = 'GET' }) => method)
    const { replies } = await this.exchange(Buffer.concat(calls.map(call => bytesOf(this.port, call))), methods)
    if (replies.length < calls.length) throw new Error('the connection was closed')
    return replies
  }

  /** Reads one response per method, or until the server closes. */
  async exchange(bytes: string | Buffer, methods: string[], end: End = 'answer'): Promise<Heard> {
    const began = performance.now()
    const socket = this.#closed ? this.#open() : this.#socket!
    socket.write(bytes)
    if (end === 'reset') return this.#reset(socket, began)
    if (end === 'fin') socket.end()
    const replies: Reply[] = []
    while (replies.length < methods.length || end === 'fin') {
      const reply = takeReply(this.#received, methods[replies.length] ?? 'GET', this.#closed)
      if (reply) {
        this.#received = reply.rest
        if (reply.status >= 200 || reply.status === 101) replies.push(reply)
        if (reply.endless) this.close()
        continue
      }
      if (this.#closed) break
      if (!(await this.#more())) throw new Error(`neither a response nor an end within ${HANG_MS} ms`)
    }
    const ms = performance.now() - began
    const heard = { replies, closed: this.#closed, rest: this.#received, ms }
    // The server closes it, so it is not reused.
    if (replies.at(-1)?.headers.get('connection')?.toLowerCase() === 'close') this.close()
    return heard
  }

  close() {
    this.#socket?.destroy()
    this.#closed = true
    this.#received = Buffer.alloc(0)
  }

  async #reset(socket: Socket, began: number): Promise<Heard> {
    // The reset comes before or after the bytes are sent.
    await new Promise<void>(resolve =>
      socket.connecting ? socket.once('connect', () => resolve()) : setImmediate(resolve),
    )
    socket.resetAndDestroy()
    this.close()
    return { replies: [], closed: true, rest: Buffer.alloc(0), ms: performance.now() - began }
  }

  #open(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: false })
    this.#received = Buffer.alloc(0)
    this.#closed = false
    this.#socket = socket
    const tell = () => socket === this.#socket && this.#wake()
    socket.on('data', chunk => {
      if (socket === this.#socket) this.#received = Buffer.concat([this.#received, chunk])
      tell()
    })
    // A server that responds before it has read everything may reset the connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (socket === this.#socket) this.#closed = true
      tell()
    })
    return socket
  }

  #more(): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(false), HANG_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}

type Taken = Reply & { rest: Buffer; endless?: true }

/** The first response in the bytes, if complete. */
function takeReply(bytes: Buffer, method: string, closed: boolean): Taken | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const [first, ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1] ?? 0)
  const headers = new Map(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const after = bytes.subarray(end + 4)
  const of = (text: string, rest: Buffer) => ({ status, head, headers, text, rest })
  if (method === 'HEAD' || status === 204 || status === 304 || (status < 200 && status > 0)) return of('', after)
  if (headers.get('content-type') === 'text/event-stream') return { ...of('', Buffer.alloc(0)), endless: true }
  if (headers.get('transfer-encoding') === 'chunked') return unchunk(after, of)
  const length = headers.get('content-length')
  if (length === undefined) return closed ? of(after.toString(), Buffer.alloc(0)) : undefined
  return after.length < Number(length)
    ? undefined
    : of(after.toString('utf8', 0, Number(length)), after.subarray(Number(length)))
}

function unchunk<T>(bytes: Buffer, of: (text: string, rest: Buffer) => T): T | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + 4 + size) return undefined
    if (size === 0) return of(Buffer.concat(parts).toString(), bytes.subarray(line + 4))
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}

/** Sends calls over a few reused connections. HTTP clients are too slow for thousands of calls. */
export function pooledClient(port: number, connections = 16) {
  const all = Array.from({ length: connections }, () => new Connection(port))
  const free = [...all]
  const waiting: ((connection: Connection) => void)[] = []

  async function send(call: RawCall): Promise<Reply> {
    const connection = free.pop() ?? (await new Promise<Connection>(resolve => waiting.push(resolve)))
    try {
      const [reply] = await connection.send([call])
      return reply!
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
  }

  return { send, close: () => all.forEach(connection => void connection.close()) }
}

/** Calls `act` for each item, a few at a time. */
export async function forEach<T>(items: Iterable<T>, parallel: number, act: (item: T) => Promise<void>) {
  const rest = items[Symbol.iterator]()
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await act(next.value)
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

export interface RawRequest {
  method?: string
  target?: string
  /** Additional header lines, even with repeated names. */
  headers?: string[]
  /** Omitted header lines: host, authorization, service-version. */
  without?: string[]
  body?: string | Uint8Array
}

/** Sends requests that HTTP clients cannot, and reads until the server closes. */
export function rawClient(port: number) {
  async function bytes(sent: string | Uint8Array): Promise<TestResponse> {
    const { said } = await talk(port, sent, { end: false })
    const reply = takeReply(Buffer.from(said, 'latin1'), 'GET', true)
    expect(reply, `a response, not ${JSON.stringify(said.slice(0, 200))}`).toBeDefined()
    const { status, text, rest } = reply!
    expect(rest.toString()).toBe('')
    const headers = new Headers([...reply!.headers])
    // Only metrics are plain text.
    const isJson = text !== '' && !headers.get('content-type')?.startsWith('text/plain; version=')
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  function request(how: RawRequest = {}): Promise<TestResponse> {
    const { method = 'GET', target = '/api_keys', headers = [], without = [], body = '' } = how
    const good = [`Host: 127.0.0.1:${port}`, 'Authorization: Bearer sim_admin', 'Service-Version: 2']
    const kept = good.filter(line => !without.includes(line.split(':')[0]!.toLowerCase()))
    const head = [`${method} ${target} HTTP/1.1`, ...kept, ...headers, 'Connection: close', '', ''].join('\r\n')
    return bytes(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]))
  }

  /** With the Content-Length of the body. */
  const send = (method: string, target: string, body: string | Uint8Array, headers: string[] = []) =>
    request({ method, target, body, headers: [`Content-Length: ${Buffer.byteLength(body)}`, ...headers] })

  return { bytes, request, send }
}
