import type { Server as HttpServer, RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { nextTick } from 'node:process'
import { clearTimeout, setTimeout } from '../basics/real-time.ts'
import type { Lifetime } from '../sandbox/index.ts'

const ignore = () => {}

/**
 * Every server of ours needs this. After CONNECT or an upgrade, Node no longer listens to the errors of a socket, and
 * one without a listener ends the process: a client may leave at any moment.
 */
export function ignoreSocketErrors(server: Server, tls: boolean) {
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore)
  })
  if (tls) server.on('secureConnection', (socket: Socket) => socket.on('error', ignore))
}

/** Lets `closeAllConnections` also close what Node has handed over (CONNECT, upgrades) and no longer knows. */
export function closeHandedOver(server: HttpServer) {
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy()
  }
}

/**
 * The TCP socket of a TLS socket. Only that one can be reset, or write plain text. Node has no public name for it; their
 * addresses are no way to find it, because they are unknown once the connection is closed.
 */
export const socketBelow = (socket: Socket & { _parent?: Socket | null }) => socket._parent ?? socket
export const reset = (socket: Socket) => void socketBelow(socket).resetAndDestroy()

/** How many requests may wait on a connection for the one before them. */
export const MAX_PIPELINED = 1_000

/**
 * Handles one request of a connection at a time, in the order they came: clients may send requests ahead. A request
 * that waits has not begun, so nothing is left of it when its client leaves. The first of too many goes to `onTooMany`,
 * which must end the connection with its answer; that is sent when its turn comes.
 */
export function oneAtATime(onRequest: RequestListener, onTooMany: (res: ServerResponse) => void): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    // A response gets the socket when those before it are sent.
    if (res.socket) return onRequest(req, res)
    const { socket } = req
    const before = waiting.get(socket) ?? 0
    waiting.set(socket, before + 1)
    if (before < MAX_PIPELINED) {
      res.once('socket', () => {
        waiting.set(socket, waiting.get(socket)! - 1)
        onRequest(req, res)
      })
    } else if (before === MAX_PIPELINED) {
      // In the next tick: what came with it has been parsed then.
      nextTick(ignoreRest, socket)
      onTooMany(res)
    }
  }
}

/** Reads on and ignores what a client sends: only so is it seen when the client closes the connection. */
export function ignoreRest(socket: Socket) {
  const end = () => socket.destroySoon()
  if (socket.readableEnded) return end()
  socket.removeAllListeners('data').on('data', ignore).once('end', end).resume()
  // Node's parser may have stopped reading, because nobody read the request.
  socket._read(0)
}

/** How long a client may take to read the last response on a connection and to close it. */
export const LAST_RESPONSE_MS = 500

/** Ends a connection with these bytes. It is closed soon, even if the client stays. */
export function endWith(socket: Socket, bytes = '') {
  socket.end(bytes)
  // Closing with unread bytes resets the connection, and the client might never see the response.
  ignoreRest(socket)
  const timer = setTimeout(() => socket.destroy(), LAST_RESPONSE_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** 24 days. A timer with a longer delay fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Resolves after that time, or as soon as the client leaves or the sandbox is reset. */
export function wait(ms: number, socket: Socket, lifetime: Lifetime): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.off('close', done)
      lifetime.offEnd(done)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, MAX_TIMER_MS)) : undefined
    socket.once('close', done)
    lifetime.onEnd(done)
    if (socket.destroyed || lifetime.ended) done()
  })
}
