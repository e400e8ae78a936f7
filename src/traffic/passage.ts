import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorName, ErrorParams } from '../errors.ts'
import type { Carried } from '../sandbox/index.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { Row } from '../schema/index.ts'
import { reset } from '../sockets.ts'
import { type HeaderRules, type Rewritten, rewrite } from './header-rules.ts'
import { routeFor } from './judge.ts'
import { type Arrival, hangMs, pause, type Site } from './site.ts'
import { type Upstream, upstreamOf } from './upstream.ts'

/** Where a request goes, and with which headers. */
export interface Passage {
  arrival: Arrival
  upstream: Upstream
  address: string
  rewritten: Rewritten
  effects: Effects | undefined
  say: Say
  told: { method: string; path: string; route: string; upstream: string }
}

/** Answers in place of the upstream. */
export type Say = <N extends ErrorName>(error: N, params: ErrorParams<N>) => void

interface Asked {
  site: Site
  req: IncomingMessage
  socket: Socket
  say: Say
  counters: Carried
}

type Admitted = Passage | undefined | Promise<Passage | undefined>

/** Everything that is asked before a request goes on; undefined when it does not. */
export function admit(asked: Asked): Admitted {
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
  if (fault!.type === 'reset') reset(socket)
  else socket.destroy()
}

const rewriteFor = ({ assuming }: Arrival, req: IncomingMessage, route: Row) =>
  rewrite(req.rawHeaders, route.request_headers as HeaderRules | undefined, () =>
    assuming.assume('add_existing_header'),
  )
