import { useSignal } from '@preact/signals'
import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Empty, Loaded, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { useRemote } from '../../state/remote.ts'
import { setter } from '../../state/signals.ts'
import { loadClock, loadScenario, sandboxControl, scenario } from '../../state/simulator.ts'
import type { Json, RuleReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { Editor } from './editor.tsx'
import { LatencyCurve } from './latency-curve.tsx'
import { NewRule } from './new-rule.tsx'
import { activate } from './scenario-text.ts'

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

const confirmActivation = (name: string) =>
  actIfConfirmed({
    title: `Activate scenario ${name}?`,
    sentences: [
      'This replaces the current rules, assumptions, clock and seed, and resets counters to zero.',
      "If the scenario has state, it's applied to the current state. To be able to restore the current state, save a snapshot first.",
      'Unsaved changes in the editor are discarded.',
    ],
    action: 'Activate',
    run: () => activate({ name }),
    done: `Scenario ${name} activated.`,
  })

function NamedScenarios() {
  const named = useRemote('named scenarios', 0, signal =>
    control<{ scenarios: { name: string; description?: string; rules?: number; error?: string }[] }>(
      'GET',
      '/scenarios',
      { signal },
    ),
  )
  return (
    <Loaded from={named}>
      {({ scenarios }) => (
        <ul class="named">
          {scenarios.map(({ name, description, rules, error }) => (
            <li key={name}>
              <div class="grow">
                <p class="named-title">
                  {name} {scenario.value?.name === name && <span class="tag accent">● active</span>}
                  {rules !== undefined && <span class="muted number">{counted(rules, 'rule')}</span>}
                </p>
                <p class={error ? 'bad-text' : 'muted'}>{error ?? description}</p>
              </div>
              <Button disabled={!!error} label={`Activate ${name}`} onClick={() => confirmActivation(name)}>
                Activate…
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

const stop = () =>
  actIfConfirmed({
    title: 'Stop the scenario?',
    sentences: [
      'This removes its rules and assumptions, and sets the clock to real time.',
      'The state is unchanged. A reset restores the initial scenario of the sandbox.',
    ],
    action: 'Stop',
    run: async () => {
      await sandboxControl('DELETE', '/scenario')
      await Promise.all([loadScenario(), loadClock()])
    },
    done: 'Scenario stopped.',
  })

export function Scenario() {
  const adding = useSignal(false)
  const report = scenario.value
  if (!report) return <Loading />
  const newRule = (
    <Button icon="plus" opens onClick={setter(adding, true)}>
      New rule…
    </Button>
  )
  return (
    <div class="columns">
      <div class="stack">
        <Section
          title={report.name ?? 'No active scenario'}
          actions={report.name !== null && <Button onClick={stop}>Stop scenario…</Button>}
        >
          <p class="muted">{report.description}</p>
          {report.rules.length === 0 ? (
            <Empty icon="scenario" title="No rules yet">
              No latency or faults are injected. Activate a named scenario, or add a rule.
            </Empty>
          ) : (
            <ol class="rules">
              {report.rules.map((rule, i) => (
                <Rule key={`${i} ${rule.name}`} rule={rule} place={i + 1} />
              ))}
            </ol>
          )}
        </Section>
        <Section title="Named scenarios">
          <NamedScenarios />
        </Section>
      </div>
      <Section title="Edit as YAML" actions={newRule}>
        <Editor report={report} />
      </Section>
      {adding.value && <NewRule onClose={setter(adding, false)} />}
    </div>
  )
}
