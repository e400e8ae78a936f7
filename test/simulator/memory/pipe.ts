import { connect, type Socket } from 'node:net'
import { afterwards } from '../../support/afterwards.ts'

export interface Asked {
  method: string
  path: string
  token?: string
  body?: string
}

/** Many requests at a time over one connection, of whose answers only the statuses are looked at. */
export class Pipe {
  /** The operation id of the latest answer that had one. */
  lastId = 'op_none'
  readonly #socket: Socket
  #statuses: number[] = []
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of a body that are still to come. */
  #skip = 0
  #wanted = 0
  #settle: { resolve: (statuses: number[]) => void; reject: (error: Error) => void } | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay()
    this.#socket.on('data', chunk => this.#take(chunk))
    this.#socket.on('error', error => this.#settle?.reject(error))
    this.#socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')))
    afterwards(() => this.#socket.destroy())
  }

  send(all: Asked[]): Promise<number[]> {
    this.#statuses = []
    this.#wanted = all.length
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(all.map(toText).join(''))
    })
  }

  #take(chunk: Buffer) {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    for (;;) {
      const skipped = Math.min(this.#skip, data.length)
      data = data.subarray(skipped)
      this.#skip -= skipped
      const end = this.#skip > 0 ? -1 : data.indexOf('\r\n\r\n')
      if (end < 0) break
      const head = data.toString('latin1', 0, end)
      data = data.subarray(end + 4)
      this.#skip = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      this.lastId = /edgesim-operation-id: (\S+)/i.exec(head)?.[1] ?? this.lastId
      this.#statuses.push(Number(head.slice(9, 12)))
    }
    this.#rest = data
    if (this.#statuses.length === this.#wanted && this.#skip === 0) this.#settle?.resolve(this.#statuses)
  }
}

function toText({ method, path, token = 'sim_admin', body }: Asked): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nService-Version: 2\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
