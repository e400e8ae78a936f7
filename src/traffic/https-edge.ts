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
import { ApiError, type ErrorName, type ErrorParams, errorReply } from '../errors.ts'
import { rawAnswer, sendJson } from '../json-answer.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { Row } from '../schema/index.ts'
import { type HeaderRules, type Rewritten, rewrite } from './header-rules.ts'
import { routeFor } from './judge.ts'
import type { Counters, Listener } from './listener.ts'
import { type Arrival, hangMs, pause, type Site } from './site.ts'
import { cutAfter } from './tcp-edge.ts'
import { type Upstream, upstreamOf } from './upstream.ts'

/** Of one connection: the edge has its own with the upstream. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const agents = {
  http: new Agent({ keepAlive: true, maxFreeSockets: 64 }),
  https: new TlsAgent({ keepAlive: true, maxFreeSockets: 64, rejectUnauthorized: false }),
}

/** Where a request goes, and with which headers. */
interface Passage {
  arrival: Arrival
  upstream: Upstream
  address: string
  rewritten: Rewritten
  effects: Effects | undefined
  /** Answers in place of the upstream. */
  say: Say
  told: { method: string; path: string; route: string; upstream: string }
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
    socket.on('error', () => {})
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
      useHeaders(req, passage)
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

type Say = <N extends ErrorName>(error: N, params: ErrorParams<N>) => void

interface Asked {
  site: Site
  req: IncomingMessage
  socket: Socket
  say: Say
  counters: Counters
}

type Admitted = Passage | undefined | Promise<Passage | undefined>

/** Everything that is asked before a request goes on; undefined when it does not. */
function admit(asked: Asked): Admitted {
  const { site, req, socket, say, counters } = asked
  const { edge, id } = site
  if (!edge) return void socket.destroy()
  const method = req.method!
  const path = pathOf(req.url ?? '/')
  const arrival = site.arrive(socket, edge)
  if (!arrival.judged.passes) {
    counters.refused++
    arrival.conclude('refuse', { method, path, status: 403 })
    return void say('edge_refused', { edge: id, source_ip: arrival.source, why: arrival.judged.text() })
  }
  counters.allowed++
  const effects = arrival.meetRules(path)
  return effects ? underRules(asked, arrival, effects, path) : onward(asked, arrival, undefined, path)
}

const pathOf = (url: string) => {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

async function underRules(
  asked: Asked,
  arrival: Arrival,
  effects: Effects,
  path: string,
): Promise<Passage | undefined> {
  const { site, req, socket } = asked
  const told = { method: req.method!, path }
  if (await pause(effects.delayMs, socket, site.sandbox))
    return void arrival.conclude('allow', told, 'The client left.')
  if (effects.fault && effects.fault.type !== 'truncate')
    return void (await breakOff(site, arrival, effects, socket, told))
  return onward(asked, arrival, effects, path)
}

/** Finds the route and its upstream. */
function onward(
  { site, req, say, counters }: Asked,
  arrival: Arrival,
  effects: Effects | undefined,
  path: string,
): Admitted {
  const { sandbox, id } = site
  const method = req.method!
  const route = routeFor(sandbox, arrival.edge, path)
  if (!route) {
    arrival.conclude('allow', { method, path, status: 404 }, `No route of ${id} matches ${path}.`)
    return void say('edge_no_route', { edge: id, path })
  }
  const upstream = upstreamOf(sandbox.tables, route)
  const told = { method, path, route: route.id, upstream: upstream?.shown ?? '' }
  const failed = (why: string) => {
    counters.failed++
    arrival.conclude('allow', { ...told, upstream: upstream?.shown ?? null, failure: why, status: 502 })
    return void say('upstream_unreachable', { edge: id, upstream: upstream?.shown ?? `of ${route.id}`, why })
  }
  if (!upstream) return failed(`the route ${route.id} has no upstream: set a backend`)
  const passage = (address: string): Passage => {
    const rewritten = rewriteFor(arrival, req, route)
    return { arrival, upstream, address, effects, say, told, rewritten }
  }
  const refuse = (error: Error) => failed(error.message)
  try {
    const address = site.context.resolver.resolve(upstream.host)
    return typeof address === 'string' ? passage(address) : address.then(passage, refuse)
  } catch (error) {
    return refuse(error as Error)
  }
}

async function breakOff(
  site: Site,
  arrival: Arrival,
  { fault }: Effects,
  socket: Socket,
  told: { method: string; path: string },
) {
  arrival.conclude('allow', told)
  if (fault!.type === 'hang') await pause(hangMs(fault!.settings), socket, site.sandbox)
  if (fault!.type === 'reset') site.context.rawSocket(socket).resetAndDestroy()
  else socket.destroy()
}

const rewriteFor = ({ assuming }: Arrival, req: IncomingMessage, route: Row) =>
  rewrite(req.rawHeaders, route.request_headers as HeaderRules | undefined, () =>
    assuming.assume('add_existing_header'),
  )

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

/**
 * The proxy takes a request's headers from `headers`, which Node has in lower case and folded. So it is given an object
 * with names as they were spelled, and with lists where one was repeated.
 */
function useHeaders(req: IncomingMessage, { rewritten: { headers } }: Passage) {
  const { connection, upgrade, 'transfer-encoding': coding } = req.headers
  const own = connection === undefined || PLAIN.test(connection) ? undefined : tokensOf(connection)
  const kept: Record<string, string | string[]> = {}
  const spelled: Record<string, string> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const lower = name.toLowerCase()
    if (HOP_BY_HOP.has(lower) || own?.has(lower)) continue
    const before = spelled[lower]
    if (before === undefined) {
      spelled[lower] = name
      kept[name] = value
    } else kept[before] = [kept[before]!, value].flat()
  }
  if (coding) kept['transfer-encoding'] = 'chunked'
  if (upgrade) Object.assign(kept, { connection: 'Upgrade', upgrade })
  // Where it sees no length the proxy would add one; a request without a body needs none.
  if (kept['content-length'] === undefined) Object.defineProperty(kept, 'content-length', LENGTH)
  Object.defineProperty(req, 'headers', { value: kept })
}

const PLAIN = /^(keep-alive|close)$/i
const LENGTH = { value: 'as it is', enumerable: false }

/** Names that the client means for its own connection alone. */
const tokensOf = (connection: string) => new Set(connection.split(',').map(token => token.trim().toLowerCase()))

/** The answer as it came, but for what belongs to the connection. */
function forward(answer: IncomingMessage, res: ServerResponse, passage: Passage) {
  const { arrival, told, effects } = passage
  const status = answer.statusCode!
  const kept: string[] = []
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const name = answer.rawHeaders[i]!
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, answer.rawHeaders[i + 1]!)
  }
  arrival.conclude('allow', { ...told, status, headers: shownOf(passage) }, taken(passage))
  res.sendDate = false
  res.writeHead(status, answer.statusMessage, kept)
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
