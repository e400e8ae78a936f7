import { confirmAction } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { act, notify } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { ClockCard } from './clock-card.tsx'
import { ImportState } from './import-state.tsx'
import { Snapshots } from './snapshots.tsx'

async function reset() {
  const sentences = [
    `This resets state, request log, clock, scenario and counters of sandbox "${sandbox.value}" to their initial values.`,
    'Requests in progress fail. Snapshots are unchanged. To be able to restore the current state, save a snapshot first.',
  ]
  if (await confirmAction({ title: 'Reset the sandbox?', sentences, action: 'Reset', danger: true }))
    await act(() => sandboxControl('POST', '/reset'), 'Sandbox reset.')
}

const stateText = async () => JSON.stringify(await sandboxControl('GET', '/state'), null, 2)

const copyState = () =>
  act(async () => {
    await navigator.clipboard.writeText(await stateText())
    notify('done', 'Copied the state as a fixture.')
  })

const downloadState = () => act(async () => saveFile(`edgesim-${sandbox.value}-state.json`, await stateText()))

function StateCard() {
  return (
    <Section title="State">
      <ul class="choices-list">
        <li>
          <button type="button" class="button danger" onClick={reset}>
            Reset…
          </button>
          <p class="muted">Restores the initial state, request log, clock, scenario and counters.</p>
        </li>
        <li>
          <div class="actions">
            <button type="button" class="button" onClick={downloadState}>
              Download fixture
            </button>
            <button type="button" class="button" onClick={copyState}>
              Copy fixture
            </button>
          </div>
          <p class="muted">Exports the entire state as a fixture. The state is unchanged.</p>
        </li>
        <li>
          <ImportState />
        </li>
      </ul>
    </Section>
  )
}

export function Time() {
  return (
    <div class="columns">
      <ClockCard />
      <div class="stack">
        <Snapshots />
        <StateCard />
      </div>
    </div>
  )
}
