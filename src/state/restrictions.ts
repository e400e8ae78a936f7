import type { PolicyRule } from '../contract/traffic.ts'
import { PolicyMatcher } from '../ip/policy.ts'
import { ipPolicyRules, ipRestrictions } from '../resources/index.ts'
import type { Tables } from './tables.ts'

/** An IP restriction of one type. */
export interface Restriction {
  id: string
  enforced: boolean
  /** Undefined when the restriction has no policies. */
  matcher: PolicyMatcher | undefined
}

/** docs/api.md 4.2: the IP restrictions of a type of traffic. */
export const restrictionsOf = (tables: Tables, type: string): Restriction[] =>
  tables
    .of(ipRestrictions.table)
    .where('type', type)
    .map(({ id, enforced, ip_policy_ids }) => ({
      id,
      enforced: enforced === true,
      matcher: matcherOf(tables, ip_policy_ids as string[]),
    }))

/** The compiled rules of policies; undefined if there are no policies. */
export function matcherOf(tables: Tables, policies: readonly string[]): PolicyMatcher | undefined {
  if (policies.length === 0) return undefined
  const rules = tables.of(ipPolicyRules.table)
  return new PolicyMatcher(policies.flatMap(id => rules.where('ip_policy_id', id) as unknown as PolicyRule[]))
}
