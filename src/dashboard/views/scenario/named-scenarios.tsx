import { counted } from '../../../basics/text.ts'
import { confirmAction } from '../../parts/dialog.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import type { ScenarioReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { setDraft } from './scenario-text.ts'

interface NamedScenario {
  name: string
  description?: string
  rules?: number
  error?: string
}

async function activate(name: string) {
  const sentences = [
    'This replaces the current rules, assumptions, clock and seed, and resets counters to zero.',
    "If the scenario has state, it's applied to the current state. To be able to restore the current state, save a snapshot first.",
    'Unsaved changes in the editor are discarded.',
  ]
  if (await confirmAction({ title: `Activate scenario ${name}?`, sentences, action: 'Activate' }))
    await act(async () => {
      scenario.value = await sandboxControl<ScenarioReport>('PUT', '/scenario', { body: { name } })
      setDraft(undefined)
    }, `Scenario ${name} activated.`)
}

export function NamedScenarios() {
  const { data, error } = useRemote('named scenarios', 0, signal =>
    control<{ scenarios: NamedScenario[] }>('GET', '/scenarios', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <ul class="named">
      {data.scenarios.map(({ name, description, rules, error: problem }) => {
        const active = scenario.value?.name === name
        return (
          <li key={name}>
            <div class="grow">
              <p class="named-title">
                {name} {active && <span class="tag accent">● active</span>}
                {rules !== undefined && <span class="muted number">{counted(rules, 'rule')}</span>}
              </p>
              <p class={problem ? 'bad-text' : 'muted'}>{problem ?? description}</p>
            </div>
            <button
              type="button"
              class="button"
              disabled={!!problem}
              aria-label={`Activate ${name}`}
              onClick={() => activate(name)}
            >
              Activate…
            </button>
          </li>
        )
      })}
    </ul>
  )
}
