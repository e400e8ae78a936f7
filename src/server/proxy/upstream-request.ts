import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { hasBody } from '../http/bodies.ts'
import type { ClientConnection, Upstream } from './client-connection.ts'
import { framing, unsupportedCoding } from './request-head.ts'

/** Why an upstream could not handle a request or connection. */
export class UpstreamFailure extends Error {
  readonly reason: 'unreachable' | 'bad_response' | 'empty'
  /** The message for a log, with the name of the upstream. */
  readonly failure: string
  /** Nothing was sent, so another upstream may be tried. */
  readonly unsent: boolean

  constructor(
    why: string,
    { reason = 'unreachable', failure = why, unsent = true }: Partial<Omit<UpstreamFailure, keyof Error>> = {},
  ) {
    super(why)
    this.reason = reason
    this.failure = failure
    this.unsent = unsent
  }
}

export interface UpstreamRequest {
  /** The client request. Its method, framing and body are forwarded. With `upgrade` it asks for a WebSocket. */
  req: IncomingMessage & { upgrade?: boolean }
  upstream: Upstream
  address: string
  target: string
  headers: readonly string[]
  connection: ClientConnection
  /** The body, if it was already read. */
  body?: Buffer
  /** Whether to verify the upstream certificate. */
  verify?: boolean
}

/** The response and its body. With `upgrade`, it is a 101, and the socket switches to another protocol. */
export interface UpstreamResponse
  extends Readable,
    Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders' | 'headers'> {
  upgrade?: boolean
  socket?: Socket
}

/** Sends a request to an upstream. Retries on a new connection if a kept-alive one was closed. */
export function requestUpstream(options: UpstreamRequest): Promise<UpstreamResponse> {
  const { req, upstream, address, target, headers, connection, body, verify = false } = options
  const { gone } = connection
  const withBody = hasBody(req)
  // The body is not stored, so the request cannot be repeated.
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
    // Do not read the body before the connection is open, so another backend could still get all of it.
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
    const rejectResponse = (problem: string) => reject(badResponse(upstream, problem))
    sent.on('error', (error: NodeJS.ErrnoException & { reason?: string }) => {
      const stale = sent.reusedSocket && sent.socket?.bytesRead === readBefore && mayBeSentTwice
      if (stale && !gone.aborted) return resolve(requestUpstream(options))
      const { message, code, reason = message } = error
      if (code?.startsWith('HPE_')) return rejectResponse(`it is not HTTP (${reason})`)
      const failure = `cannot reach the upstream ${upstream.shown}: ${message}`
      reject(new UpstreamFailure(message, { failure, unsent: !connected && !gone.aborted }))
    })
    sent.once('response', response => {
      const problem = problemOf(response)
      if (problem === undefined) return resolve(response)
      sent.destroy()
      rejectResponse(problem)
    })
    sent.once('upgrade', (response, socket, head) => {
      // Without a listener, a socket error would crash the process.
      socket.on('error', () => {})
      const problem = req.upgrade ? problemOf(response) : 'it switches protocols, which was not requested'
      if (problem === undefined) {
        if (head.length > 0) socket.unshift(head)
        return resolve(response)
      }
      socket.destroy()
      rejectResponse(problem)
    })
    if (!withBody) sent.end()
  })
}

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

/** The upstream sent a response that cannot be forwarded. */
function badResponse({ shown }: Upstream, problem: string): UpstreamFailure {
  const failure = `cannot forward the response of ${shown}: ${problem}`
  return new UpstreamFailure(problem, { reason: 'bad_response', failure, unsent: false })
}

/** Node's parser accepts some responses that its writer rejects, and a 101 without an Upgrade header. */
function problemOf({ statusCode, statusMessage, headers, upgrade }: IncomingMessage & { upgrade?: boolean }) {
  if (statusCode! < 200 && !upgrade) return `its status is ${statusCode}`
  const coding = unsupportedCoding(headers)
  if (coding !== undefined) return `its transfer coding "${coding}" is not supported`
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage!) ? 'its reason phrase contains control characters' : undefined
}
