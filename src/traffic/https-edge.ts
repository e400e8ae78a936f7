import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { createProxyServer } from 'httpxy'
import { ApiError, errorReply } from '../errors.ts'
import { rawAnswer, sendJson } from '../json-answer.ts'
import { cutAfter } from './cut-after.ts'
import type { Listener } from './listener.ts'
import { admit, type Passage, type Say } from './passage.ts'
import { endToEnd, headersFor } from './proxy-headers.ts'
import type { Site } from './site.ts'
import type { Upstream } from './upstream.ts'

const agents = {
  http: new Agent({ keepAlive: true, maxFreeSockets: 64 }),
  https: new TlsAgent({ keepAlive: true, maxFreeSockets: 64, rejectUnauthorized: false }),
}

/** An HTTPS edge, or with `http://` a plain one: proxies by route, and changes the headers that it was told to. */
export function createHttpsEdge(
  site: Site,
  listener: () => Listener,
  tls: { key: string; cert: string } | undefined,
): Server {
  const passages = new WeakMap<IncomingMessage, Passage>()
  const proxy = createProxyServer({})
  proxy.on('proxyRes', (answer, req, res) => forward(answer, res as ServerResponse, passages.get(req)!))
  proxy.on('proxyReqWs', (asked, req) => watchUpgrade(asked, passages.get(req)!))
  proxy.on('error', (error, req) => unreached(passages.get(req!)!, error))

  const create = (tls ? createTlsServer : createServer) as typeof createServer
  const server = create({ ...tls, requireHostHeader: false, keepAliveTimeout: 60_000 }, (req, res) => {
    const say: Say = (error, params) => {
      if (res.headersSent) res.destroy()
      else sendJson(res, errorReply(new ApiError(error, params), site.context.vendor))
    }
    pass(req, req.socket, say, passage => {
      res.once('close', () => leave(passage))
      return proxy.web(req, res, targetOf(passage))
    })
  })
  server.on('upgrade', (req, socket: Socket, head) => {
    const say: Say = (error, params) => socket.end(rawAnswer(new ApiError(error, params), site.context.vendor))
    pass(req, socket, say, passage => {
      socket.once('close', () => leave(passage))
      return proxy.ws(req, socket, { ...targetOf(passage), agent: false }, head)
    })
  })
  server.on('clientError', (_error, socket: Socket) => socket.destroy())
  return server

  function pass(req: IncomingMessage, socket: Socket, say: Say, on: (passage: Passage) => Promise<void>) {
    const go = (passage: Passage | undefined) => {
      if (!passage) return
      // The proxy takes them from there.
      Object.defineProperty(req, 'headers', { value: headersFor(req, passage.rewritten.headers) })
      passages.set(req, passage)
      on(passage).catch(giveUp)
    }
    const giveUp = (error: unknown) => {
      socket.destroy()
      site.context.onDefect(error)
    }
    try {
      const passage = admit({ site, req, socket, say, counters: listener().counters })
      // Most need not wait for anything.
      if (passage instanceof Promise) passage.then(go).catch(giveUp)
      else go(passage)
    } catch (error) {
      giveUp(error)
    }
  }

  function unreached({ arrival, told, upstream, say }: Passage, { message }: Error) {
    listener().counters.failed++
    arrival.conclude('allow', {
      ...told,
      failure: `the upstream ${upstream.shown} could not be reached: ${message}`,
      status: 502,
    })
    say('upstream_unreachable', { edge: site.id, upstream: upstream.shown, why: message })
  }
}

/** Without an effect once it is known what became of it. */
const leave = ({ arrival, told }: Passage) => arrival.conclude('allow', told, 'The client left before it was answered.')

/** What becomes of a request to go on in another protocol. */
function watchUpgrade(asked: ClientRequest, passage: Passage) {
  const tell = ({ statusCode: status }: IncomingMessage) =>
    passage.arrival.conclude('allow', { ...passage.told, status: status!, headers: shownOf(passage) }, taken(passage))
  asked.once('upgrade', tell).once('response', tell)
}

/** By what it leads to: the same for every request. */
const targets = new WeakMap<Upstream, URL>()

function urlOf(upstream: Upstream, address: string): URL {
  let url = targets.get(upstream)
  if (!url) {
    const host = address.includes(':') ? `[${address}]` : address
    url = new URL(`${upstream.tls ? 'https' : 'http'}://${host}:${upstream.port}${upstream.path}`)
    targets.set(upstream, url)
  }
  return url
}

const targetOf = ({ upstream, address }: Passage) => ({
  target: urlOf(upstream, address),
  agent: upstream.tls ? agents.https : agents.http,
  secure: false,
  selfHandleResponse: true,
  // A request without a Host stays without one.
  ssl: { setHost: false } as object,
})

/** The answer as it came, but for what belongs to the connection. */
function forward(answer: IncomingMessage, res: ServerResponse, passage: Passage) {
  const { arrival, told, effects } = passage
  const status = answer.statusCode!
  arrival.conclude('allow', { ...told, status, headers: shownOf(passage) }, taken(passage))
  res.sendDate = false
  res.writeHead(status, answer.statusMessage, endToEnd(answer.rawHeaders))
  if (effects?.fault?.type !== 'truncate') return void answer.pipe(res)
  const length = Number(answer.headers['content-length'])
  const after =
    (effects.fault.settings?.after as number | undefined) ?? (length > 0 ? Math.floor(length / 2) : undefined)
  res.flushHeaders()
  cutAfter(answer, res.socket!, after)
}

const taken = ({ told }: Passage) => `The route ${told.route} took it to ${told.upstream}.`

const shownOf = ({ rewritten: { added, removed } }: Passage) =>
  Object.keys(added).length > 0 || removed.length > 0 ? { added, removed } : null
