import { ask } from '../../parts/ask-dialog.tsx'
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
    `The sandbox "${sandbox.value}" goes back to what it was created with: state, journal, clock, scenario and counters.`,
    'Every record made and every request seen since is gone. Requests under way are refused. Snapshots stay.',
  ]
  if (await ask({ title: 'Reset the sandbox?', sentences, action: 'Reset', danger: true }))
    await act(() => sandboxControl('POST', '/reset'), 'The sandbox is as it was created.')
}

const stateText = async () => JSON.stringify(await sandboxControl('GET', '/state'), null, 2)

const copyState = () =>
  act(async () => {
    await navigator.clipboard.writeText(await stateText())
    notify('done', 'The state is on the clipboard, as a fixture.')
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
          <p class="muted">Back to what the sandbox was created with: state, journal, clock and counters.</p>
        </li>
        <li>
          <div class="actions">
            <button type="button" class="button" onClick={downloadState}>
              Download as a fixture
            </button>
            <button type="button" class="button" onClick={copyState}>
              Copy as a fixture
            </button>
          </div>
          <p class="muted">The whole state in the format of a fixture, for a file or the clipboard; nothing changes.</p>
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
