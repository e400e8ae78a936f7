import { type Assumed, type AssumptionName, type AssumptionValue, assumptions } from '../contract/assumptions.ts'
import type { PolicyRule } from '../contract/traffic.ts'
import type { PolicyMatcher, Verdict } from '../ip/policy.ts'
import type { Row } from '../schema/index.ts'
import type { Restriction, Tables } from '../state/index.ts'
import { matcherOf, restrictionsOf } from '../state/index.ts'

/** The state and the assumptions in force. */
export interface View {
  tables: Tables
  assumed: Assumed
}

/** Notes what is assumed on the way, so that a decision can name it. */
export class Assuming {
  readonly noted: { name: AssumptionName; value: string }[] = []

  constructor(readonly assumed: Assumed) {}

  assume<N extends AssumptionName>(name: N): AssumptionValue<N> {
    const value = this.assumed[name] ?? assumptions[name].default
    if (!this.noted.some(each => each.name === name)) this.noted.push({ name, value })
    return value
  }
}

/** Whether a source may pass, and what says so. */
export interface Judgement {
  passes: boolean
  /** The id of an IP restriction, `ip_restriction` for a module, or `nothing` where there was nothing to pass. */
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

/** What the state says about sources: the same until it changes. */
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

/** docs/traffic.md: restrictions of type endpoints act on every edge, then the module of the edge does. */
export function judgeSource({ tables }: View, edge: Row, source: string, assuming: Assuming): Judgement {
  const { endpoints, modules } = compile(tables)
  const passed = judgeRestrictions(endpoints, source, assuming)
  if (!passed.passes) return passed
  const module = edge.ip_restriction as { enabled: boolean; ip_policy_ids: string[] } | undefined
  if (!module) return passed
  if (!module.enabled) return { ...passed, text: () => `${passed.text()} Its IP restriction module is not enabled.` }
  if (!modules.has(edge.id)) modules.set(edge.id, matcherOf(tables, module.ip_policy_ids))
  const verdict = judge(modules.get(edge.id), source, assuming)
  return {
    passes: verdict.passes,
    decidedBy: 'ip_restriction',
    rule: verdict.rule,
    section: '4.3',
    text: () => `The IP restriction module of ${edge.id} ${said(verdict, source)}.`,
    warnings: passed.warnings,
  }
}

/** Each restriction is judged alone; all that are enforced must let the source pass, the others only warn. */
export function judgeRestrictions(restrictions: readonly Restriction[], source: string, assuming: Assuming): Judgement {
  const warnings: string[] = []
  let last: Judgement | undefined
  for (const { id, enforced, matcher } of restrictions) {
    const verdict = judge(matcher, source, assuming)
    if (!enforced) {
      if (!verdict.passes)
        warnings.push(
          `The IP restriction ${id} is not enforced; if it were, it ${said(verdict, source, 'would refuse')}.`,
        )
      continue
    }
    const text = () => `The IP restriction ${id} ${said(verdict, source)}.`
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

function judge(matcher: PolicyMatcher | undefined, source: string, assuming: Assuming): Verdict {
  if (matcher) return matcher.judge(source)
  const passes = assuming.assume('no_policies_attached') === 'pass'
  return { passes, why: `it has no IP policies, and no_policies_attached=${passes ? 'pass' : 'refuse'} is assumed` }
}

function said({ passes, why, rule }: Verdict, source: string, refuses = 'refuses'): string {
  const because = rule ? `the rule ${rule.id} of ${rule.ip_policy_id} (${rule.action} ${rule.cidr}) matches` : why
  return `${passes ? 'allows' : refuses} ${source}: ${because}`
}

/** The route that a path takes: an exact one before any prefix, and of prefixes the longest. */
export function routeFor({ tables }: View, edge: Row, path: string): Row | undefined {
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
  let best: Row | undefined
  for (const route of own) {
    const match = route.match as string
    if (route.match_type === 'exact_path') {
      if (path === match) return route
    } else if (!best && path.startsWith(match)) best = route
  }
  return best
}
