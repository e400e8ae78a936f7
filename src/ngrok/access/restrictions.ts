import type { PolicyRule } from '../../contract/traffic.ts'
import type { Row, RowOf } from '../../engine/language/index.ts'
import type { Ask } from '../../engine/question.ts'
import type { Tables } from '../../engine/state/tables.ts'
import { questions } from '../questions.ts'
import { ipPolicyRules, ipRestrictions } from '../resources/index.ts'
import { PolicyMatcher, type Verdict } from './policy.ts'

/** Whether a source is allowed, and what decided that. */
export interface Access {
  passes: boolean
  /** The id of an IP restriction, the name of a module, or `nothing` if none applies. */
  decidedBy: string
  /** The deciding policy rule. */
  rule?: PolicyRule
  section: string
  /** A clause, without a full stop. */
  why: string
  text(): string
  warnings: string[]
}

/** Returns the value of an assumption, and records that it was used. */
export interface Asker {
  assume: Ask
}

const UNRESTRICTED: Access = {
  passes: true,
  decidedBy: 'nothing',
  section: '4.2',
  why: 'no IP restriction applies',
  text: () => 'No IP restriction applies.',
  warnings: [],
}

const restrictionsByType = () => new Map<string, RowOf<typeof ipRestrictions.fields>[]>()
/** By policy list. Compiled once, because thousands of rules take long. */
const knownMatchers = () => new WeakMap<readonly string[], PolicyMatcher>()

/** docs/api.md 4.2: every enforced restriction of the type must allow the source. The others only warn. */
export function checkRestrictions(tables: Tables, type: string, source: string, asker: Asker): Access {
  const table = tables.of(ipRestrictions.table)
  const byType = table.derive(restrictionsByType)
  let restrictions = byType.get(type)
  if (!restrictions) {
    restrictions = tables.where(ipRestrictions, 'type', type)
    byType.set(type, restrictions)
  }
  if (restrictions.length === 0) return UNRESTRICTED
  let access = UNRESTRICTED
  const warnings: string[] = []
  for (const { id, enforced, ip_policy_ids } of restrictions) {
    const verdict = judge(tables, ip_policy_ids, source, asker)
    if (enforced) {
      const text = () => `The IP restriction ${id} ${explain(verdict, source)}.`
      access = { ...verdict, decidedBy: id, section: '4.2', text, warnings }
      if (!access.passes) break
    } else if (!verdict.passes) {
      warnings.push(`The IP restriction ${id} is not enforced. Enforced, it would block ${source}: ${verdict.why}.`)
    }
  }
  return warnings.length > 0 ? { ...access, warnings } : access
}

/** docs/edges.md: restrictions of type endpoints apply to every edge, then the edge's own module. */
export function checkEdge(tables: Tables, edge: Row, source: string, asker: Asker): Access {
  const access = checkRestrictions(tables, 'endpoints', source, asker)
  const module = edge.ip_restriction as { enabled: boolean; ip_policy_ids: string[] } | undefined
  if (!access.passes || !module) return access
  if (!module.enabled) return { ...access, text: () => `${access.text()} Its IP restriction module is not enabled.` }
  return checkIpModule(tables, edge, access, source, asker)
}

/** Applies the IP restriction module of an edge or route, which must be enabled, to a source that passed so far. */
export function checkIpModule(tables: Tables, holder: Row, before: Access, source: string, asker: Asker): Access {
  const { ip_policy_ids } = holder.ip_restriction as { ip_policy_ids: string[] }
  const verdict = judge(tables, ip_policy_ids, source, asker)
  const text = () => `The IP restriction module of ${holder.id} ${explain(verdict, source)}.`
  return { ...verdict, decidedBy: 'ip_restriction', section: '4.3', text, warnings: before.warnings }
}

function judge(tables: Tables, policies: readonly string[], source: string, asker: Asker): Verdict {
  if (policies.length === 0) {
    const assumed = asker.assume(questions.no_policies_attached)
    const why = `it has no IP policies, and no_policies_attached=${assumed} is assumed`
    return { passes: assumed === 'pass', why }
  }
  const table = tables.of(ipPolicyRules.table)
  const matchers = table.derive(knownMatchers)
  let matcher = matchers.get(policies)
  if (!matcher) {
    const rules = policies.flatMap(id => table.where('ip_policy_id', id))
    matcher = new PolicyMatcher(rules.map(bareRule))
    matchers.set(policies, matcher)
  }
  return matcher.judge(source)
}

const explain = ({ passes, why }: Verdict, source: string) => `${passes ? 'allows' : 'blocks'} ${source}: ${why}`

const bareRule = ({ id, ip_policy_id, action, cidr }: Row) => ({ id, ip_policy_id, action, cidr }) as PolicyRule
