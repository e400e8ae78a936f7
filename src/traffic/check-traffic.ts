import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import type { TrafficQuestion, TrafficVerdict } from '../contract/traffic.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import { Assuming, type Sandbox } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { type Access, checkEdge, checkRestrictions } from '../state/index.ts'
import { EDGES } from './addresses.ts'
import { rewrite } from './header-rules.ts'
import { endToEnd } from './request-head.ts'
import { checkRoute, type RouteModules } from './route-modules.ts'
import { routeFor, upstreamOf } from './upstream.ts'

/** What an edge would decide about a connection or request, without one. Leaves no decision and no event. */
export async function checkTraffic(
  { tables, assumed }: Sandbox,
  { edge: id, type, source_ip = '127.0.0.1', path = '/', headers = {} }: TrafficQuestion,
): Promise<TrafficVerdict> {
  const source = normaliseAddress(source_ip)
  const asker = new Assuming(assumed)
  if (id === undefined) return verdictOf(checkRestrictions(tables, type!, source, asker), asker)
  const { table, edge } = findEdge(tables, id)
  const access = checkEdge(tables, edge, source, asker)
  if (table === 'tcp_edges') return { ...verdictOf(access, asker), upstream: upstreamOf(tables, edge)?.shown ?? null }
  const route = routeFor(tables, edge, path.split('?', 1)[0]!)
  const connection = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'connection')
  const raw = endToEnd(Object.entries(headers).flat(), connection.map(([, value]) => value).join() || undefined)
  const modules = access.passes ? route?.modules : undefined
  const judged = modules ? await checkRoute(tables, modules, access, { source, headers: raw }, asker) : access
  const rewritten = rewrite(raw, route?.headers, asker)
  return {
    ...verdictOf(modules ? { ...judged, text: () => judged.text() + notChecked(modules) } : judged, asker),
    route: route?.id ?? null,
    upstream: route?.upstream?.shown ?? null,
    headers: groupByName(rewritten.headers),
    added: rewritten.added,
    removed: rewritten.removed,
  }
}

function findEdge(tables: Sandbox['tables'], id: string): { table: string; edge: Row } {
  for (const table of EDGES) {
    const edge = tables.of(table).get(id)
    if (edge) return { table, edge }
  }
  const ids = EDGES.flatMap(table => Array.from(tables.of(table).newestFirst(), row => row.id))
  fail('not_found', { what: `edge ${id}`, id, nearest: nearest(id, ids) })
}

const verdictOf = (
  { passes, rule, decidedBy, warnings, section, text }: Access,
  { assumptions }: Assuming,
): TrafficVerdict => ({
  verdict: passes ? 'allow' : 'refuse',
  rule: rule ?? null,
  decided_by: decidedBy,
  assumptions,
  warnings,
  explanation: { section, text: text() },
})

/** What only a request has, or depends on those before it. */
function notChecked({ webhook, breaker }: RouteModules): string {
  const unknown = [...(webhook ? ['the signature of its body'] : []), ...(breaker ? ['the circuit breaker'] : [])]
  return unknown.length > 0 ? ` Not checked here: ${unknown.join(' and ')}.` : ''
}

/** Headers as an object, in their order. The values of a repeated name are a list. */
function groupByName(raw: readonly string[]): Record<string, string | string[]> {
  // No prototype: a header may be called `constructor`.
  const grouped: Record<string, string | string[]> = Object.create(null)
  const names = new Map<string, string>()
  for (let i = 0; i < raw.length; i += 2) {
    const lower = raw[i]!.toLowerCase()
    const name = names.get(lower) ?? raw[i]!
    names.set(lower, name)
    grouped[name] = grouped[name] === undefined ? raw[i + 1]! : [grouped[name], raw[i + 1]!].flat()
  }
  return grouped
}
