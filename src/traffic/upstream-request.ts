import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { hasBody } from '../http/bodies.ts'
import type { ClientConnection } from './client-connection.ts'
import { framing, isWebSocket } from './request-head.ts'
import type { Upstream } from './upstream.ts'

export interface UpstreamRequest {
  /** The client's request: its method, framing and body are sent on. */
  req: IncomingMessage
  upstream: Upstream
  address: string
  target: string
  headers: readonly string[]
  connection: ClientConnection
  /** The body, if it was read before. */
  body?: Buffer
}

/** With `upgrade` it is a 101: after it, the socket carries another protocol. */
export type UpstreamResponse = IncomingMessage & { upgrade?: boolean }

/** The upstream answered, but the response cannot be forwarded. */
export class BadUpstreamResponse extends Error {}

/** Sends a request to an upstream; again, on a new connection, when the kept-alive one turns out to be closed. */
export function requestUpstream(given: UpstreamRequest): Promise<UpstreamResponse> {
  const { req, upstream, address, target, headers, connection, body } = given
  const { gone } = connection
  const wantsWebSocket = isWebSocket(req)
  const ownHeaders = wantsWebSocket ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : framing(req)
  return new Promise((resolve, reject) => {
    const sent = (upstream.tls ? requestTls : request)({
      host: address,
      port: upstream.port,
      method: req.method,
      path: upstream.path + target,
      // Node sends a list of headers unchanged, with repeats and original spelling.
      headers: [...headers, ...ownHeaders] as never,
      agent: connection.agentFor(upstream),
      signal: gone,
      ...(upstream.tls && { rejectUnauthorized: false, servername: isIP(upstream.host) ? '' : upstream.host }),
    })
    let readBefore = 0
    sent.once('socket', ({ bytesRead }) => {
      readBefore = bytesRead
    })
    sent.on('error', error => {
      const stale = sent.reusedSocket && sent.socket?.bytesRead === readBefore && mayBeSentTwice(req)
      if (stale && !gone.aborted) resolve(requestUpstream(given))
      else reject(explain(error))
    })
    sent.once('response', response => {
      const problem = problemOf(response)
      if (problem === undefined) return resolve(response)
      sent.destroy()
      reject(new BadUpstreamResponse(problem))
    })
    sent.once('upgrade', (response, socket, head) => {
      // Without a listener, an error of the socket would end the process.
      socket.on('error', () => {})
      const problem = wantsWebSocket
        ? problemOf(response)
        : 'it switches to another protocol, which the request did not ask for'
      if (problem === undefined) {
        if (head.length > 0) socket.unshift(head)
        return resolve(response)
      }
      socket.destroy()
      reject(new BadUpstreamResponse(problem))
    })
    if (!hasBody(req)) return void sent.end()
    if (body) return void sent.end(body)
    // An upstream may respond before it has read the whole body: discard the rest.
    sent.once('close', () => req.unpipe(sent).resume())
    req.pipe(sent)
  })
}

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])
/** A body is not kept, so it cannot be sent again. */
const mayBeSentTwice = (req: IncomingMessage) => IDEMPOTENT.has(req.method!) && !hasBody(req)

function explain(error: NodeJS.ErrnoException & { reason?: string }): Error {
  return error.code?.startsWith('HPE_')
    ? new BadUpstreamResponse(`it is not HTTP (${error.reason ?? error.message})`)
    : error
}

/** Node's parser accepts some responses that its writer refuses, and a 101 without an Upgrade header. */
function problemOf({ statusCode, statusMessage, upgrade }: UpstreamResponse): string | undefined {
  if (statusCode! < 200 && !upgrade) return `it has the status ${statusCode}`
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage!) ? 'its reason phrase has control characters' : undefined
}
