import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/messages.tsx'
import { dayTime } from '../parts/status.tsx'
import { act } from '../state/actions.ts'
import { hrefTo, sandbox } from '../state/place.ts'
import { createSandbox, restart } from '../state/simulator.ts'

/** Shown when the sandbox in the URL does not exist. */
export function MissingSandbox() {
  const name = sandbox.value
  const create = () =>
    act(async () => {
      await createSandbox(name)
      location.reload()
    })
  return (
    <Empty icon="cube" title={`Sandbox "${name}" not found`}>
      <p>
        {restart.value
          ? `edgesim restarted at ${dayTime(new Date(restart.value.at))}. Only the default sandbox survives a restart.`
          : 'It was dropped, or edgesim restarted. Only the default sandbox survives a restart.'}
      </p>
      <p class="actions centre">
        <Button look="primary" onClick={create}>
          Create sandbox
        </Button>
        <Button href={hrefTo(['overview'], { sandbox: 'default' })}>Open default sandbox</Button>
      </p>
    </Empty>
  )
}
