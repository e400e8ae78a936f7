import type { PolicyRule } from '../contract/traffic.ts'
import { CidrSet } from './cidr.ts'

export interface Verdict {
  passes: boolean
  /** A clause of a sentence, such as "a deny rule of its IP policies matches". */
  why: string
  /** The rule that decided; none when no rule matches. */
  rule?: PolicyRule
}

/** docs/api.md 4.2: an address passes if an allow rule of any attached policy matches it and no deny rule does. */
export class PolicyMatcher {
  readonly #allow: RuleSet
  readonly #deny: RuleSet

  constructor(rules: readonly PolicyRule[]) {
    this.#allow = new RuleSet(rules.filter(({ action }) => action === 'allow'))
    this.#deny = new RuleSet(rules.filter(({ action }) => action === 'deny'))
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
class RuleSet {
  readonly #all: CidrSet
  #blocks: { rule: PolicyRule; block: CidrSet }[] | undefined

  constructor(readonly rules: readonly PolicyRule[]) {
    this.#all = new CidrSet(rules.map(({ cidr }) => cidr))
  }

  get size() {
    return this.rules.length
  }

  has(address: string): boolean {
    return this.#all.has(address)
  }

  /** The first rule that matches. The blocks of single rules are compiled when first needed. */
  ruleFor(address: string): PolicyRule | undefined {
    this.#blocks ??= this.rules.map(rule => ({ rule, block: new CidrSet([rule.cidr]) }))
    return this.#blocks.find(({ block }) => block.has(address))?.rule
  }
}
