import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createHttpServer } from '../http/server.ts'
import { ClientConnection } from './client-connection.ts'
import type { Listener } from './listener.ts'
import { ProxiedExchange } from './proxied-exchange.ts'
import { isWebSocket } from './request-head.ts'
import type { Site } from './site.ts'

/**
 * RFC 9110, 7.8: a server may ignore that a client wants to go on in another protocol. Node leaves a connection to
 * whoever listens for upgrades if this says so.
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

/** In seconds, as Node has them: uploads may take long. */
const PATIENCE = { headers: 60, request: 300 }

/** An HTTPS edge, or with `http://` a plain one: proxies by route, and changes the headers that it was told to. */
export function createHttpsEdge(
  site: Site,
  listener: () => Listener,
  tls: { key: string; cert: string } | undefined,
): Server {
  const connections = new WeakMap<Socket, ClientConnection>()
  return createHttpServer({
    classes: { Request: EdgeRequest, Response: ServerResponse },
    vendor: site.context.vendor,
    upgrades: true,
    tls,
    patience: PATIENCE,
    onRequest(req, res) {
      const { socket } = req
      // Node's parser drops what came in one packet behind a request for another protocol.
      if ((req as EdgeRequest).wantsUpgrade) res.shouldKeepAlive = false
      let connection = connections.get(socket)
      if (!connection) {
        connection = new ClientConnection(socket)
        connections.set(socket, connection)
      }
      void new ProxiedExchange(site, connection, listener().counters, req, res).run()
    },
  })
}
