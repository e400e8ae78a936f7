import { useSignal } from '@preact/signals'
import { ask } from '../../parts/ask-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { NameInput } from '../../parts/inputs.tsx'
import { Empty, Failure, FormError } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { longTime } from '../../parts/status.tsx'
import { act, useSubmit } from '../../state/actions.ts'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { SnapshotInfo } from '../../types.ts'
import { Compare } from './compare.tsx'

const pathOf = (name: string) => `/snapshots/${encodeURIComponent(name)}`

async function restore({ name, at }: SnapshotInfo) {
  const sentences = [
    `The whole state becomes what it was when "${name}" was saved${at ? `, at ${longTime(at)}` : ''}: records made since are gone, those deleted since are back.`,
    'The journal, the clock and the scenario stay. It is one change, and can be undone by rewinding.',
  ]
  if (await ask({ title: `Restore ${name}?`, sentences, action: 'Restore', danger: true }))
    await act(() => sandboxControl('POST', `${pathOf(name)}/restore`), `The state is that of ${name}.`)
}

/** Saved states, by name. */
export function Snapshots() {
  const name = useSignal('')
  const compared = useSignal<string | undefined>(undefined)
  const { data, error, reload } = useRemote(sandbox.value, stateVersion.value, signal =>
    sandboxControl<{ snapshots: SnapshotInfo[] }>('GET', '/snapshots', { signal }),
  )
  const known = data?.snapshots ?? []
  const replaces = known.some(each => each.name === name.value)

  const { submit, error: refused } = useSubmit(async () => {
    const saved = name.value
    await sandboxControl('PUT', pathOf(saved))
    name.value = ''
    reload()
    return `The state was saved as ${saved}.`
  })
  async function remove(snapshot: string) {
    const sentences = [`The snapshot is deleted for good. The state of the sandbox stays as it is.`]
    if (await ask({ title: `Delete ${snapshot}?`, sentences, action: 'Delete it', danger: true }))
      await act(() => sandboxControl('DELETE', pathOf(snapshot)), `${snapshot} was deleted.`)
    reload()
  }

  return (
    <Section title="Snapshots">
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Name of the snapshot" placeholder="before-checkout" name={name} required />
        <button type="submit" class="button primary">
          <Icon name="camera" /> Save
        </button>
      </form>
      <FormError error={refused} />
      <p class="muted">
        {replaces
          ? `Replaces the snapshot ${name.value} by the state as it is now.`
          : 'Keeps the state as it is now under that name; nothing changes.'}
      </p>
      {error && <Failure error={error} />}
      {data && known.length === 0 && (
        <Empty icon="camera" title="No snapshots yet">
          Save the state under a name, and come back to it as often as you like.
        </Empty>
      )}
      <ul class="named snapshots">
        {known.map(snapshot => (
          <li key={snapshot.name}>
            <div class="grow">
              <p class="named-title">{snapshot.name}</p>
              <p class="muted number">
                {snapshot.at ? `${longTime(snapshot.at)}, after change ${snapshot.seq}` : 'from before the last start'}
              </p>
            </div>
            <button
              type="button"
              class="button"
              aria-haspopup="dialog"
              aria-label={`Compare ${snapshot.name}`}
              onClick={() => {
                compared.value = snapshot.name
              }}
            >
              Compare…
            </button>
            <button
              type="button"
              class="button"
              aria-label={`Restore ${snapshot.name}`}
              onClick={() => restore(snapshot)}
            >
              Restore…
            </button>
            <button
              type="button"
              class="button quiet"
              aria-label={`Delete ${snapshot.name}`}
              onClick={() => remove(snapshot.name)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {compared.value !== undefined && (
        <Compare
          snapshots={known}
          from={compared.value}
          onClose={() => {
            compared.value = undefined
          }}
        />
      )}
    </Section>
  )
}
