import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import type { TrafficQuestion, TrafficVerdict } from '../contract/traffic.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { restrictionsOf } from '../state/index.ts'
import { EDGES } from './addresses.ts'
import { type HeaderRules, rewrite } from './header-rules.ts'
import { Assuming, type Judgement, judgeRestrictions, judgeSource, routeFor } from './judge.ts'
import { endToEnd } from './request-head.ts'
import { upstreamOf } from './upstream.ts'

/** The verdict, and for a request the route and the headers, without a socket. Nothing is noted anywhere. */
export function check(
  sandbox: Sandbox,
  { edge: id, type, source_ip = '127.0.0.1', path = '/', headers = {} }: TrafficQuestion,
): TrafficVerdict {
  const source = normaliseAddress(source_ip)
  const assuming = new Assuming(sandbox.assumed)
  if (id === undefined)
    return answer(judgeRestrictions(restrictionsOf(sandbox.tables, type!), source, assuming), assuming)
  const { table, edge } = findEdge(sandbox, id)
  const judged = judgeSource(sandbox, edge, source, assuming)
  if (table === 'tcp_edges')
    return { ...answer(judged, assuming), upstream: upstreamOf(sandbox.tables, edge)?.shown ?? null }
  const route = routeFor(sandbox, edge, path.split('?', 1)[0]!)
  const connection = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'connection')
  const raw = endToEnd(Object.entries(headers).flat(), connection.map(([, value]) => value).join() || undefined)
  const rules = route?.request_headers as HeaderRules | undefined
  const rewritten = rewrite(raw, rules, () => assuming.assume('add_existing_header'))
  return {
    ...answer(judged, assuming),
    route: route?.id ?? null,
    upstream: (route && upstreamOf(sandbox.tables, route)?.shown) ?? null,
    headers: pairsOf(rewritten.headers),
    added: rewritten.added,
    removed: rewritten.removed,
  }
}

function findEdge({ tables }: Sandbox, id: string): { table: string; edge: Row } {
  for (const table of EDGES) {
    const edge = tables.of(table).get(id)
    if (edge) return { table, edge }
  }
  const ids = EDGES.flatMap(table => Array.from(tables.of(table).newestFirst(), row => row.id))
  fail('not_found', { what: `edge ${id}`, id, nearest: nearest(id, ids) })
}

const answer = (
  { passes, rule, decidedBy, text, section, warnings }: Judgement,
  assuming: Assuming,
): TrafficVerdict => ({
  verdict: passes ? 'allow' : 'refuse',
  rule: rule ? { id: rule.id, ip_policy_id: rule.ip_policy_id, action: rule.action, cidr: rule.cidr } : null,
  decided_by: decidedBy,
  assumptions: assuming.noted,
  warnings,
  explanation: { section, text: text() },
})

/** In their order; a name that comes twice has a list. */
function pairsOf(raw: readonly string[]): Record<string, string | string[]> {
  // A header may be called what every object has.
  const pairs: Record<string, string | string[]> = Object.create(null)
  const names = new Map<string, string>()
  for (let i = 0; i < raw.length; i += 2) {
    const known = raw[i]!.toLowerCase()
    const name = names.get(known) ?? raw[i]!
    names.set(known, name)
    pairs[name] = pairs[name] === undefined ? raw[i + 1]! : [pairs[name], raw[i + 1]!].flat()
  }
  return pairs
}
