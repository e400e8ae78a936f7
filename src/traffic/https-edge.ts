import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createHttpServer } from '../http/server.ts'
import { ClientConnection } from './client-connection.ts'
import { ProxiedExchange } from './proxied-exchange.ts'
import { isWebSocket } from './request-head.ts'
import type { SandboxEdge } from './sandbox-edge.ts'
import { handshakeOf, TlsTermination } from './tls-termination.ts'

/**
 * RFC 9110, 7.8: a server may ignore an Upgrade header. Where `upgrade` is true, Node stops parsing the connection as
 * HTTP, so it is true only for CONNECT and WebSockets.
 */
class EdgeRequest extends IncomingMessage {
  declare wantsUpgrade: boolean | null

  get upgrade(): boolean {
    return this.wantsUpgrade === true && (this.method === 'CONNECT' || isWebSocket(this))
  }

  set upgrade(wanted: boolean) {
    this.wantsUpgrade = wanted
  }
}

/** The server of an HTTPS edge; without `tls` it serves plain HTTP. Routes choose the upstream and change headers. */
export function createHttpsEdge(edge: SandboxEdge, tls: { key: string; cert: string } | undefined): Server {
  const connections = new WeakMap<Socket, ClientConnection>()
  const server = createHttpServer({
    classes: { Request: EdgeRequest, Response: ServerResponse },
    vendor: edge.context.vendor,
    upgrades: true,
    tls,
    patience: edge.context.timeouts,
    onRequest(req, res) {
      const { socket } = req
      // Node's parser drops bytes that follow an upgrade request in the same packet.
      if ((req as EdgeRequest).wantsUpgrade) res.shouldKeepAlive = false
      let connection = connections.get(socket)
      if (!connection) {
        connection = new ClientConnection(socket)
        connections.set(socket, connection)
      }
      void new ProxiedExchange(edge, connection, req, res).run()
    },
  })
  if (tls) obeyTlsModules(edge, server, tls)
  return server
}

/** Node's own handshake does for edges without TLS modules. Modules are looked up for every connection. */
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
