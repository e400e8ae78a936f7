import { connect, type Socket } from 'node:net'

/** An answer as it came. */
export interface Reply {
  status: number
  /** Names in lower case. */
  headers: Map<string, string>
  text: string
}

export interface Heard {
  replies: Reply[]
  /** The server has closed the connection. */
  closed: boolean
  /** Bytes that are no answer. */
  rest: Buffer
  ms: number
}

/** After so long without a word, nothing will come: the machine may be busy, but not that busy. */
const HANG_MS = 10_000

/** A connection that is opened when it is needed, and again when the server has closed it. */
export class Line {
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #closed = true
  #wake: () => void = () => {}

  constructor(readonly port: number) {}

  /** Sends, and reads until there are as many answers, or until the server closes. */
  async exchange(bytes: Buffer, methods: string[], end: 'answer' | 'fin' | 'reset' = 'answer'): Promise<Heard> {
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
      if (!(await this.#more())) throw new Error(`no answer and no end within ${HANG_MS} ms`)
    }
    const ms = performance.now() - began
    const heard = { replies, closed: this.#closed, rest: this.#received, ms }
    // What ends with this answer is not written to again.
    if (replies.at(-1)?.headers.get('connection')?.toLowerCase() === 'close') this.close()
    return heard
  }

  close() {
    this.#socket?.destroy()
    this.#closed = true
    this.#received = Buffer.alloc(0)
  }

  async #reset(socket: Socket, began: number): Promise<Heard> {
    // Once with all of it sent, once with nothing: both happen.
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
    // A server that answers before it has read everything may reset the connection behind its answer.
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

/** The first answer in the bytes, if all of it is there. */
function takeReply(
  bytes: Buffer,
  method: string,
  closed: boolean,
): (Reply & { rest: Buffer; endless?: true }) | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1] ?? 0)
  const headers = new Map(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const after = bytes.subarray(end + 4)
  const of = (text: string, rest: Buffer) => ({ status, headers, text, rest })
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
