import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { ClockCard } from './clock-card.tsx'
import { ImportState } from './import-state.tsx'
import { Snapshots } from './snapshots.tsx'

const reset = () =>
  actIfConfirmed({
    title: 'Reset the sandbox?',
    sentences: [
      `This resets state, request log, clock, scenario and counters of sandbox "${sandbox.value}" to their initial values.`,
      'Requests in progress fail. Snapshots are unchanged. To be able to restore the current state, save a snapshot first.',
    ],
    action: 'Reset',
    danger: true,
    run: () => sandboxControl('POST', '/reset'),
    done: 'Sandbox reset.',
  })

const stateText = async () => JSON.stringify(await sandboxControl('GET', '/state'), null, 2)

const copyState = () =>
  act(async () => navigator.clipboard.writeText(await stateText()), 'Copied the state as a fixture.')

const downloadState = () => act(async () => saveFile(`edgesim-${sandbox.value}-state.json`, await stateText()))

export const Time = () => (
  <div class="columns">
    <ClockCard />
    <div class="stack">
      <Snapshots />
      <Section title="State">
        <ul class="choices-list">
          <li>
            <Button look="danger" onClick={reset}>
              Reset…
            </Button>
            <p class="muted">Restores the initial state, request log, clock, scenario and counters.</p>
          </li>
          <li>
            <div class="actions">
              <Button onClick={downloadState}>Download fixture</Button>
              <Button onClick={copyState}>Copy fixture</Button>
            </div>
            <p class="muted">Exports the entire state as a fixture. The state is unchanged.</p>
          </li>
          <li>
            <ImportState />
          </li>
        </ul>
      </Section>
    </div>
  </div>
)
