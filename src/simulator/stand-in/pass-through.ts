import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect, type Socket } from 'node:net'
import { ApiError } from '../../engine/error.ts'
import { rawReply } from '../../server/http/json-reply.ts'
import { endWith } from '../../server/http/sockets.ts'
import { ClientConnections } from '../../server/proxy/client-connection.ts'
import { responseOf } from '../../server/proxy/forwarded-response.ts'
import { readHead } from '../../server/proxy/request-head.ts'
import { requestUpstream } from '../../server/proxy/upstream-request.ts'
import { errors } from './errors.ts'

export interface Target {
  /** The host as the client spelled it. */
  spelled: string
  /** The normalized host, used to compare and look it up. */
  host: string
  port: number
}

/** The response to a CONNECT. */
export const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** The time for a host to accept a connection. */
export const CONNECT_TIMEOUT_MS = 10_000

/** Forwards to other hosts, directly or through the proxy that was set before. */
export class PassThrough {
  readonly #clients = new ClientConnections()

  constructor(
    /** By the target's scheme: the URL of the proxy that was set before. */
    readonly before: { http?: URL; https?: URL },
  ) {}

  /** Forwards bytes in both directions. */
  async tunnel(client: Socket, { host, port }: Target) {
    try {
      const upstream = await (this.before.https ? this.#viaProxy(this.before.https, host, port) : connectTo(host, port))
      if (client.destroyed) return void upstream.destroy()
      client.write(ESTABLISHED)
      client.pipe(upstream).pipe(client)
      upstream.on('error', () => client.destroy()).once('close', () => client.destroy())
      client.once('close', () => upstream.destroy())
    } catch (error) {
      endWith(client, rawReply(unreachable(`${host}:${port}`, error)))
    }
  }

  #viaProxy(proxy: URL, host: string, port: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const path = `${host}:${port}`
      const headers = { Host: path, ...authorizationFor(proxy) }
      const req = requesterOf(proxy)(proxy, {
        method: 'CONNECT',
        path,
        headers,
        agent: false,
        timeout: CONNECT_TIMEOUT_MS,
      })
      req.once('connect', (res, socket, head) => {
        if (res.statusCode !== 200) {
          socket.destroy()
          return reject(new Error(`the proxy ${proxy.host} returned ${res.statusCode}`))
        }
        socket.on('error', () => {})
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      })
      req.once('timeout', () => req.destroy(new Error(`the proxy ${proxy.host} does not respond`)))
      req.once('error', reject)
      req.end()
    })
  }

  /** Forwards a request for an absolute URL, like an edge. */
  async forward(req: IncomingMessage, res: ServerResponse) {
    const { target, headers } = readHead(req)
    const url = new URL(req.url!)
    const proxy = url.protocol === 'https:' ? this.before.https : this.before.http
    const { protocol, hostname, port } = proxy ?? url
    const [tls, host] = [protocol === 'https:', unbracketed(hostname)]
    const connection = this.#clients.of(req.socket)
    const sent = requestUpstream({
      req,
      upstream: { host, port: Number(port) || (tls ? 443 : 80), tls, path: '', shown: url.host },
      address: host,
      target: proxy ? url.href : target,
      headers: [...headers, ...Object.entries(proxy ? authorizationFor(proxy) : {}).flat()],
      connection,
      verify: true,
    })
    const response = await sent.catch(error => {
      if (!connection.gone.aborted) throw unreachable(url.host, error)
    })
    if (!response) return
    const { status, reason, headers: forwarded, body } = responseOf(response)
    res.writeHead(status, reason, forwarded as string[])
    body.once('error', () => res.destroy()).pipe(res)
  }
}

const requesterOf = ({ protocol }: URL) => (protocol === 'https:' ? requestTls : request)

function authorizationFor({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

const unbracketed = (host: string) => host.replace(/^\[|\]$/g, '')

const connectTo = (host: string, port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: unbracketed(host), port, timeout: CONNECT_TIMEOUT_MS })
    // Also emitted later, after the same time without data.
    socket.on('timeout', () => socket.connecting && socket.destroy(new Error('it does not respond')))
    socket.once('error', reject).once('connect', () => resolve(socket))
  })

const unreachable = (host: string, error: unknown) =>
  ApiError.of(errors.host_unreachable, { host, why: (error as Error).message || (error as NodeJS.ErrnoException).code })
