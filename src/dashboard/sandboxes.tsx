import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted } from '../basics/text.ts'
import { Button } from './parts/button.tsx'
import { Dialog } from './parts/dialog.tsx'
import { NameInput } from './parts/inputs.tsx'
import { Empty, FormError } from './parts/messages.tsx'
import { Rows } from './parts/rows.tsx'
import { dayTime } from './parts/status.tsx'
import { act, useSubmit } from './state/actions.ts'
import { sorted } from './state/lists.ts'
import { goToHref, hrefTo, place, sandbox } from './state/place.ts'
import { createSandbox, loadSandboxes, restart, sandboxes } from './state/simulator.ts'
import type { SandboxInfo } from './types.ts'
import { control } from './wire/control.ts'

/** Chooses the sandbox to show. Also creates and drops sandboxes. */
export function SandboxDialog({ onClose }: { onClose(): void }) {
  const search = useSignal('')
  useEffect(() => void act(loadSandboxes), [])
  const sought = search.value.trim()
  const matching = sandboxes.value.filter(({ name }) => name.includes(sought))
  const newestFirst = sorted(matching, ({ created_at }) => created_at, true)
  const isNew = sought !== '' && !sandboxes.value.some(({ name }) => name === sought)

  // Keeps the view, but not the record: the other sandbox might not contain it.
  const hrefOf = (name: string) => hrefTo([place.value.view], { sandbox: name })
  const open = (name: string) => {
    goToHref(hrefOf(name))
    onClose()
  }
  const { submit, error } = useSubmit(async () => {
    await createSandbox(sought)
    await loadSandboxes()
    open(sought)
    return `Opened sandbox ${sought}.`
  })
  const drop = (name: string) =>
    act(async () => {
      await control('DELETE', `/sandboxes/${encodeURIComponent(name)}`)
      if (name === sandbox.value) open('default')
      await loadSandboxes()
    }, `Dropped sandbox ${name}.`)

  return (
    <Dialog title="Sandboxes" wide onClose={onClose}>
      <p>
        Each sandbox is a separate account with its own data, clock, request log and scenario. Use the token{' '}
        <code>sim_admin~name</code> to send requests to the sandbox <code>name</code>.
      </p>
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Find or create a sandbox" placeholder="Find or create a sandbox" name={search} />
        <Button look="primary" icon="plus" submit disabled={!isNew}>
          Create
        </Button>
      </form>
      <FormError error={error} />
      <Rows<SandboxInfo>
        label="Sandboxes"
        class="sandbox-rows"
        rows={newestFirst}
        rowHeight={40}
        keyOf={({ name }) => name}
        selected={sandbox.value}
        headless
        columns={[
          {
            name: 'name',
            class: 'clip',
            cell: ({ name, failed }, link) => (
              <>
                <a href={hrefOf(name)} {...link} onClick={onClose} aria-current={name === sandbox.value}>
                  {name}
                </a>{' '}
                {failed && <span class="tag bad">✕ test failed</span>}
              </>
            ),
          },
          { name: 'errors', class: 'number bad-text', cell: ({ errors }) => errors > 0 && counted(errors, 'error') },
          { name: 'requests', class: 'muted number', cell: ({ requests }) => counted(requests, 'request') },
          {
            name: 'drop',
            cell: ({ name }) =>
              name !== 'default' && (
                <Button look="quiet small" icon="trash" label={`Drop ${name}`} onClick={() => drop(name)} />
              ),
          },
        ]}
      />
    </Dialog>
  )
}

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
