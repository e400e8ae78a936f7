import { createServer, type Server } from 'node:net'
import { setImmediate } from '../../basics/real-time.ts'
import { ignoreSocketErrors } from '../../server/http/sockets.ts'
import { PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { CONNECTION_OPTIONS, serveConnection } from './tcp-edge.ts'
import { endsTls } from './tls-settings.ts'
import { TlsTermination } from './tls-termination.ts'

/** The server of a TLS edge. It terminates TLS or passes it through. Everything else works like a TCP edge. */
export function createTlsEdge(edge: SandboxEdge, certificate: { key: string; cert: string }): Server {
  const termination = new TlsTermination(edge, certificate)
  const server = createServer(CONNECTION_OPTIONS, socket => {
    const { record } = edge
    // A blocked source gets no handshake.
    if (!record || !endsTls('tls', record) || socket.destroyed || !edge.admits(record, socket))
      return serveConnection(edge, socket)
    // A client that disconnects during the handshake must not leave the socket half open.
    socket.allowHalfOpen = false
    termination.accept(socket, record, {
      onSecure(secure) {
        secure.allowHalfOpen = true
        secure.on('error', () => {})
        // Deferred: Node crashes if the connection is reset before the handshake callback returns.
        setImmediate(() => serveConnection(edge, secure))
      },
      onFailure(error, secure) {
        const decision = new PendingDecision(edge, record, socket)
        if (error.code === 'ECONNRESET') decision.publish('The client disconnected during the TLS handshake.')
        else decision.fail(`the TLS handshake failed: ${error.reason ?? error.message}`)
        secure.destroy()
      },
    })
  })
  ignoreSocketErrors(server, true)
  return server
}
