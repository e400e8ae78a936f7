import { CidrSet } from './cidr.ts'

export interface PolicyRule {
  action: 'allow' | 'deny'
  cidr: string
}

export interface Verdict {
  passes: boolean
  /** A clause, such as "a deny rule of its IP policies matches". */
  why: string
}

/** docs/api.md 4.2: in at least one allow block and in no deny block, of all attached policies together. */
export class PolicyMatcher {
  readonly #allow: CidrSet
  readonly #deny: CidrSet

  constructor(rules: PolicyRule[]) {
    const pick = (action: PolicyRule['action']) => rules.filter(rule => rule.action === action).map(rule => rule.cidr)
    this.#allow = new CidrSet(pick('allow'))
    this.#deny = new CidrSet(pick('deny'))
  }

  judge(address: string): Verdict {
    if (this.#deny.has(address)) return { passes: false, why: 'a deny rule of its IP policies matches' }
    if (this.#allow.has(address)) return { passes: true, why: 'an allow rule matches and no deny rule does' }
    return { passes: false, why: `none of the ${this.#allow.size} allow rules of its IP policies matches` }
  }
}
