import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { ListenerReport } from '../../contract/traffic.ts'
import type { TrafficLoad } from './bounds.ts'
import type { SandboxEdge } from './sandbox-edge.ts'

/** The server of an edge at one of its addresses. */
export class Listener {
  /** Why it is not listening. */
  error: string | undefined
  #port = 0
  readonly #sockets = new Set<Socket>()

  constructor(
    readonly load: TrafficLoad,
    readonly edge: SandboxEdge,
    readonly server: Server,
  ) {
    // One listener uses up to half of all connections.
    server.maxConnections = Math.ceil(load.bounds.connections / 2)
    // Counts connections, and closes excess ones before the edge sees them.
    server.prependListener('connection', socket => this.#count(socket))
  }

  /** Listens on the port. Stores and logs a failure instead of throwing it. */
  async open(port: number): Promise<void> {
    const { load, server } = this
    const { host, hostport } = this.edge.address
    if (load.listeners >= load.bounds.listeners) {
      this.error = load.reportFull('listeners')
      return
    }
    load.listeners++
    try {
      await once(server.listen({ port, host }), 'listening')
      this.#port = (server.address() as AddressInfo).port
    } catch (error) {
      load.listeners--
      const { code, message } = error as NodeJS.ErrnoException
      this.error =
        code === 'EADDRINUSE' ? `port ${port} on ${host} is already in use` : `cannot listen on ${hostport}: ${message}`
      load.warn(`The edge ${this.edge.id} is not listening: ${this.error}.`)
    }
    server.on('error', () => {})
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    if (this.error !== undefined) return
    this.load.listeners--
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  report(): ListenerReport {
    const { error } = this
    const { id: edge, kind, address } = this.edge
    const { host, hostport, plain } = address
    if (error !== undefined) return { edge, kind, hostport, error }
    const counters = { ...this.edge.counters }
    // Open connections are added to the counters when they close.
    for (const { bytesRead, bytesWritten } of this.#sockets) {
      counters.bytes_in += bytesRead
      counters.bytes_out += bytesWritten
    }
    const port = this.#port
    const scheme = plain ? 'http' : kind
    const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
    return { edge, kind, hostport, url, host, port, ...counters }
  }

  #count(socket: Socket) {
    const { load } = this
    const { counters } = this.edge
    counters.connections++
    if (load.connections >= load.bounds.connections) {
      counters.refused++
      load.reportFull('connections')
      return void socket.destroy()
    }
    load.connections++
    counters.open++
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      load.connections--
      counters.open--
      counters.bytes_in += socket.bytesRead
      counters.bytes_out += socket.bytesWritten
    })
  }
}
