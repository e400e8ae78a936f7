import { Empty } from '../parts/messages.tsx'
import { dayTime } from '../parts/status.tsx'
import { act } from '../state/actions.ts'
import { restart } from '../state/connection.ts'
import { hrefTo, sandbox } from '../state/place.ts'
import { findSandbox } from '../state/simulator.ts'
import { control } from '../wire/control.ts'

/** The address names a sandbox that does not exist, or no longer does. */
export function MissingSandbox() {
  const name = sandbox.value
  const create = () =>
    act(async () => {
      // One that a test has created meanwhile must not be emptied.
      if (!(await findSandbox(name))) await control('PUT', `/sandboxes/${encodeURIComponent(name)}`, { body: {} })
      location.reload()
    })
  return (
    <Empty icon="cube" title={`There is no sandbox "${name}"`}>
      <p>
        {restart.value
          ? `edgesim was restarted at ${dayTime(new Date(restart.value.at))}: a restart keeps only the default sandbox.`
          : 'It was dropped, or the simulator was restarted: a restart keeps only the default sandbox.'}
      </p>
      <p class="actions centre">
        <button type="button" class="button primary" onClick={create}>
          Create it
        </button>
        <a class="button" href={hrefTo(['overview'], { sandbox: 'default' })}>
          Go to default
        </a>
      </p>
    </Empty>
  )
}
