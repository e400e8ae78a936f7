import { connect, type Socket } from 'node:net'

export interface Plain {
  status: number
  /** Lines as they came, in their order. */
  headers: string[]
  text: string
}

export interface PlainCall {
  method: string
  path: string
  token?: string
  body?: unknown
  /** Sends the body without saying how long it is. */
  chunked?: boolean
}

/** Calls over a few connections that are kept: where there are thousands of them, HTTP clients take too long. */
export function plainClient(port: number, connections = 16) {
  const free: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []
  const all = Array.from({ length: connections }, () => openConnection(port))
  free.push(...all)

  async function send({ method, path, token = 'sim_admin', body, chunked }: PlainCall): Promise<Plain> {
    const json = body === undefined ? '' : JSON.stringify(body)
    const bytes = Buffer.byteLength(json)
    const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`]
    lines.push('Service-Version: 2')
    if (json) lines.push('Content-Type: application/json')
    if (json) lines.push(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`)
    const text = chunked ? `${bytes.toString(16)}\r\n${json}\r\n0\r\n\r\n` : json
    const connection = free.pop() ?? (await new Promise<Connection>(resolve => waiting.push(resolve)))
    try {
      return await connection.exchange(`${lines.join('\r\n')}\r\n\r\n${text}`)
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
  }

  return { send, close: () => all.forEach(({ socket }) => void socket.destroy()) }
}

interface Connection {
  socket: Socket
  /** One request and its answer. */
  exchange(request: string): Promise<Plain>
}

function openConnection(port: number): Connection {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  let received = Buffer.alloc(0)
  let settle: { resolve: (answer: Plain) => void; reject: (error: Error) => void } | undefined
  socket.on('data', chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const [statusLine, ...headers] = received.toString('latin1', 0, end).split('\r\n')
    const length = Number(headers.find(line => /^content-length:/i.test(line))?.slice(15) ?? 0)
    const body = received.subarray(end + 4)
    if (body.length < length) return
    received = Buffer.alloc(0)
    settle?.resolve({ status: Number(statusLine!.slice(9, 12)), headers, text: body.toString() })
  })
  socket.on('error', error => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('the connection was closed')))
  return {
    socket,
    exchange: request =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
  }
}

/** Does something for each item, a few at a time. */
export async function forEach<T>(items: Iterable<T>, runSync: number, act: (item: T) => Promise<void>) {
  const rest = items[Symbol.iterator]()
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await act(next.value)
  }
  await Promise.all(Array.from({ length: runSync }, work))
}
