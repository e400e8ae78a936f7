import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Upstream } from './upstream.ts'

/** A client's connection to an HTTPS edge. Clients never share an upstream connection, so none can affect another's. */
export class ClientConnection {
  readonly #gone = new AbortController()
  #agent: Agent | undefined
  #upstream: Upstream | undefined

  constructor(readonly socket: Socket) {
    socket.once('close', () => {
      this.#gone.abort()
      this.#agent?.destroy()
    })
  }

  /** Aborted when the client disconnects. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Keeps the upstream connection alive for the next request to the same upstream. */
  agentFor(upstream: Upstream): Agent {
    if (this.#agent && this.#upstream === upstream) return this.#agent
    this.#agent?.destroy()
    this.#upstream = upstream
    const options = { keepAlive: true, maxFreeSockets: 1 }
    this.#agent = upstream.tls ? new TlsAgent(options) : new Agent(options)
    return this.#agent
  }
}
