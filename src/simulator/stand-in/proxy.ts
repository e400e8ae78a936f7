import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '../../engine/error.ts'
import { toApiError } from '../../engine/errors.ts'
import { errorReply } from '../../server/error-reply.ts'
import { sendJson } from '../../server/http/json-reply.ts'
import { createHttpServer, type HttpServerOptions } from '../../server/http/server.ts'
import { errors } from './errors.ts'
import { ESTABLISHED, type PassThrough, type Target } from './pass-through.ts'

/** The server that replaces a host at a port. */
export interface Substitute {
  host: string
  port: number
  /** Receives connections that clients open through the proxy. */
  server: Server
  onRequest: RequestListener
}

export interface ProxyOptions extends Omit<HttpServerOptions, 'onRequest' | 'onConnect'> {
  substitutes: Substitute[]
  /** Forwards connections to other hosts. Without it, they are blocked. */
  passThrough: PassThrough | undefined
  /** Called with each error that a client gets: a declared API error, or a bug. */
  onFailure(error: unknown): void
}

/** Number of host names to store. */
export const MAX_BLOCKED_HOSTS = 100

const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443 }

/** A forward proxy that serves some hosts itself. Clients must send the password. */
export class ForwardProxy {
  readonly server: Server
  readonly password = randomBytes(18).toString('base64url')
  /** Blocked connections to other hosts, and the host names. */
  readonly refused = { count: 0, hosts: new Set<string>() }
  readonly #expected: Buffer

  constructor(readonly options: ProxyOptions) {
    this.#expected = Buffer.from(`Basic ${Buffer.from(`edgesim:${this.password}`).toString('base64')}`)
    this.server = createHttpServer({
      ...options,
      onRequest: (req, res) => void this.#request(req, res),
      onConnect: (req, socket) => this.#connect(req, socket),
    })
  }

  /** Throws the error to end the connection with. */
  #connect(req: IncomingMessage, socket: Socket) {
    const { target, substitute } = this.#find(req, req.url!)
    if (!substitute) return void this.options.passThrough!.tunnel(socket, target)
    socket.write(ESTABLISHED)
    substitute.server.emit('connection', socket)
  }

  /** A request for an absolute URL. Old clients also send https URLs without TLS, which count as HTTPS. */
  async #request(req: IncomingMessage, res: ServerResponse) {
    const { headers = {}, passThrough } = this.options
    try {
      const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(req.url!) ?? []
      const { substitute } = this.#find(req, authority, DEFAULT_PORTS[scheme?.toLowerCase() ?? ''])
      if (!substitute) return await passThrough!.forward(req, res)
      delete req.headers['proxy-authorization']
      req.url = rest!.startsWith('/') ? rest! : `/${rest}`
      substitute.onRequest(req, res)
    } catch (error) {
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      sendJson(res, errorReply(toApiError(error)))
    }
  }

  /** Checks the password, and returns the client's target and its substitute. */
  #find({ headers }: IncomingMessage, authority: string | undefined, port?: number) {
    try {
      const given = Buffer.from(headers['proxy-authorization'] ?? '')
      if (given.length !== this.#expected.length || !timingSafeEqual(given, this.#expected))
        fail(errors.proxy_password, {}, { 'Proxy-Authenticate': 'Basic realm="edgesim"' })
      if (authority === undefined) fail(errors.not_for_proxy, {})
      const target = readTarget(authority, port)
      return { target, substitute: this.#substituteFor(target) }
    } catch (error) {
      this.options.onFailure(error)
      throw error
    }
  }

  /**
   * Undefined for an allowed other host. Fails for another spelling or port of a redirected host, because that would reach
   * the real host.
   */
  #substituteFor({ spelled, host, port }: Target): Substitute | undefined {
    const { substitutes, passThrough } = this.options
    const ofHost = substitutes.filter(each => each.host === host.replace(/\.+$/, ''))
    const found = ofHost.find(each => each.host === spelled.toLowerCase() && each.port === port)
    if (found || (ofHost.length === 0 && passThrough)) return found
    const shown = `${spelled}:${port}`.slice(0, 100)
    if (ofHost.length > 0) fail(errors.other_spelling, { host: shown, as: ofHost[0]!.host })
    this.refused.count++
    if (this.refused.hosts.size < MAX_BLOCKED_HOSTS) this.refused.hosts.add(host)
    fail(errors.other_host, { host: shown, hosts: [...new Set(substitutes.map(each => each.host))] })
  }
}

/** Parses `example.com:443`. A URL may omit the port. */
function readTarget(authority: string, defaultPort?: number): Target {
  const [, spelled, digits] = /^(\[[^\]]+\]|[^:@/?#\\\s]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const port = digits === undefined ? defaultPort : Number(digits)
  const url = `http://${spelled}`
  if (spelled === undefined || port === undefined || port > 65535 || !URL.canParse(url)) {
    const received = JSON.stringify(authority.slice(0, 100))
    fail(errors.bad_request, { why: `Expected a host and a port, such as example.com:443, got ${received}` })
  }
  return { spelled, host: new URL(url).hostname, port }
}
