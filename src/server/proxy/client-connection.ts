import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'

/** A server that requests are forwarded to. */
export interface Upstream {
  host: string
  port: number
  tls: boolean
  /** The path of the upstream URL: a prefix for every request path. */
  path: string
  /** As the user wrote it. */
  shown: string
}

/** The connections of a server's clients. */
export class ClientConnections {
  readonly #known = new WeakMap<Socket, ClientConnection>()

  of(socket: Socket): ClientConnection {
    const known = this.#known.get(socket) ?? new ClientConnection(socket)
    this.#known.set(socket, known)
    return known
  }
}

/** A client's connection. Clients never share upstream connections, so they cannot affect each other. */
export class ClientConnection {
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  #agent: Agent | undefined
  #connected = ''

  constructor(readonly socket: Socket) {
    const gone = new AbortController()
    this.gone = gone.signal
    socket.once('close', () => {
      gone.abort()
      this.#agent?.destroy()
    })
  }

  /** Reuses the upstream connection for the next request to the same upstream. */
  agentFor({ host, port, tls }: Upstream): Agent {
    const wanted = `${host} ${port} ${tls}`
    if (this.#agent && this.#connected === wanted) return this.#agent
    this.#agent?.destroy()
    this.#connected = wanted
    const options = { keepAlive: true, maxFreeSockets: 1 }
    this.#agent = tls ? new TlsAgent(options) : new Agent(options)
    return this.#agent
  }
}
