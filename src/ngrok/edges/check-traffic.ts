import { normaliseAddress } from '../../basics/cidr.ts'
import { nearest } from '../../basics/nearest.ts'
import type { TrafficQuestion, TrafficVerdict } from '../../contract/traffic.ts'
import { fail } from '../../engine/error.ts'
import type { Row } from '../../engine/language/index.ts'
import { Assuming, type Sandbox } from '../../engine/sandbox/index.ts'
import { endToEnd } from '../../server/proxy/request-head.ts'
import { type Access, checkEdge, checkRestrictions } from '../access/restrictions.ts'
import { errors } from '../errors.ts'
import { addressesOf, EDGES, kindOfEdge } from './addresses.ts'
import { type Backend, backendOf } from './backend.ts'
import { rewrite } from './header-rules.ts'
import { predict } from './reach.ts'
import { routeFor } from './route.ts'
import { checkRoute, policyWarning, type RouteModules } from './route-modules.ts'
import { mutualTlsWarning, uncheckedCertificate, withWarnings } from './tls-settings.ts'
import type { PatternCache } from './user-agent-filter.ts'

/** Predicts what an edge decides about a connection or request. Records no decision and emits no event. */
export async function checkTraffic(
  sandbox: Sandbox,
  { edge: id, type, source_ip = '127.0.0.1', path = '/', headers = {} }: TrafficQuestion,
  patterns: PatternCache,
): Promise<TrafficVerdict> {
  const { tables, ids } = sandbox
  const source = normaliseAddress(source_ip)
  const asker = new Assuming(sandbox)
  if (id === undefined) return verdictOf(checkRestrictions(tables, type!, source, asker), asker)
  const { table, edge } = findEdge(tables, id)
  const kind = kindOfEdge(table)
  const addresses = addressesOf(edge)
  const isPlain = addresses.length > 0 && addresses.every(({ plain }) => plain)
  const warning = mutualTlsWarning(kind, edge, isPlain) ?? uncheckedCertificate(edge)
  const access = withWarnings(checkEdge(tables, edge, source, asker), warning, policyWarning(edge))
  if (kind !== 'https') return forwarding(verdictOf(access, asker), backendOf(tables, edge), ids, 'connection')
  const route = routeFor(tables, edge, path.split('?', 1)[0]!)
  const connection = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'connection')
  const raw = endToEnd(Object.entries(headers).flat(), connection.map(([, value]) => value).join() || undefined)
  const modules = access.passes ? route?.modules : undefined
  const judged = modules ? await checkRoute(tables, modules, access, { source, headers: raw }, asker, patterns) : access
  const explained = modules ? { ...judged, text: () => judged.text() + notChecked(modules) } : judged
  const rewritten = rewrite(raw, route?.headers, asker)
  return {
    ...forwarding(verdictOf(explained, asker), route?.backend, ids, 'request'),
    route: route?.id ?? null,
    headers: groupByName(rewritten.headers),
    added: rewritten.added,
    removed: rewritten.removed,
  }
}

function findEdge(tables: Sandbox['tables'], id: string): { table: string; edge: Row } {
  for (const table of EDGES) {
    const edge = tables.get(table, id)
    if (edge) return { table, edge }
  }
  const ids = EDGES.flatMap(table => Array.from(tables.of(table).newestFirst(), row => row.id))
  fail(errors.not_found, { what: `edge ${id}`, id, nearest: nearest(id, ids) })
}

/** Adds the predicted target to a verdict. */
function forwarding(
  verdict: TrafficVerdict,
  backend: Backend | undefined,
  ids: Sandbox['ids'],
  of: 'request' | 'connection',
): TrafficVerdict {
  if (!backend) return { ...verdict, upstream: null }
  const notes: string[] = []
  const { upstream = null, failure } = predict(backend, ids, notes, of)
  if (failure !== undefined) notes.push(`Forwarding would fail: ${failure}.`)
  const { section, text } = verdict.explanation
  const texts = verdict.verdict === 'allow' ? [text, ...notes] : [text]
  return { ...verdict, upstream, explanation: { section, text: texts.join(' ') } }
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

/** The modules that depend on the body or on earlier requests. */
function notChecked({ webhook, breaker }: RouteModules): string {
  const unknown = [...(webhook ? ['the body signature'] : []), ...(breaker ? ['the circuit breaker'] : [])]
  return unknown.length > 0 ? ` Not checked: ${unknown.join(' and ')}.` : ''
}

/** Headers as an object, in their original order. Repeated names have a list of values. */
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
