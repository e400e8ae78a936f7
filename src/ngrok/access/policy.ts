import { CidrMap } from '../../basics/cidr.ts'
import type { PolicyRule } from '../../contract/traffic.ts'

export interface Verdict {
  passes: boolean
  /** A clause such as "none of the 2 allow rules of its IP policies matches". */
  why: string
  /** The deciding rule, if a rule matches. */
  rule?: PolicyRule
}

/** docs/api.md 4.2: an address passes if an allow rule of any attached policy matches it and no deny rule does. */
export class PolicyMatcher {
  readonly #allowed: number
  readonly #allow: CidrMap<PolicyRule>
  readonly #deny: CidrMap<PolicyRule>

  constructor(rules: readonly PolicyRule[]) {
    const [allow, deny] = (['allow', 'deny'] as const).map(action => rules.filter(rule => rule.action === action))
    this.#allowed = allow!.length
    this.#allow = new CidrMap(allow!.map(rule => [rule.cidr, rule]))
    this.#deny = new CidrMap(deny!.map(rule => [rule.cidr, rule]))
  }

  judge(address: string): Verdict {
    const denying = this.#deny.get(address)
    const rule = denying ?? this.#allow.get(address)
    if (!rule) return { passes: false, why: `none of the ${this.#allowed} allow rules of its IP policies matches` }
    const why = `the rule ${rule.id} of ${rule.ip_policy_id} (${rule.action} ${rule.cidr}) matches`
    return { passes: !denying, why, rule }
  }
}
