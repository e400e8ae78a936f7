import type { Row } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'

/** By edge, the longest match first. */
const routesByEdge = () => new Map<string, Row[]>()

/** The route for a path: an exact match wins over prefixes, a longer prefix over a shorter one. */
export function routeFor(tables: Tables, edge: Row, path: string): Row | undefined {
  const routes = tables.derive(routesByEdge)
  let own = routes.get(edge.id)
  if (!own) {
    const length = ({ match }: Row) => (match as string).length
    own = tables
      .of('https_edge_routes')
      .where('edge_id', edge.id)
      .sort((a, b) => length(b) - length(a))
    routes.set(edge.id, own)
  }
  const isExact = ({ match_type }: Row) => match_type === 'exact_path'
  const exact = own.find(route => isExact(route) && path === route.match)
  return exact ?? own.find(route => !isExact(route) && path.startsWith(route.match as string))
}
