import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createHttpServer } from '../http/server.ts'
import { EDGE_TIMEOUTS } from './bounds.ts'
import { ClientConnection } from './client-connection.ts'
import { ProxiedExchange } from './proxied-exchange.ts'
import { isWebSocket } from './request-head.ts'
import type { SandboxEdge } from './sandbox-edge.ts'

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
  return createHttpServer({
    classes: { Request: EdgeRequest, Response: ServerResponse },
    vendor: edge.context.vendor,
    upgrades: true,
    tls,
    patience: EDGE_TIMEOUTS,
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
}
