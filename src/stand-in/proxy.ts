import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorReply, fail, toApiError } from '../contract/errors.ts'
import { sendJson } from '../http/json-reply.ts'
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

export interface ProxyOptions extends Omit<HttpServerOptions, 'onRequest' | 'onConnect'> {
  substitutes: Substitute[]
  /** Where connections to other hosts go; without it they are refused. */
  passThrough: PassThrough | undefined
  /** Called with what keeps a client from being served: an error of the table, or a bug of ours. */
  onFailure(error: unknown): void
}

/** How many hosts are remembered by name. */
export const MAX_REFUSED = 100

const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443 }

/** A forward proxy: it answers for some hosts itself. Whoever uses it must know the password. */
export class ForwardProxy {
  readonly server: Server
  readonly password = randomBytes(18).toString('base64url')
  /** How many connections to other hosts were refused, and to which hosts. */
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

  /** The error that the connection ends with is thrown. */
  #connect(req: IncomingMessage, socket: Socket) {
    const { wanted, substitute } = this.#find(req, req.url!)
    if (!substitute) return void this.options.passThrough!.tunnel(socket, wanted)
    socket.write(ESTABLISHED)
    substitute.server.emit('connection', socket)
  }

  /** A request for a whole URL. Old clients send one also for https, without TLS: it counts as HTTPS. */
  async #request(req: IncomingMessage, res: ServerResponse) {
    const { headers = {}, vendor, passThrough } = this.options
    try {
      const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(req.url!) ?? []
      const { substitute } = this.#find(req, authority, DEFAULT_PORTS[scheme?.toLowerCase() ?? ''])
      if (!substitute) return await passThrough!.forward(req, res)
      delete req.headers['proxy-authorization']
      req.url = rest!.startsWith('/') ? rest! : `/${rest}`
      substitute.onRequest(req, res)
    } catch (error) {
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      sendJson(res, errorReply(toApiError(error), vendor))
    }
  }

  /** What a client that knows the password wants to reach, and what answers in its place. */
  #find({ headers }: IncomingMessage, authority: string | undefined, port?: number) {
    try {
      const given = Buffer.from(headers['proxy-authorization'] ?? '')
      if (given.length !== this.#expected.length || !timingSafeEqual(given, this.#expected))
        fail('proxy_password', {}, { 'Proxy-Authenticate': 'Basic realm="edgesim"' })
      if (authority === undefined) fail('not_for_proxy', {})
      const wanted = readWanted(authority, port)
      return { wanted, substitute: this.#substituteFor(wanted) }
    } catch (error) {
      this.options.onFailure(error)
      throw error
    }
  }

  /**
   * Undefined for another host that is let through. Never for another spelling or port of a host that we stand in for:
   * that would reach the real one.
   */
  #substituteFor({ spelled, host, port }: Wanted): Substitute | undefined {
    const { substitutes, passThrough } = this.options
    const ofHost = substitutes.filter(each => each.host === host.replace(/\.+$/, ''))
    const found = ofHost.find(each => each.host === spelled.toLowerCase() && each.port === port)
    if (found || (ofHost.length === 0 && passThrough)) return found
    const shown = `${spelled}:${port}`.slice(0, 100)
    if (ofHost.length > 0) fail('other_spelling', { host: shown, as: ofHost[0]!.host })
    this.refused.count++
    if (this.refused.hosts.size < MAX_REFUSED) this.refused.hosts.add(host)
    fail('other_host', { host: shown, hosts: [...new Set(substitutes.map(each => each.host))] })
  }
}

/** Reads `example.com:443`. A URL may leave out the port. */
function readWanted(authority: string, usualPort?: number): Wanted {
  const [, spelled, digits] = /^(\[[^\]]+\]|[^:@/?#\\\s]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const port = digits === undefined ? usualPort : Number(digits)
  const url = `http://${spelled}`
  if (spelled === undefined || port === undefined || port > 65535 || !URL.canParse(url)) {
    const received = JSON.stringify(authority.slice(0, 100))
    fail('bad_request', { why: `${received} is not a host and a port, such as example.com:443` })
  }
  return { spelled, host: new URL(url).hostname, port }
}
