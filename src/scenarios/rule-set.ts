import { createHash, randomBytes } from 'node:crypto'
import type { ActiveRules, Call } from '../sandbox/index.ts'
import type { Effects } from './effects.ts'
import { rateLimited } from './rate-limit.ts'
import type { Rule } from './rule.ts'
import { LATENCY, RuleHit } from './rule-hit.ts'
import type { Scenario } from './scenario.ts'
import type { Subject } from './when.ts'

interface Counts {
  matched: number
  fired: number
  window?: { start: number; used: number }
}

/** A scenario's rules in one sandbox, with their counters. */
export class RuleSet implements ActiveRules {
  readonly lookBackMs: number
  readonly #counts: Counts[]
  readonly #seed: string

  constructor(
    readonly scenario: Scenario,
    seed: string | undefined,
  ) {
    this.lookBackMs = Math.max(0, ...scenario.rules.map(({ fault }) => fault?.lookBackMs ?? 0))
    this.#counts = scenario.rules.map(() => ({ matched: 0, fired: 0 }))
    this.#seed = seed ?? randomBytes(16).toString('hex')
  }

  get name() {
    return this.scenario.name
  }

  /** Rules are tried in order: latencies add up, the first fault wins. */
  meet(call: Subject): Effects | undefined {
    let effects: Effects | undefined
    const { rules } = this.scenario
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]!
      if (!rule.matches(call)) continue
      const counts = this.#counts[i]!
      counts.matched++
      effects ??= { delayMs: 0, delayAfterMs: 0, headers: {} }
      const before = effects.fault
      const fired = this.#fires(rule, counts, i, call, effects)
      const kind = fired && (effects.fault === before ? LATENCY : effects.fault!.type)
      if (fired) {
        counts.fired++
        rule.everFired = true
      }
      call.entry.rules.push(new RuleHit(rule.name, fired !== undefined, fired ?? 'none', kind))
    }
    return effects
  }

  /** What the rule does to the call, in words; undefined when it does nothing. */
  #fires(rule: Rule, counts: Counts, index: number, call: Subject, effects: Effects): string | undefined {
    const [from, to] = rule.calls
    const { clock } = call.sandbox
    if (counts.matched < from || counts.matched > to || counts.fired >= rule.times) return undefined
    if (rule.between) {
      call.clockPlayedAPart ||= clock.frozen
      if (clock.now() < rule.between[0] || clock.now() >= rule.between[1]) return undefined
    }
    if (rule.probability < 1 && this.#draw(index, 'fire', counts.matched) >= rule.probability) return undefined
    const done: string[] = []
    if (rule.latency) {
      const ms = rule.latency(() => this.#draw(index, 'latency', counts.matched))
      effects[rule.latencyAfter ? 'delayAfterMs' : 'delayMs'] += ms
      done.push(`${Math.round(ms)} ms of latency${rule.latencyAfter ? ' before the answer' : ''}`)
    }
    const fault = rule.rateLimit ? rateLimited(rule.rateLimit, counts, call, effects) : rule.fault
    if (fault && !effects.fault && (call.edge !== undefined || (fault.concerns?.(call as Call) ?? true))) {
      effects.fault = fault
      done.push(fault.effect)
    }
    return done.length > 0 ? done.join(', ') : undefined
  }

  /** From 0 to 1; depends on the seed, the rule and the number of the call, and on nothing else. */
  #draw(rule: number, what: string, call: number): number {
    const bytes = createHash('sha256').update(`${this.#seed}\n${rule}\n${what}\n${call}`).digest()
    return bytes.readUIntBE(0, 6) / 2 ** 48
  }

  report() {
    const { name, description, file, rules } = this.scenario
    const { rules: _rules, name: _name, description: _description, $schema: _schema, ...rest } = file
    return {
      name,
      description,
      ...rest,
      // Shown also if none was given, so that a failed run can be repeated.
      seed: this.#seed,
      rules: rules.map((rule, i) => ({
        ...rule.file,
        name: rule.name,
        matched: this.#counts[i]!.matched,
        fired: this.#counts[i]!.fired,
      })),
    }
  }
}

/** What the rules in force when the call came in do to it. */
export const meetRules = (call: Call): Effects | undefined =>
  call.rules instanceof RuleSet ? call.rules.meet(call) : undefined

/** What the rules in force do to a connection or request that an edge gets. */
export const meetEdgeRules = (subject: Subject): Effects | undefined =>
  subject.sandbox.rules instanceof RuleSet ? subject.sandbox.rules.meet(subject) : undefined
