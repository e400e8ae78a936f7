import { createHash, randomBytes } from 'node:crypto'
import type { ScenarioReport } from '../../contract/info.ts'
import { type Catalog, haveSecrets, redactSecrets } from '../language/index.ts'
import type { ActiveRules, Call, Counted } from '../sandbox/index.ts'
import type { Effects } from './fault.ts'
import { applyOwnLimit, applyRateLimit } from './rate-limit.ts'
import type { Rule } from './rule.ts'
import type { Scenario } from './scenario.ts'
import type { ScenarioFile } from './schema.ts'
import type { Subject } from './when.ts'

/** The kind of a rule that only delayed the call. */
export const LATENCY = 'latency'

/** A rule that matched a call, as shown in the journal. The kind is private, because only metrics use it. */
export class RuleHit {
  readonly #kind: string | undefined

  constructor(
    readonly name: string,
    readonly fired: boolean,
    public effect: string,
    kind: string | undefined,
  ) {
    this.#kind = kind
  }

  /** The fault type, `rate_limit` or `latency`. Undefined if the rule did not fire. */
  static kindOf(rule: object): string | undefined {
    return #kind in rule ? rule.#kind : undefined
  }
}

interface Counts extends Counted {
  matched: number
  fired: number
}

const noEffects = (): Effects => ({ delayMs: 0, delayAfterMs: 0, headers: {} })

/** A scenario's rules in one sandbox, with their counters. */
export class RuleSet implements ActiveRules {
  readonly lookBackMs: number
  readonly #counts: Counts[]
  readonly #seed: string
  readonly #seedSource: NonNullable<ScenarioReport['seed_source']>

  constructor(
    readonly scenario: Scenario,
    seed: string | undefined,
  ) {
    this.lookBackMs = Math.max(0, ...scenario.rules.map(({ fault }) => fault?.lookBackMs ?? 0))
    this.#counts = scenario.rules.map(() => ({ matched: 0, fired: 0 }))
    this.#seed = seed ?? randomBytes(16).toString('hex')
    this.#seedSource = seed === undefined ? 'generated' : seed === scenario.seed ? 'scenario' : 'sandbox'
  }

  get name() {
    return this.scenario.name
  }

  /** Applies the rules in order and adds to existing effects. Latencies add up, and the first fault wins. */
  apply(call: Subject, effects?: Effects): Effects | undefined {
    const { rules } = this.scenario
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]!
      if (!rule.matches(call)) continue
      const counts = this.#counts[i]!
      counts.matched++
      rule.matched++
      effects ??= noEffects()
      const before = effects.fault
      const effect = this.#fire(rule, counts, i, call, effects)
      const kind = effect && (effects.fault === before ? LATENCY : effects.fault!.type)
      if (effect) {
        counts.fired++
        rule.fired++
      }
      call.entry.rules.push(new RuleHit(rule.name, effect !== undefined, effect ?? 'none', kind))
    }
    return effects
  }

  /** Adds to the effects. Returns a description, or undefined if the rule does not fire. */
  #fire(rule: Rule, counts: Counts, index: number, call: Subject, effects: Effects): string | undefined {
    const [from, to] = rule.calls
    if (counts.matched < from || counts.matched > to || counts.fired >= rule.times) return undefined
    if (rule.between) {
      const now = call.now()
      if (now < rule.between[0] || now >= rule.between[1]) return undefined
    }
    if (rule.probability < 1 && this.#random(index, 'fire', counts.matched) >= rule.probability) return undefined
    const descriptions: string[] = []
    if (rule.latency) {
      const ms = rule.latency(() => this.#random(index, 'latency', counts.matched))
      effects[rule.latencyAfter ? 'delayAfterMs' : 'delayMs'] += ms
      descriptions.push(`${Math.round(ms)} ms of latency${rule.latencyAfter ? ' before the response' : ''}`)
    }
    const fault = rule.rateLimit ? applyRateLimit(rule.rateLimit, counts, call, effects) : rule.fault
    if (fault && !effects.fault && (call.operation === undefined || (fault.appliesTo?.(call as Call) ?? true))) {
      effects.fault = fault
      descriptions.push(fault.effect)
    }
    return descriptions.length > 0 ? descriptions.join(', ') : undefined
  }

  /** From 0 to 1. Depends only on the seed, the rule and the call number. */
  #random(rule: number, what: string, call: number): number {
    const bytes = createHash('sha256').update(`${this.#seed}\n${rule}\n${what}\n${call}`).digest()
    return bytes.readUIntBE(0, 6) / 2 ** 48
  }

  report(): ScenarioReport {
    const { name, description, file, rules } = this.scenario
    const { rules: _rules, name: _name, description: _description, $schema: _schema, ...rest } = file
    return {
      name,
      description,
      ...rest,
      ...(rest.state && { state: withoutSecrets(this.scenario.api.catalog, rest.state) }),
      // Also shown if it was generated, so a failed run can be repeated.
      seed: this.#seed,
      seed_source: this.#seedSource,
      rules: rules.map((rule, i) => ({
        ...rule.file,
        name: rule.name,
        matched: this.#counts[i]!.matched,
        fired: this.#counts[i]!.fired,
      })),
    }
  }
}

/** Applies the rate limit of the API, and the rules that were active when the call arrived. */
export function applyRules(call: Call): Effects | undefined {
  let effects: Effects | undefined
  const limit = call.api.rateLimit?.(call)
  if (limit) {
    effects = noEffects()
    applyOwnLimit(limit, call, effects)
  }
  return call.rules instanceof RuleSet ? call.rules.apply(call, effects) : effects
}

/** Applies the active rules to a connection or request of a record's traffic, or to a delivery attempt. */
export const applyActiveRules = (subject: Subject): Effects | undefined =>
  subject.sandbox.rules instanceof RuleSet ? subject.sandbox.rules.apply(subject) : undefined

type State = NonNullable<ScenarioFile['state']>

const withoutSecrets = (catalog: Catalog, state: State): State =>
  Object.fromEntries(
    Object.entries(state).map(([table, records]) => {
      const { fields } = catalog.kindOf(table)
      const given = records as Record<string, unknown>[]
      return [table, haveSecrets(fields) ? given.map(record => redactSecrets(fields, record)) : given]
    }),
  )
