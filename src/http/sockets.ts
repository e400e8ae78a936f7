import type { RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { nextTick } from 'node:process'
import { clearTimeout, setTimeout } from '../basics/real-time.ts'
import type { Lifetime } from '../sandbox/index.ts'

const ignore = () => {}

/** TCP sockets below TLS, by who is connected. */
const below = new Map<string, Socket>()
const peerOf = ({ remoteAddress, remotePort, localPort }: Socket) => `${remoteAddress} ${remotePort} ${localPort}`

/**
 * Every server of ours takes its sockets from here. Once a socket has left Node's hands (CONNECT, an upgrade), an error
 * that nobody listens to ends the process: a client may leave at any moment.
 */
export function tendSockets(server: Server, tls: boolean) {
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore)
    if (tls) keep(socket)
  })
  if (tls) server.on('secureConnection', (socket: Socket) => socket.on('error', ignore))
}

function keep(socket: Socket) {
  const peer = peerOf(socket)
  below.set(peer, socket)
  socket.once('close', () => below.delete(peer))
}

/** A TLS socket does not expose its TCP socket, and only that one can be reset, or written to when it is no TLS. */
export const socketBelow = (socket: Socket) => below.get(peerOf(socket)) ?? socket
export const reset = (socket: Socket) => void socketBelow(socket).resetAndDestroy()

/** How many requests wait on a connection for the one before them. */
export const MOST_AHEAD = 1_000

/**
 * Works on one request of a connection at a time, in the order they came: clients may send requests ahead. One that waits
 * has not begun, so nothing is left of it when its client leaves. The first of too many is handed to `refuse`, which
 * must end the connection with its answer: that is sent in its turn.
 */
export function inTurn(onRequest: RequestListener, refuse: (res: ServerResponse) => void): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    // A response has the socket when those before it are sent.
    if (res.socket) return onRequest(req, res)
    const { socket } = req
    const before = waiting.get(socket) ?? 0
    waiting.set(socket, before + 1)
    if (before < MOST_AHEAD) {
      res.once('socket', () => {
        waiting.set(socket, waiting.get(socket)! - 1)
        onRequest(req, res)
      })
    } else if (before === MOST_AHEAD) {
      // Once what came with it has been parsed.
      nextTick(ignoreRest, socket)
      refuse(res)
    }
  }
}

/** Takes nothing more from a client, but sees it leave: a socket that is not read is never closed by the other side. */
export function ignoreRest(socket: Socket) {
  const end = () => socket.destroySoon()
  if (socket.readableEnded) return end()
  socket.removeAllListeners('data').on('data', ignore).once('end', end).resume()
  // Node's parser may have stopped reading, because nobody took what it had.
  socket._read(0)
}

/** The longest delay of a timer, 24 days. With a longer one it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
export function wait(ms: number, socket: Socket, lifetime: Lifetime): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.off('close', done)
      lifetime.offEnd(done)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, LONGEST_MS)) : undefined
    socket.once('close', done)
    lifetime.onEnd(done)
    if (socket.destroyed || lifetime.ended) done()
  })
}
