import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { hasBody } from '../http/bodies.ts'
import type { Upstream } from './backend.ts'
import type { ClientConnection } from './client-connection.ts'
import { BackendFailure } from './reach.ts'
import { framing, unsupportedCoding } from './request-head.ts'

export interface UpstreamRequest {
  /** The client's request: its method, framing and body are sent on. With `upgrade` it asks for a WebSocket. */
  req: IncomingMessage & { upgrade?: boolean }
  upstream: Upstream
  address: string
  target: string
  headers: readonly string[]
  connection: ClientConnection
  /** The body, if it was read before. */
  body?: Buffer
  /** Whether the certificate of the upstream must be valid. */
  verify?: boolean
}

/** The answer to a request, with its body. With `upgrade` it is a 101: after it, the socket carries another protocol. */
export interface UpstreamResponse
  extends Readable,
    Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders' | 'headers'> {
  upgrade?: boolean
  socket?: Socket
}

/** Sends a request to an upstream; again, on a new connection, when the kept-alive one turns out to be closed. */
export function requestUpstream(given: UpstreamRequest): Promise<UpstreamResponse> {
  const { req, upstream, address, target, headers, connection, body, verify = false } = given
  const { gone } = connection
  const withBody = hasBody(req)
  // A body is not kept, so it cannot be sent again.
  const mayBeSentTwice = IDEMPOTENT.has(req.method!) && !withBody
  const ownHeaders = req.upgrade ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : framing(req)
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
      ...(upstream.tls && { rejectUnauthorized: verify, servername: isIP(upstream.host) ? '' : upstream.host }),
    })
    let readBefore = 0
    let connected = false
    // Nothing of the body is read before that: if there is no connection, another backend may get all of it.
    const onConnect = () => {
      connected = true
      if (!withBody) return
      if (body) return void sent.end(body)
      // An upstream may respond before it has read the whole body: discard the rest.
      sent.once('close', () => req.unpipe(sent).resume())
      req.pipe(sent)
    }
    sent.once('socket', socket => {
      readBefore = socket.bytesRead
      if (sent.reusedSocket) onConnect()
      else socket.once(upstream.tls ? 'secureConnect' : 'connect', onConnect)
    })
    const refuse = (problem: string) => reject(badResponse(upstream, problem))
    sent.on('error', (error: NodeJS.ErrnoException & { reason?: string }) => {
      const stale = sent.reusedSocket && sent.socket?.bytesRead === readBefore && mayBeSentTwice
      if (stale && !gone.aborted) return resolve(requestUpstream(given))
      const { message, code, reason = message } = error
      if (code?.startsWith('HPE_')) return refuse(`it is not HTTP (${reason})`)
      const failure = `the upstream ${upstream.shown} could not be reached: ${message}`
      reject(new BackendFailure(message, { failure, unsent: !connected && !gone.aborted }))
    })
    sent.once('response', response => {
      const problem = problemOf(response)
      if (problem === undefined) return resolve(response)
      sent.destroy()
      refuse(problem)
    })
    sent.once('upgrade', (response, socket, head) => {
      // Without a listener, an error of the socket would end the process.
      socket.on('error', () => {})
      const problem = req.upgrade
        ? problemOf(response)
        : 'it switches to another protocol, which the request did not ask for'
      if (problem === undefined) {
        if (head.length > 0) socket.unshift(head)
        return resolve(response)
      }
      socket.destroy()
      refuse(problem)
    })
    if (!withBody) sent.end()
  })
}

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

/** The upstream answered, but the response cannot be forwarded. */
function badResponse({ shown }: Upstream, problem: string): BackendFailure {
  const failure = `the answer of ${shown} cannot be forwarded: ${problem}`
  return new BackendFailure(problem, { error: 'upstream_bad_answer', failure, unsent: false })
}

/** Node's parser accepts some responses that its writer refuses, and a 101 without an Upgrade header. */
function problemOf({ statusCode, statusMessage, headers, upgrade }: IncomingMessage & { upgrade?: boolean }) {
  if (statusCode! < 200 && !upgrade) return `it has the status ${statusCode}`
  const coding = unsupportedCoding(headers)
  if (coding !== undefined) return `it has the transfer coding "${coding}", which is not supported`
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage!) ? 'its reason phrase has control characters' : undefined
}
