import type { PolicyRule } from '../contract/traffic.ts'
import { CidrSet } from './cidr.ts'

export interface Verdict {
  passes: boolean
  /** A clause, such as "a deny rule of its IP policies matches". */
  why: string
  /** The rule that decided; none when no rule matches. */
  rule?: PolicyRule
}

/** docs/api.md 4.2: in at least one allow block and in no deny block, of all attached policies together. */
export class PolicyMatcher {
  readonly #allow: Side
  readonly #deny: Side

  constructor(rules: readonly PolicyRule[]) {
    this.#allow = new Side(rules.filter(({ action }) => action === 'allow'))
    this.#deny = new Side(rules.filter(({ action }) => action === 'deny'))
  }

  judge(address: string): Verdict {
    const [allow, deny] = [this.#allow, this.#deny]
    if (deny.has(address))
      return { passes: false, why: 'a deny rule of its IP policies matches', rule: deny.ruleFor(address) }
    if (allow.has(address))
      return { passes: true, why: 'an allow rule matches and no deny rule does', rule: allow.ruleFor(address) }
    return { passes: false, why: `none of the ${allow.size} allow rules of its IP policies matches` }
  }
}

/** The rules of one action. */
class Side {
  readonly #all: CidrSet
  #single: { rule: PolicyRule; block: CidrSet }[] | undefined

  constructor(readonly rules: readonly PolicyRule[]) {
    this.#all = new CidrSet(rules.map(({ cidr }) => cidr))
  }

  get size() {
    return this.rules.length
  }

  has(address: string): boolean {
    return this.#all.has(address)
  }

  /** The first that matches; to look for it is only worth it when somebody wants to know. */
  ruleFor(address: string): PolicyRule | undefined {
    this.#single ??= this.rules.map(rule => ({ rule, block: new CidrSet([rule.cidr]) }))
    return this.#single.find(({ block }) => block.has(address))?.rule
  }
}
