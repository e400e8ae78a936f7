import { IncomingMessage, type Server } from 'node:http'
import { createHttpServer } from '../../server/http/server.ts'
import { ClientConnections } from '../../server/proxy/client-connection.ts'
import { isWebSocket } from '../../server/proxy/request-head.ts'
import { ProxiedExchange } from './proxied-exchange.ts'
import type { SandboxEdge } from './sandbox-edge.ts'
import { handshakeOf, TlsTermination } from './tls-termination.ts'

/**
 * If `upgrade` is true, Node stops parsing the connection as HTTP, and the upstream request also asks for an upgrade.
 * Node sets it for CONNECT, and for an Upgrade header listed in Connection. Only WebSockets are upgraded.
 */
class EdgeRequest extends IncomingMessage {
  declare namesUpgrade: boolean | null

  get upgrade(): boolean {
    return this.namesUpgrade === true && (this.method === 'CONNECT' || isWebSocket(this))
  }

  set upgrade(named: boolean) {
    this.namesUpgrade = named
  }
}

/** The server of an HTTPS edge. Without `tls`, it serves plain HTTP. */
export function createHttpsEdge(edge: SandboxEdge, tls: { key: string; cert: string } | undefined): Server {
  const clients = new ClientConnections()
  const server = createHttpServer({
    Request: EdgeRequest,
    upgrades: true,
    tls,
    timeouts: edge.context.timeouts,
    onRequest(req, res) {
      void new ProxiedExchange(edge, clients.of(req.socket), req, res).run()
    },
  })
  if (tls) obeyTlsModules(edge, server, tls)
  return server
}

/** Edges without TLS modules use Node's handshake. The modules are looked up for every connection. */
function obeyTlsModules(edge: SandboxEdge, server: Server, certificate: { key: string; cert: string }) {
  const shakeHands = handshakeOf(server)
  const termination = new TlsTermination(edge, certificate, ['http/1.1'])
  server.off('connection', shakeHands).prependListener('connection', socket => {
    const { record } = edge
    if (socket.destroyed || (!record?.mutual_tls && !record?.tls_termination)) return shakeHands.call(server, socket)
    termination.accept(socket, record, {
      onSecure: secure => server.emit('secureConnection', secure),
      onFailure: (error, secure) => server.emit('tlsClientError', error, secure),
    })
  })
}
