import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { ApiError } from '../../engine/error.ts'
import { toApiError } from '../../engine/errors.ts'
import { errorReply } from '../error-reply.ts'
import { errors } from '../errors.ts'
import { localAuthority } from './client-address.ts'
import { rawReply, sendJson } from './json-reply.ts'
import {
  closeHandedOver,
  endWith,
  ignoreRest,
  ignoreSocketErrors,
  MAX_PIPELINED,
  oneAtATime,
  socketBelow,
} from './sockets.ts'

/** The time that requests in progress get when a server closes, unless `--stop-grace` sets it. */
export const CLOSE_MS = 1_000

/** OpenSSL's errors for a client without TLS. It recognises CONNECT and four HTTP methods by name. */
const NOT_TLS = new Set<string | undefined>([
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_HTTPS_PROXY_REQUEST',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])

export interface HttpServerOptions {
  /** The request class (default: Node's). */
  Request?: typeof IncomingMessage
  /** Sent with the server's own errors. */
  headers?: Record<string, string>
  onRequest: RequestListener
  /** Whether `onRequest` also gets upgrades, with a response that has the connection. */
  upgrades?: boolean
  /** Handles CONNECT after the responses to earlier requests. An error that it throws is the response. */
  onConnect?(req: IncomingMessage, socket: Socket): void
  /** With `onlyName`, requests for other names are rejected. */
  tls?: { key: string; cert: string; onlyName?: string }
  /** In seconds, for the headers (and for the TLS handshake), and for a whole request. */
  timeouts: { headers: number; request: number }
}

/** An HTTP server that handles one request per connection at a time, and responds to malformed ones in JSON. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { Request = IncomingMessage, headers = {}, onRequest, upgrades, onConnect, tls, timeouts } = options
  // TLS is Node's slowest module to load. Startup without it is 15 ms faster.
  const create = tls ? (process.getBuiltinModule('node:https').createServer as typeof createServer) : createServer
  const latest = new WeakMap<Socket, LatestReplies>()
  const onTurn = oneAtATime(onRequest, res =>
    sendLastError(res, ApiError.of(errors.too_many_ahead, { most: MAX_PIPELINED })),
  )
  const server = create(
    {
      ...(tls && { key: tls.key, cert: tls.cert, handshakeTimeout: timeouts.headers * 1000 }),
      ...(tls?.onlyName !== undefined && { SNICallback: acceptOnly(tls.onlyName) }),
      IncomingMessage: Request,
      requireHostHeader: false,
      headersTimeout: timeouts.headers * 1000,
      requestTimeout: timeouts.request * 1000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 60_000,
    },
    (req, res) => {
      noteLatest(res)
      // Node's parser drops the bytes after it in the same packet.
      if (namesUpgrade(req)) res.shouldKeepAlive = false
      onTurn(req, res)
    },
  )
  // By default, Node closes the connection of a CONNECT without a response, and responds to Expect without a body.
  server.on('connect', (req, socket: Socket, head) => {
    if (!onConnect) return endConnection(socket, ApiError.of(errors.no_tunnel, {}))
    afterEarlier(socket, head, () => {
      try {
        onConnect(req, socket)
      } catch (error) {
        endConnection(socket, toApiError(error))
      }
    })
  })
  server.on('checkExpectation', (req, res) => {
    const received = String(req.headers.expect).slice(0, 100)
    noteLatest(res)
    sendLastError(res, ApiError.of(errors.expectation_failed, { received }))
  })
  if (upgrades) server.on('upgrade', onUpgrade)
  ignoreSocketErrors(server, tls !== undefined)
  closeHandedOver(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (NOT_TLS.has(error.code)) return sendHttpsOnly(socketBelow(socket))
    // Nothing can be written before the end of the handshake.
    const isHandshake = error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT'
    if (error.code === 'ECONNRESET' || isHandshake || !socket.writable) return socket.destroy()
    endConnection(socket, toRequestError(error))
  })
  return server

  function noteLatest(res: ServerResponse) {
    const { socket } = res.req
    latest.set(socket, { res, before: latest.get(socket)?.res })
  }

  /** The connection closes after this response. */
  function sendLastError(res: ServerResponse, error: ApiError) {
    res.shouldKeepAlive = false
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    sendJson(res, errorReply(error))
  }

  /** Ends a connection with an error, after the responses to earlier pipelined requests. */
  function endConnection(socket: Socket, error: ApiError) {
    const last = latest.get(socket)
    // If the latest request is malformed and has no response yet, the error is its response.
    const before = last && (last.res.req.complete || last.res.writableEnded) ? last.res : last?.before
    const end = () => endWith(socket, rawReply(error, { ...headers, ...error.headers }))
    if (!before || before.closed) return end()
    ignoreRest(socket)
    before.once('close', end)
  }

  /** Responds to a client that uses plain HTTP. Node closes the connection right after this. */
  function sendHttpsOnly(socket: Socket) {
    const url = `https://${tls?.onlyName ?? localAuthority(socket)}`
    socket.end(rawReply(ApiError.of(errors.https_only, { url }), headers))
  }

  /** Node's parser no longer reads the connection, so a response other than 101 is the last one. */
  function onUpgrade(req: IncomingMessage, socket: Socket, head: Buffer) {
    afterEarlier(socket, head, () => {
      const res = new ServerResponse(req)
      res.shouldKeepAlive = false
      res.once('finish', () => endWith(socket)).assignSocket(socket)
      onRequest(req, res)
    })
  }

  /** Waits for the responses to earlier requests of a connection that Node handed over with these bytes. */
  function afterEarlier(socket: Socket, head: Buffer, begin: () => void) {
    // Immediately, because nothing can be put back after the client's last byte.
    if (head.length > 0) socket.unshift(head)
    const before = latest.get(socket)?.res
    if (!before || before.closed) begin()
    else before.once('close', () => socket.destroyed || begin())
  }

  function toRequestError(error: NodeJS.ErrnoException): ApiError {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return ApiError.of(errors.request_timeout, timeouts)
    if (error.code === 'HPE_HEADER_OVERFLOW') return ApiError.of(errors.headers_too_large, {})
    const why = (error as { reason?: string }).reason ?? error.message
    return ApiError.of(errors.bad_request, { why: `Invalid HTTP request: ${why}` })
  }
}

/** Whether Node's parser treats a request as an upgrade. */
const namesUpgrade = ({ headers }: IncomingMessage) =>
  headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')

/** Without a context, Node uses the server's. */
const acceptOnly = (name: string) => (given: string, done: (error: Error | null, context?: undefined) => void) =>
  given.toLowerCase() === name ? done(null) : done(new Error(`unknown host name ${given}`))

/** The latest response on a connection, and the one before it. */
interface LatestReplies {
  res: ServerResponse
  before: ServerResponse | undefined
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(whyNotListening(error, host, port)))
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

function whyNotListening(cause: NodeJS.ErrnoException, host: string, port: number): SimulatorError {
  const { code, syscall, message } = cause
  const another = '--port N (0 for any free port)'
  const because = (why: string) => new SimulatorError('CANNOT_LISTEN', why, { cause })
  if (code === 'EADDRINUSE')
    return new SimulatorError(
      'PORT_IN_USE',
      `Port ${port} on ${host} is already in use. Stop the other process, or use ${another}.`,
    )
  if (syscall === 'getaddrinfo') return because(`Unknown host ${host} (${message}). Choose another --host.`)
  if (code === 'EADDRNOTAVAIL') return because(`${host} is not an address of this machine. Choose another --host.`)
  return because(`Cannot listen on port ${port} of ${host} (${message}). Use ${another}.`)
}

/** Closes the servers. After the time for requests in progress, calls `onCutOff` and closes their connections. */
export async function close(servers: Server[], waitMs = CLOSE_MS, onCutOff = () => {}) {
  const timer = setTimeout(() => {
    onCutOff()
    for (const server of servers) server.closeAllConnections()
  }, waitMs)
  await Promise.all(
    servers.map(
      server =>
        new Promise<void>(resolve => {
          server.close(() => resolve())
          server.closeIdleConnections()
          // Others close soon after their response.
          server.keepAliveTimeout = 1
        }),
    ),
  )
  clearTimeout(timer)
}

/** Listens on the host. Without one, listens on both loopback addresses, because localhost can resolve to either. */
export async function listenOn(make: () => Server, host: string | undefined, port: number) {
  for (let triesLeft = 10; ; triesLeft--) {
    const server = make()
    const actual = await listen(server, host ?? '127.0.0.1', port)
    if (host !== undefined) return { servers: [server], port: actual }
    const second = make()
    try {
      await listen(second, '::1', actual)
      return { servers: [server, second], port: actual }
    } catch (error) {
      // Without IPv6, or if the port is taken there, 127.0.0.1 is enough.
      const another = port === 0 && hasCode(error, 'PORT_IN_USE') && triesLeft > 0
      if (!another) return { servers: [server], port: actual }
      await close([server])
    }
  }
}
