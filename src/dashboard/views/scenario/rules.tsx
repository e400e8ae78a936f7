import { counted } from '../../../basics/text.ts'
import { Empty } from '../../parts/messages.tsx'
import type { Json, RuleReport } from '../../types.ts'
import { LatencyCurve } from './latency-curve.tsx'

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** `method: POST, PUT; calls: 1-3` */
const onOneLine = (settings: Json) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}: ${[value].flat().map(textOf).join(', ')}`)
    .join('; ')

function effectsOf({ fault, rate_limit, probability, times }: RuleReport): string[] {
  const { type, ...settings } = fault ?? {}
  return [
    type && [type, onOneLine(settings)].filter(Boolean).join(': '),
    rate_limit &&
      `up to ${rate_limit.requests} requests per ${rate_limit.per} (${rate_limit.window ?? 'rolling'} window)`,
    probability !== undefined && `${Math.round(probability * 1000) / 10}% of calls`,
    times !== undefined && `up to ${counted(times, 'time')}`,
  ].filter(text => typeof text === 'string')
}

function Rule({ rule, place }: { rule: RuleReport; place: number }) {
  const effects = effectsOf(rule)
  return (
    <li class="rule">
      <div class="rule-head">
        <h3>
          <span class="muted number">{place}.</span> {rule.name}
        </h3>
        <p class="counts number">
          <span>
            matched <strong>{rule.matched}</strong>
          </span>
          <span class={rule.fired > 0 ? 'fired' : ''}>
            fired <strong>{rule.fired}</strong>
          </span>
        </p>
      </div>
      <p class="mono wrap">
        <span class="muted">when</span> {rule.when ? onOneLine(rule.when) : 'any call'}
      </p>
      {effects.length > 0 && (
        <ul class="tags">
          {effects.map(effect => (
            <li key={effect} class="tag wrap">
              {effect}
            </li>
          ))}
        </ul>
      )}
      {rule.latency && <LatencyCurve rule={rule} latency={rule.latency} />}
    </li>
  )
}

/** Rules in matching order, with their counters. */
export function Rules({ rules }: { rules: readonly RuleReport[] }) {
  if (rules.length === 0)
    return (
      <Empty icon="scenario" title="No rules yet">
        No latency or faults are injected. Activate a named scenario, or add a rule.
      </Empty>
    )
  return (
    <ol class="rules">
      {rules.map((rule, i) => (
        <Rule key={`${i} ${rule.name}`} rule={rule} place={i + 1} />
      ))}
    </ol>
  )
}
