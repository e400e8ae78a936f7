import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect, type Socket } from 'node:net'
import { ApiError, errorReply } from '../contract/errors.ts'
import { rawAnswer, sendJson } from '../http/json-answer.ts'
import { endToEnd, framing } from '../traffic/request-head.ts'
import { problemOf } from '../traffic/upstream-request.ts'

/** The host and the port that a client wants to reach. */
export interface Wanted {
  /** The host as the client spelled it. */
  spelled: string
  /** The host that it means: only this one is compared and looked up. */
  host: string
  port: number
}

/** The answer to a CONNECT: what follows is for the host. */
export const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** How long a host may take to accept a connection. */
export const PATIENCE_MS = 10_000

/** Lets other hosts through: directly, or by the proxy that was set before. */
export class PassThrough {
  constructor(
    readonly vendor: string,
    /** By the scheme of what is asked for: the URL of the proxy that was set before. */
    readonly before: { http?: URL; https?: URL },
  ) {}

  /** Passes bytes on in both directions. */
  async tunnel(client: Socket, { host, port }: Wanted) {
    try {
      const upstream = await (this.before.https ? this.#byProxy(this.before.https, host, port) : connectTo(host, port))
      if (client.destroyed) return void upstream.destroy()
      client.write(ESTABLISHED)
      client.pipe(upstream).pipe(client)
      upstream.on('error', () => client.destroy()).once('close', () => client.destroy())
      client.once('close', () => upstream.destroy())
    } catch (error) {
      client.end(rawAnswer(unreachable(`${host}:${port}`, error), this.vendor))
    }
  }

  #byProxy(proxy: URL, host: string, port: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const path = `${host}:${port}`
      const headers = { Host: path, ...authorizationFor(proxy) }
      const req = requesterOf(proxy)(proxy, { method: 'CONNECT', path, headers, agent: false, timeout: PATIENCE_MS })
      req.once('connect', (res, socket, head) => {
        if (res.statusCode !== 200) {
          socket.destroy()
          return reject(new Error(`the proxy ${proxy.host} answered ${res.statusCode}`))
        }
        socket.on('error', () => {})
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      })
      req.once('timeout', () => req.destroy(new Error(`the proxy ${proxy.host} does not answer`)))
      req.once('error', reject)
      req.end()
    })
  }

  /** Sends a request on that came for a whole URL. */
  forward(req: IncomingMessage, res: ServerResponse) {
    const url = new URL(req.url!)
    const proxy = url.protocol === 'https:' ? this.before.https : this.before.http
    const headers = [...endToEnd(req.rawHeaders, req.headers.connection), ...framing(req)]
    if (proxy) for (const [name, value] of Object.entries(authorizationFor(proxy))) headers.push(name, value)
    const { method } = req
    const sent = requesterOf(proxy ?? url)(proxy ?? url, {
      method,
      path: proxy ? url.href : url.pathname + url.search,
      headers: headers as never,
      agent: false,
    })
    const fail = (error: Error) => {
      if (res.headersSent) res.destroy()
      else sendJson(res, errorReply(unreachable(url.host, error), this.vendor))
    }
    sent.once('response', answer => {
      const problem = problemOf(answer)
      if (problem !== undefined) {
        sent.destroy()
        return fail(new Error(`its answer cannot be passed on, because ${problem}`))
      }
      res.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer.rawHeaders, answer.headers.connection))
      answer.on('error', () => res.destroy()).pipe(res)
    })
    sent.on('error', fail)
    res.once('close', () => sent.destroy())
    req.pipe(sent)
  }
}

const requesterOf = ({ protocol }: URL) => (protocol === 'https:' ? requestTls : request)

function authorizationFor({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

const connectTo = (host: string, port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout: PATIENCE_MS })
    // Also emitted later, when nothing has come for as long.
    socket.on('timeout', () => socket.connecting && socket.destroy(new Error('it does not answer')))
    socket.once('error', reject).once('connect', () => resolve(socket))
  })

const unreachable = (host: string, error: unknown) =>
  new ApiError('host_unreachable', { host, why: (error as Error).message || (error as NodeJS.ErrnoException).code })
