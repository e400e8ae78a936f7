import type { Server as HttpServer, RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { nextTick } from 'node:process'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'

const ignore = () => {}

/**
 * Every server needs this. After CONNECT or an upgrade, Node no longer listens to socket errors, and an error without a
 * listener ends the process. A client can disconnect at any time.
 */
export function ignoreSocketErrors(server: Server, tls: boolean) {
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore)
  })
  if (tls) server.on('secureConnection', (socket: Socket) => socket.on('error', ignore))
}

/** Makes `closeAllConnections` also close connections that Node handed over (CONNECT, upgrades). */
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
 * The TCP socket of a TLS socket, which can be reset or write plain text. Node has no public property for it, and it
 * cannot be found by address, which is unknown once the connection is closed.
 */
export const socketBelow = (socket: Socket & { _parent?: Socket | null }) => socket._parent ?? socket
export const reset = (socket: Socket) => void socketBelow(socket).resetAndDestroy()

/** The maximum number of waiting requests on a connection. */
export const MAX_PIPELINED = 1_000

/**
 * Handles the pipelined requests of a connection one at a time, in order. A waiting request has not started, so nothing
 * is left of it when its client disconnects. The first one over the limit goes to `onTooMany`, which must end the
 * connection with its response. That is sent in turn.
 */
export function oneAtATime(onRequest: RequestListener, onTooMany: (res: ServerResponse) => void): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    // A response gets the socket after the earlier responses are sent.
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
      // In the next tick, after the rest of the packet was parsed.
      nextTick(ignoreRest, socket)
      onTooMany(res)
    }
  }
}

/** Reads and ignores further input. Without it, the end of the connection would not be noticed. */
export function ignoreRest(socket: Socket) {
  const end = () => socket.destroySoon()
  if (socket.readableEnded) return end()
  socket.removeAllListeners('data').on('data', ignore).once('end', end).resume()
  // Node's parser may have stopped reading, because the request was not read.
  socket._read(0)
}

/** The time for a client to read the last response and close the connection. */
export const LAST_RESPONSE_MS = 500

/** Ends a connection with these bytes. Closes it soon, even if the client does not. */
export function endWith(socket: Socket, bytes = '') {
  socket.end(bytes)
  // Closing with unread bytes resets the connection, and the client might never see the response.
  ignoreRest(socket)
  const timer = setTimeout(() => socket.destroy(), LAST_RESPONSE_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** 24 days. A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Resolves after that time, or when the client disconnects or the signal is aborted. */
export function wait(ms: number, socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, MAX_TIMER_MS)) : undefined
    socket.once('close', done)
    signal.addEventListener('abort', done)
    if (socket.destroyed || signal.aborted) done()
  })
}
