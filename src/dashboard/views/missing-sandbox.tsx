import { Empty } from '../parts/messages.tsx'
import { act } from '../state/actions.ts'
import { hrefTo, sandbox } from '../state/place.ts'
import { control } from '../wire/control.ts'

/** The address names a sandbox that does not exist, or no longer does. */
export function MissingSandbox() {
  const name = sandbox.value
  const create = () =>
    act(async () => {
      await control('PUT', `/sandboxes/${encodeURIComponent(name)}`, { body: {} })
      location.reload()
    })
  return (
    <Empty icon="cube" title={`There is no sandbox "${name}"`}>
      <p>It was dropped, or the simulator was restarted: a restart keeps only the default sandbox.</p>
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
