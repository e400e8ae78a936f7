import { Failure, Loading } from '../../parts/empty.tsx'
import { act } from '../../state/act.ts'
import { ask } from '../../state/ask.ts'
import { useRemote } from '../../state/remote.ts'
import { here, scenario } from '../../state/simulator.ts'
import type { ScenarioReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { setDraft } from './draft.ts'

interface Shelved {
  name: string
  description?: string
  rules?: number
  error?: string
}

async function use(name: string) {
  const sentences = [
    'Its rules, assumptions, clock and seed take the place of those in use, and counters begin at zero.',
    'Where it brings state along, that is laid over the present one. What you changed in the editor is discarded.',
  ]
  if (await ask({ title: `Use the scenario ${name}?`, sentences, action: 'Use it' }))
    await act(async () => {
      scenario.value = await here<ScenarioReport>('PUT', '/scenario', { body: { name } })
      setDraft(undefined)
    }, `The scenario ${name} is in use.`)
}

/** Scenarios that can be used by name. */
export function Shelf() {
  const { data, error } = useRemote('shelf', 0, signal =>
    control<{ scenarios: Shelved[] }>('GET', '/scenarios', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <ul class="shelf">
      {data.scenarios.map(({ name, description, rules, error: wrong }) => {
        const inUse = scenario.value?.name === name
        return (
          <li key={name}>
            <div class="grow">
              <p class="shelf-name">
                {name} {inUse && <span class="tag accent">● in use</span>}
                {rules !== undefined && <span class="muted number">{rules === 1 ? '1 rule' : `${rules} rules`}</span>}
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
