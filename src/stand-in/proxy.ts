import { randomBytes, timingSafeEqual } from 'node:crypto'
import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorReply, fail, toApiError } from '../contract/errors.ts'
import { sendJson } from '../http/json-answer.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'
import { ESTABLISHED, type PassThrough, type Wanted } from './pass-through.ts'

/** What answers in place of a host at a port. */
export interface Substitute {
  host: string
  port: number
  /** Gets connections that a client has opened through the proxy. */
  server: Server
  onRequest: RequestListener
}

export interface ProxyOptions extends Omit<HttpServerOptions, 'classes' | 'onRequest' | 'onConnect'> {
  substitutes: Substitute[]
  /** Where connections to other hosts go; without it they are refused. */
  passThrough: PassThrough | undefined
  onRefusal(error: ApiError): void
}

/** How many hosts are remembered by name. */
export const MAX_REFUSED = 100

/** A forward proxy: it answers for some hosts itself. Whoever uses it must know the password. */
export class ForwardProxy {
  readonly server: Server
  readonly password = randomBytes(18).toString('base64url')
  /** How many connections to each other host were refused. */
  readonly refused = new Map<string, number>()
  readonly #expected: Buffer
  /** Connections that are no longer HTTP for us. */
  readonly #tunnels = new Set<Socket>()

  constructor(readonly options: ProxyOptions) {
    this.#expected = Buffer.from(`Basic ${Buffer.from(`edgesim:${this.password}`).toString('base64')}`)
    this.server = createHttpServer({
      ...options,
      classes: { Request: IncomingMessage, Response: ServerResponse },
      onRequest: (req, res) => this.#request(req, res),
      onConnect: (req, socket, head) => this.#connect(req, socket, head),
    })
    // Node does not know them any more.
    const closeOthers = this.server.closeAllConnections.bind(this.server)
    this.server.closeAllConnections = () => {
      closeOthers()
      for (const socket of this.#tunnels) socket.destroy()
    }
  }

  /** The error that the connection ends with is thrown. */
  #connect(req: IncomingMessage, socket: Socket, head: Buffer) {
    this.#checkPassword(req)
    const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(req.url!) ?? []
    if (host === undefined) fail('bad_request', { why: 'CONNECT needs a host and a port, such as example.com:443' })
    const wanted = { host, port: Number(port) }
    const substitute = this.#substituteFor(wanted)
    this.#tunnels.add(socket)
    socket.once('close', () => this.#tunnels.delete(socket))
    // At once: after the client has sent its last byte, nothing can be put back.
    if (head.length > 0) socket.unshift(head)
    if (!substitute) return void this.options.passThrough!.tunnel(socket, wanted)
    socket.write(ESTABLISHED)
    substitute.server.emit('connection', socket)
  }

  /** A request for a whole URL. Old clients send one also for https, without TLS: it counts as HTTPS. */
  #request(req: IncomingMessage, res: ServerResponse) {
    try {
      this.#checkPassword(req)
      delete req.headers['proxy-authorization']
      const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(req.url!) ?? []
      if (scheme === undefined) fail('not_for_proxy', {})
      const [, host, port] = /^(\[[^\]]+\]|[^:@]+)(?::(\d{1,5}))?$/.exec(authority!) ?? []
      if (host === undefined) fail('bad_request', { why: 'The URL has no host' })
      const wanted = { host, port: Number(port ?? (scheme.toLowerCase() === 'https' ? 443 : 80)) }
      const substitute = this.#substituteFor(wanted)
      if (!substitute) return this.options.passThrough!.forward(req, res)
      req.url = rest!.startsWith('/') ? rest! : `/${rest}`
      substitute.onRequest(req, res)
    } catch (error) {
      sendJson(res, errorReply(toApiError(error), this.options.vendor))
    }
  }

  #checkPassword({ headers }: IncomingMessage) {
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    if (given.length === this.#expected.length && timingSafeEqual(given, this.#expected)) return
    this.#refuse(new ApiError('proxy_password', {}, { 'Proxy-Authenticate': 'Basic realm="edgesim"' }))
  }

  /**
   * Undefined for another host that is let through. Never for another spelling or port of a host that we stand in for:
   * that would reach the real one.
   */
  #substituteFor({ host, port }: Wanted): Substitute | undefined {
    const { substitutes, passThrough } = this.options
    const name = host.toLowerCase()
    const ofHost = substitutes.filter(each => each.host === name.replace(/\.+$/, ''))
    const found = ofHost.find(each => each.host === name && each.port === port)
    if (found || (ofHost.length === 0 && passThrough)) return found
    const hosts = [...new Set(substitutes.map(each => each.host))]
    if (ofHost.length > 0) this.#refuse(new ApiError('other_port', { host: `${host}:${port}`, as: ofHost[0]!.host }))
    if (this.refused.size < MAX_REFUSED || this.refused.has(name))
      this.refused.set(name, (this.refused.get(name) ?? 0) + 1)
    this.#refuse(new ApiError('other_host', { host: `${host}:${port}`.slice(0, 100), hosts }))
  }

  #refuse(error: ApiError): never {
    this.options.onRefusal(error)
    throw error
  }
}
