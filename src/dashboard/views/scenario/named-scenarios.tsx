import { counted } from '../../../basics/text.ts'
import { ask } from '../../parts/ask-dialog.tsx'
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

async function use(name: string) {
  const sentences = [
    'Its rules, assumptions, clock and seed take the place of those in use, and counters begin at zero.',
    'If it has state, that is applied to the present one. What you changed in the editor is discarded.',
  ]
  if (await ask({ title: `Use the scenario ${name}?`, sentences, action: 'Use it' }))
    await act(async () => {
      scenario.value = await sandboxControl<ScenarioReport>('PUT', '/scenario', { body: { name } })
      setDraft(undefined)
    }, `The scenario ${name} is in use.`)
}

/** Scenarios that can be used by name. */
export function NamedScenarios() {
  const { data, error } = useRemote('named scenarios', 0, signal =>
    control<{ scenarios: NamedScenario[] }>('GET', '/scenarios', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <ul class="named">
      {data.scenarios.map(({ name, description, rules, error: wrong }) => {
        const inUse = scenario.value?.name === name
        return (
          <li key={name}>
            <div class="grow">
              <p class="named-title">
                {name} {inUse && <span class="tag accent">● in use</span>}
                {rules !== undefined && <span class="muted number">{counted(rules, 'rule')}</span>}
              </p>
              <p class={wrong ? 'bad-text' : 'muted'}>{wrong ?? description}</p>
            </div>
            <button
              type="button"
              class="button"
              disabled={!!wrong}
              aria-label={`Use ${name}`}
              onClick={() => use(name)}
            >
              Use…
            </button>
          </li>
        )
      })}
    </ul>
  )
}
