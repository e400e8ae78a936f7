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

/** Chooses the sandbox that the page shows; also creates and drops sandboxes. */
export function SandboxDialog({ onClose }: { onClose(): void }) {
  const wanted = useSignal('')
  useEffect(() => void act(loadSandboxes), [])
  const found = sandboxes.value.filter(({ name }) => name.includes(wanted.value.trim()))
  const isNew = wanted.value.trim() !== '' && !sandboxes.value.some(({ name }) => name === wanted.value.trim())

  // Keeps the view but not the record, which another sandbox may not have.
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
    const name = wanted.value.trim()
    // Behind a proxy another simulator may have it: PUT would reset it.
    if (!(await findSandbox(name))) await control('PUT', `/sandboxes/${encodeURIComponent(name)}`)
    await loadSandboxes()
    open(name)
    return `The sandbox ${name} is open.`
  })
  const drop = (name: string) =>
    act(async () => {
      await control('DELETE', `/sandboxes/${encodeURIComponent(name)}`)
      if (name === sandbox.value) open('default')
      await loadSandboxes()
    }, `The sandbox ${name} was dropped.`)

  return (
    <Dialog title="Sandboxes" onClose={onClose}>
      <p>
        Each is an account of its own: state, clock, journal, scenario. The token chooses: <code>sim_admin~name</code>{' '}
        acts in the sandbox <code>name</code>.
      </p>
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Find or name a sandbox" placeholder="Find, or name a new one" name={wanted} />
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
