import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { ProxiedExchange } from './proxied-exchange.ts'
import type { Upstream } from './upstream.ts'

/** Requests that may wait for the answers to those before them; a connection that has more is closed. */
const MOST_WAITING = 256

/**
 * A client's connection to an HTTPS edge. It works on one request at a time, in the order they came, and has an upstream
 * connection of its own: what one client does can reach no other.
 */
export class ClientConnection {
  readonly #gone = new AbortController()
  readonly #waiting: ProxiedExchange[] = []
  #busy = false
  #agent: Agent | undefined
  #upstream: Upstream | undefined

  constructor(readonly socket: Socket) {
    socket.once('close', () => {
      this.#waiting.length = 0
      this.#gone.abort()
      this.#agent?.destroy()
    })
  }

  /** Aborted when the client has left. A response cannot tell: one that waits for its turn never closes. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  add(exchange: ProxiedExchange) {
    if (this.#waiting.length >= MOST_WAITING) return void this.socket.destroy()
    this.#waiting.push(exchange)
    if (!this.#busy) this.#next()
  }

  #next() {
    const exchange = this.socket.writable ? this.#waiting.shift() : undefined
    this.#busy = exchange !== undefined
    if (!exchange) return
    exchange.res.once('close', () => this.#next())
    void exchange.run()
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
