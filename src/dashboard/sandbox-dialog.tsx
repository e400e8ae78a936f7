import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted } from '../basics/text.ts'
import { CloseAction, Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { NameInput } from './parts/inputs.tsx'
import { FormError } from './parts/messages.tsx'
import { VirtualRows } from './parts/virtual-rows.tsx'
import { act, useSubmit } from './state/actions.ts'
import { goToHref, hrefTo, place, sandbox } from './state/place.ts'
import { findSandbox, loadSandboxes, sandboxes } from './state/simulator.ts'
import { control } from './wire/control.ts'

/** Chooses the sandbox to show. Also creates and drops sandboxes. */
export function SandboxDialog({ onClose }: { onClose(): void }) {
  const search = useSignal('')
  useEffect(() => void act(loadSandboxes), [])
  const found = sandboxes.value.filter(({ name }) => name.includes(search.value.trim()))
  const isNew = search.value.trim() !== '' && !sandboxes.value.some(({ name }) => name === search.value.trim())

  // Keeps the view, but not the record: the other sandbox might not contain it.
  const hrefOf = (name: string) => hrefTo([place.value.view], { sandbox: name })
  const open = (name: string) => {
    goToHref(hrefOf(name))
    onClose()
  }
  const { submit, error } = useSubmit(async () => {
    if (!isNew) {
      if (found[0]) open(found[0].name)
      return undefined
    }
    const name = search.value.trim()
    // Behind a proxy, another simulator may have this sandbox: PUT would reset it.
    if (!(await findSandbox(name))) await control('PUT', `/sandboxes/${encodeURIComponent(name)}`)
    await loadSandboxes()
    open(name)
    return `Opened sandbox ${name}.`
  })
  const drop = (name: string) =>
    act(async () => {
      await control('DELETE', `/sandboxes/${encodeURIComponent(name)}`)
      if (name === sandbox.value) open('default')
      await loadSandboxes()
    }, `Dropped sandbox ${name}.`)

  return (
    <Dialog title="Sandboxes" onClose={onClose}>
      <p>
        Each sandbox is a separate account with its own data, clock, request log and scenario. Use the token{' '}
        <code>sim_admin~name</code> to send requests to the sandbox <code>name</code>.
      </p>
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Find or create a sandbox" placeholder="Find or create a sandbox" name={search} />
        <button type="submit" class="button primary" disabled={!isNew}>
          <Icon name="plus" /> Create
        </button>
      </form>
      <FormError error={error} />
      <VirtualRows
        label="Sandboxes"
        class="sandbox-rows"
        count={found.length}
        rowHeight={40}
        keyOf={i => found[i]!.name}
        selected={sandbox.value}
        row={(i, tabIndex) => {
          const { name, requests } = found[i]!
          return (
            <>
              <span role="cell" class="grow">
                <a
                  href={hrefOf(name)}
                  data-row-link
                  tabIndex={tabIndex}
                  onClick={onClose}
                  aria-current={name === sandbox.value ? 'true' : undefined}
                >
                  {name}
                </a>
              </span>
              <span role="cell" class="muted number">
                {counted(requests, 'request')}
              </span>
              <span role="cell">
                {name !== 'default' && (
                  <button
                    type="button"
                    class="button quiet small"
                    aria-label={`Drop ${name}`}
                    onClick={() => drop(name)}
                  >
                    <Icon name="trash" />
                  </button>
                )}
              </span>
            </>
          )
        }}
      />
      <CloseAction onClose={onClose} />
    </Dialog>
  )
}
