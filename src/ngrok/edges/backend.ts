import type { Row } from '../../engine/language/index.ts'
import type { Tables } from '../../engine/state/index.ts'
import type { Upstream } from '../../server/proxy/client-connection.ts'
import { failoverBackends } from '../resources/backends/failover-backend.ts'
import { httpResponseBackends } from '../resources/backends/http-response-backend.ts'
import { staticBackends } from '../resources/backends/static-backend.ts'
import { tunnelGroupBackends } from '../resources/backends/tunnel-group-backend.ts'
import { weightedBackends } from '../resources/backends/weighted-backend.ts'
import { splitAddress, upstreamAddress } from '../resources/edges/address.ts'
import { BACKENDS, kindOf, tunnelsByLabel, tunnelsWith } from '../resources/index.ts'

/** The target of an edge or a route, before any random choice or connection attempt. */
export type Backend = Place | Draw | Failover | { kind: 'unusable'; id: string; why: string }

/** The final target of traffic. */
export type Place = { kind: 'upstream'; id: string; upstream: Upstream } | FixedResponse

export interface FixedResponse {
  kind: 'response'
  id: string
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** A weighted random choice: a weighted backend, or the tunnels of a group. */
export interface Draw {
  kind: 'draw'
  id: string
  label: string
  /** Only entries with a weight above 0. */
  of: { backend: Backend; weight: number }[]
  total: number
  /** Why `of` is empty, if it is. */
  none: { why: string; reason?: 'empty' }
}

/** The first reachable backend of a list. */
interface Failover {
  kind: 'failover'
  id: string
  of: Backend[]
}

/** docs/edges.md: the backend module, or else the `upstream` of the fixture. A disabled module counts as no backend. */
export function backendOf(tables: Tables, holder: Row): Backend | undefined {
  const module = holder.backend as { enabled: boolean; backend_id?: string } | undefined
  if (module) return module.enabled && module.backend_id ? backendWith(tables, BACKENDS, module.backend_id) : undefined
  const { upstream } = holder as { upstream?: string }
  return upstream === undefined ? undefined : { kind: 'upstream', id: upstream, upstream: parse(upstream) }
}

const knownBackends = () => new Map<string, Backend>()

function backendWith(tables: Tables, among: readonly string[], id: string): Backend {
  const table = among.find(each => tables.get(each, id))
  if (!table) return { kind: 'unusable', id, why: `the backend ${id} does not exist` }
  const known = tables.derive(knownBackends)
  let backend = known.get(id)
  if (!backend) {
    backend = READERS[table]!(id, tables)
    known.set(id, backend)
  }
  return backend
}

const READERS: Record<string, (id: string, tables: Tables) => Backend> = {
  backends(id, tables) {
    const { address, tls } = tables.get(staticBackends, id)!
    return { kind: 'upstream', id, upstream: parse(address, tls.enabled) }
  },
  http_response_backends(id, tables) {
    const { status_code: status, headers, body } = tables.get(httpResponseBackends, id)!
    return { kind: 'response', id, status, headers, body: Buffer.from(body) }
  },
  tunnel_group_backends(id, tables) {
    const { labels } = tables.get(tunnelGroupBackends, id)!
    const tunnels = tunnelsWith(labels, tables.derive(tunnelsByLabel))
    const why = `no tunnel has all labels of the tunnel group backend ${id} (error 6515)`
    return drawOf(id, 'tunnel group backend', tunnels.map(readTunnel), { why, reason: 'empty' })
  },
  weighted_backends(id, tables) {
    const { backends } = tables.get(weightedBackends, id)!
    const all = Object.entries(backends).map(([inside, weight]) => ({
      backend: backendInside(tables, 'weighted_backends', inside),
      weight,
    }))
    const why = `the weighted backend ${id} has no backend with a weight above 0`
    return drawOf(id, 'weighted backend', all, { why })
  },
  failover_backends(id, tables) {
    const { backends } = tables.get(failoverBackends, id)!
    return { kind: 'failover', id, of: backends.map(inside => backendInside(tables, 'failover_backends', inside)) }
  },
}

/** Searches only the tables that this backend type may refer to, so no backend can contain itself. */
const backendInside = (tables: Tables, table: string, id: string) =>
  backendWith(tables, kindOf(table).fields.backends!.refersTo!.tables, id)

function drawOf(id: string, label: string, all: Draw['of'], none: Draw['none']): Draw {
  const of = all.filter(({ weight }) => weight > 0)
  return { kind: 'draw', id, label, of, total: of.reduce((sum, { weight }) => sum + weight, 0), none }
}

/** All tunnels of a group have the same weight. */
function readTunnel({ id, forwards_to }: Row): Draw['of'][number] {
  const shown = String(forwards_to)
  if (isUpstream(shown)) return { backend: { kind: 'upstream', id, upstream: parse(shown) }, weight: 1 }
  const why = `the tunnel ${id} forwards to ${JSON.stringify(shown)}, which is not a URL or a host with a port`
  return { backend: { kind: 'unusable', id, why }, weight: 1 }
}

const address = upstreamAddress()

/** A tunnel record may contain any string. */
function isUpstream(text: string): boolean {
  if (!text.includes('://')) return address.find(text) === undefined
  const { protocol, hostname, port } = URL.canParse(text) ? new URL(text) : ({} as Partial<URL>)
  return Boolean(hostname) && (/^https?:$/.test(protocol!) || (/^(tcp|tls):$/.test(protocol!) && port !== ''))
}

/** An address like `[::1]:80`, or a URL. */
function parse(shown: string, tls = /^(https|tls):/.test(shown)): Upstream {
  if (!shown.includes('://')) return { ...splitAddress(shown), tls, path: '', shown }
  const { hostname, port, pathname } = new URL(shown)
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port) || (tls ? 443 : 80), tls, path: pathname.replace(/\/$/, ''), shown }
}
