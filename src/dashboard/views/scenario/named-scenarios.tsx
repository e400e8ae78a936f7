import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/messages.tsx'
import { useRemote } from '../../state/remote.ts'
import { scenario } from '../../state/simulator.ts'
import { control } from '../../wire/control.ts'
import { activate } from './scenario-text.ts'

interface NamedScenario {
  name: string
  description?: string
  rules?: number
  error?: string
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

export function NamedScenarios() {
  const named = useRemote('named scenarios', 0, signal =>
    control<{ scenarios: NamedScenario[] }>('GET', '/scenarios', { signal }),
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
