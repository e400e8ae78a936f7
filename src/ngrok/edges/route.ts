import type { Row, RowOf } from '../../engine/language/index.ts'
import type { Tables } from '../../engine/state/index.ts'
import { httpsEdgeRoutes } from '../resources/edges/https-edge-route.ts'
import { backendOf } from './backend.ts'
import { readRules } from './header-rules.ts'
import { readModules } from './route-modules.ts'

/** A route of an HTTPS edge, prepared for requests. */
const readRoute = (tables: Tables, row: RowOf<typeof httpsEdgeRoutes.fields>) => ({
  id: row.id,
  isExact: row.match_type === 'exact_path',
  match: row.match,
  backend: backendOf(tables, row),
  headers: readRules(row.request_headers),
  modules: readModules(row),
})
export type Route = ReturnType<typeof readRoute>

/** By edge, longest match first. */
const routesByEdge = () => new Map<string, Route[]>()

/** The route for a path: an exact match wins over prefixes, and a longer prefix over a shorter one. */
export function routeFor(tables: Tables, edge: Row, path: string): Route | undefined {
  const known = tables.derive(routesByEdge)
  let routes = known.get(edge.id)
  if (!routes) {
    const rows = tables.where(httpsEdgeRoutes, 'edge_id', edge.id)
    routes = rows.map(row => readRoute(tables, row)).sort((a, b) => b.match.length - a.match.length)
    known.set(edge.id, routes)
  }
  const exact = routes.find(({ isExact, match }) => isExact && path === match)
  return exact ?? routes.find(({ isExact, match }) => !isExact && path.startsWith(match))
}
