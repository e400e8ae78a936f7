import { type Assumed, type AssumptionName, type AssumptionValue, assumptions } from '../contract/assumptions.ts'
import type { PolicyRule } from '../contract/traffic.ts'
import type { PolicyMatcher, Verdict } from '../ip/policy.ts'
import type { Row } from '../schema/index.ts'
import type { Restriction, Tables } from '../state/index.ts'
import { matcherOf, restrictionsOf } from '../state/index.ts'

/** Lists the assumptions that were asked for, so that a decision can name them. */
export class UsedAssumptions {
  readonly list: { name: AssumptionName; value: string }[] = []

  constructor(readonly assumed: Assumed) {}

  assume<N extends AssumptionName>(name: N): AssumptionValue<N> {
    const value = this.assumed[name] ?? assumptions[name].default
    if (!this.list.some(each => each.name === name)) this.list.push({ name, value })
    return value
  }
}

/** Whether a source may pass, and what decided that. */
export interface Access {
  passes: boolean
  /** The id of an IP restriction, `ip_restriction` for a module, or `nothing` where there was none to check. */
  decidedBy: string
  rule: PolicyRule | undefined
  section: string
  text(): string
  warnings: string[]
}

interface Compiled {
  version: number
  endpoints: Restriction[]
  /** By edge: undefined where its module has no policies. */
  modules: Map<string, PolicyMatcher | undefined>
  /** By edge, the longest match first. */
  routes: Map<string, Row[]>
}

const compiled = new WeakMap<Tables, Compiled>()

/** Restrictions, modules and routes of a state, compiled again when the state has changed. */
function compile(tables: Tables): Compiled {
  const known = compiled.get(tables)
  if (known?.version === tables.version) return known
  const made = {
    version: tables.version,
    endpoints: restrictionsOf(tables, 'endpoints'),
    modules: new Map(),
    routes: new Map(),
  }
  compiled.set(tables, made)
  return made
}

/** docs/traffic.md: restrictions of type endpoints apply to every edge, then the edge's own module does. */
export function checkSource(tables: Tables, edge: Row, source: string, used: UsedAssumptions): Access {
  const { endpoints, modules } = compile(tables)
  const access = checkRestrictions(endpoints, source, used)
  if (!access.passes) return access
  const module = edge.ip_restriction as { enabled: boolean; ip_policy_ids: string[] } | undefined
  if (!module) return access
  if (!module.enabled) return { ...access, text: () => `${access.text()} Its IP restriction module is not enabled.` }
  if (!modules.has(edge.id)) modules.set(edge.id, matcherOf(tables, module.ip_policy_ids))
  const verdict = checkPolicies(modules.get(edge.id), source, used)
  return {
    passes: verdict.passes,
    decidedBy: 'ip_restriction',
    rule: verdict.rule,
    section: '4.3',
    text: () => `The IP restriction module of ${edge.id} ${explain(verdict, source)}.`,
    warnings: access.warnings,
  }
}

/** Every enforced restriction must let the source pass by itself. Restrictions that are not enforced only warn. */
export function checkRestrictions(restrictions: readonly Restriction[], source: string, used: UsedAssumptions): Access {
  const warnings: string[] = []
  let last: Access | undefined
  for (const { id, enforced, matcher } of restrictions) {
    const verdict = checkPolicies(matcher, source, used)
    if (!enforced) {
      if (!verdict.passes)
        warnings.push(
          `The IP restriction ${id} is not enforced; if it were, it ${explain(verdict, source, 'would refuse')}.`,
        )
      continue
    }
    const text = () => `The IP restriction ${id} ${explain(verdict, source)}.`
    last = { passes: verdict.passes, decidedBy: id, rule: verdict.rule, section: '4.2', text, warnings }
    if (!verdict.passes) return last
  }
  return (
    last ?? {
      passes: true,
      decidedBy: 'nothing',
      rule: undefined,
      section: '4.2',
      text: () => 'No IP restriction applies.',
      warnings,
    }
  )
}

function checkPolicies(matcher: PolicyMatcher | undefined, source: string, used: UsedAssumptions): Verdict {
  if (matcher) return matcher.judge(source)
  const passes = used.assume('no_policies_attached') === 'pass'
  return { passes, why: `it has no IP policies, and no_policies_attached=${passes ? 'pass' : 'refuse'} is assumed` }
}

function explain({ passes, why, rule }: Verdict, source: string, refuses = 'refuses'): string {
  const because = rule ? `the rule ${rule.id} of ${rule.ip_policy_id} (${rule.action} ${rule.cidr}) matches` : why
  return `${passes ? 'allows' : refuses} ${source}: ${because}`
}

/** The route for a path: an exact match wins over prefixes, a longer prefix over a shorter one. */
export function routeFor(tables: Tables, edge: Row, path: string): Row | undefined {
  const { routes } = compile(tables)
  let own = routes.get(edge.id)
  if (!own) {
    const length = ({ match }: Row) => (match as string).length
    own = tables
      .of('https_edge_routes')
      .inOrder('edge_id', edge.id)
      .sort((a, b) => length(b) - length(a))
    routes.set(edge.id, own)
  }
  let longest: Row | undefined
  for (const route of own) {
    const match = route.match as string
    if (route.match_type === 'exact_path') {
      if (path === match) return route
    } else if (!longest && path.startsWith(match)) longest = route
  }
  return longest
}
