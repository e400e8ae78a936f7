import { ask } from '../../parts/ask-dialog.tsx'
import { Section } from '../../parts/section.tsx'
import { act, notify } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { ClockCard } from './clock-card.tsx'
import { Snapshots } from './snapshots.tsx'

async function reset() {
  const sentences = [
    `The sandbox "${sandbox.value}" goes back to what it was created with: state, journal, clock, scenario and counters.`,
    'Every record made and every request seen since is gone. Requests under way are refused. Snapshots stay.',
  ]
  if (await ask({ title: 'Reset the sandbox?', sentences, action: 'Reset', danger: true }))
    await act(() => sandboxControl('POST', '/reset'), 'The sandbox is as it was created.')
}

async function copyState() {
  await act(async () => {
    const text = JSON.stringify(await sandboxControl('GET', '/state'), null, 2)
    await navigator.clipboard.writeText(text)
    notify('done', 'The state is on the clipboard, as a fixture.')
  })
}

function ResetCard() {
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
          <button type="button" class="button" onClick={copyState}>
            Copy as a fixture
          </button>
          <p class="muted">Copies the whole state in the format of a fixture; nothing changes.</p>
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
        <ResetCard />
      </div>
    </div>
  )
}
