import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Upstream } from './upstream.ts'

/** A client's connection to an HTTPS edge. Its upstream connection is its own: what one client does can reach no other. */
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

  /** Aborted when the client has left. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Keeps the last upstream connection for the next request, if it goes to the same place. */
  agentFor(upstream: Upstream): Agent {
    if (this.#agent && this.#upstream === upstream) return this.#agent
    this.#agent?.destroy()
    this.#upstream = upstream
    const options = { keepAlive: true, maxFreeSockets: 1 }
    this.#agent = upstream.tls ? new TlsAgent(options) : new Agent(options)
    return this.#agent
  }
}
