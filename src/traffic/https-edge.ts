import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
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
    return this.wantsUpgrade === true && isWebSocket(this)
  }

  set upgrade(wanted: boolean) {
    this.wantsUpgrade = wanted
  }
}

/** An HTTPS edge, or with `http://` a plain one: proxies by route, and changes the headers that it was told to. */
export function createHttpsEdge(
  site: Site,
  listener: () => Listener,
  tls: { key: string; cert: string } | undefined,
): Server {
  const connections = new WeakMap<Socket, ClientConnection>()
  const create = (tls ? createTlsServer : createServer) as typeof createServer
  const options = { ...tls, IncomingMessage: EdgeRequest, requireHostHeader: false, keepAliveTimeout: 60_000 }
  const server = create(options, (req, res) => {
    // Node's parser drops what came in one packet behind such a request.
    if (req.wantsUpgrade) res.shouldKeepAlive = false
    add(req, res)
  })
  server.on('upgrade', (req, socket, head) => {
    // At once: it cannot be put back any more when the client has sent its last byte.
    if (head.length > 0) socket.unshift(head)
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    add(req, res)
  })
  server.on('clientError', (_error, socket: Socket) => socket.destroy())
  return server

  function add(req: IncomingMessage, res: ServerResponse) {
    const { socket } = req
    let connection = connections.get(socket)
    if (!connection) {
      connection = new ClientConnection(socket)
      connections.set(socket, connection)
    }
    connection.add(new ProxiedExchange(site, connection, listener().counters, req, res))
  }
}
