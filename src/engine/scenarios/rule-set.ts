import { createHash, randomBytes } from 'node:crypto'
import type { ScenarioReport } from '../../contract/info.ts'
import { type Catalog, haveSecrets, redactSecrets } from '../language/index.ts'
import type { ActiveRules, Effects, Subject } from '../rules.ts'
import type { Call, Counted } from '../sandbox/index.ts'
import { applyOwnLimit, applyRateLimit, noEffects } from './rate-limit.ts'
import type { Rule } from './rule.ts'
import type { Scenario } from './scenario.ts'
import type { ScenarioFile } from './schema.ts'

/** The kind of a rule that only delayed the call. */
export const LATENCY = 'latency'

interface Counts extends Counted {
  matched: number
  fired: number
}

/** A scenario's rules in one sandbox, with their counters. */
export class RuleSet implements ActiveRules {
  readonly lookBackMs: number
  readonly #counts: Counts[]
  readonly #seed: string
  readonly #seedSource: NonNullable<ScenarioReport['seed_source']>

  constructor(
    readonly scenario: Scenario,
    seed: string | undefined,
    /** Called with the fault type, `rate_limit` or `latency` of each rule that fires. */
    readonly onFired: (kind: string) => void,
  ) {
    this.lookBackMs = Math.max(0, ...scenario.rules.map(({ fault }) => fault?.lookBackMs ?? 0))
    this.#counts = scenario.rules.map(() => ({ matched: 0, fired: 0 }))
    this.#seed = seed ?? randomBytes(16).toString('hex')
    this.#seedSource = seed === undefined ? 'generated' : seed === scenario.seed ? 'scenario' : 'sandbox'
  }

  get name() {
    return this.scenario.name
  }

  get assumed() {
    return this.scenario.assumed
  }

  get setsClock() {
    return this.scenario.clock !== undefined
  }

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
      if (effect) {
        counts.fired++
        rule.fired++
        this.onFired(effects.fault === before ? LATENCY : effects.fault!.type)
      }
      call.entry.rules.push({ name: rule.name, fired: effect !== undefined, effect: effect ?? 'none' })
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
    if (fault && !effects.fault && (call.operation === undefined || (fault.appliesTo?.(call.operation) ?? true))) {
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
  const limit = call.api.rateLimit?.(call)
  const effects = limit && applyOwnLimit(limit, call)
  return call.rules ? call.rules.apply(call, effects) : effects
}

type State = NonNullable<ScenarioFile['state']>

const withoutSecrets = (catalog: Catalog, state: State): State =>
  Object.fromEntries(
    Object.entries(state).map(([table, records]) => {
      const { fields } = catalog.kindOf(table)
      const given = records as Record<string, unknown>[]
      return [table, haveSecrets(fields) ? given.map(record => redactSecrets(fields, record)) : given]
    }),
  )
