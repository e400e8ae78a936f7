import type { Server, Socket } from 'node:net'

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

/** A TLS socket does not expose its TCP socket, and only that one can be reset. */
export const reset = (socket: Socket) => void (below.get(peerOf(socket)) ?? socket).resetAndDestroy()
