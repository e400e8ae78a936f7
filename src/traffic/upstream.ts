import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../ip/cidr.ts'
import type { Row } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'
import { backendOf } from './backend.ts'
import { readRules } from './header-rules.ts'
import { readModules } from './route-modules.ts'

/** A route of an HTTPS edge, as requests need it. */
const readRoute = (tables: Tables, row: Row) => ({
  id: row.id,
  isExact: row.match_type === 'exact_path',
  match: row.match as string,
  backend: backendOf(tables, row),
  headers: readRules(row.request_headers),
  modules: readModules(row),
})
export type Route = ReturnType<typeof readRoute>

/** By edge, the longest match first. */
const routesByEdge = () => new Map<string, Route[]>()

/** The route for a path: an exact match wins over prefixes, a longer prefix over a shorter one. */
export function routeFor(tables: Tables, edge: Row, path: string): Route | undefined {
  const known = tables.derive(routesByEdge)
  let routes = known.get(edge.id)
  if (!routes) {
    const rows = tables.of('https_edge_routes').where('edge_id', edge.id)
    routes = rows.map(row => readRoute(tables, row)).sort((a, b) => b.match.length - a.match.length)
    known.set(edge.id, routes)
  }
  const exact = routes.find(({ isExact, match }) => isExact && path === match)
  return exact ?? routes.find(({ isExact, match }) => !isExact && path.startsWith(match))
}

/** Looks up hosts of upstreams, each name once: a later answer could be an address that is not allowed. */
export class Resolver {
  readonly #known = new Map<string, Promise<string>>()

  /** Hosts that are allowed although they are not on this machine. */
  constructor(readonly allowed: readonly string[]) {}

  /** The address of a host. Rejects when it is unknown or not allowed. */
  resolve(host: string): Promise<string> {
    let known = this.#known.get(host)
    if (!known) {
      known = this.#lookUp(host)
      this.#known.set(host, known)
      // A failed lookup is tried again the next time.
      known.catch(() => this.#known.delete(host))
    }
    return known
  }

  async #lookUp(host: string): Promise<string> {
    const { address } = isIP(host) ? { address: host } : await lookup(host)
    if (isLoopback(address) || this.allowed.includes(host.toLowerCase())) return address
    const at = host === address ? host : `${host} (${address})`
    throw new Error(
      `${at} is not on this machine. Only loopback upstreams are allowed; start with --allow-upstream ${host} for this one`,
    )
  }
}
