import { useSignal } from '@preact/signals'
import { confirmAction } from '../../parts/dialog.tsx'
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
    `This restores the state saved as "${name}"${at ? ` at ${longTime(at)}` : ''}. Records created since then are removed, and deleted records come back.`,
    'Request log, clock and scenario are unchanged. To undo this, rewind.',
  ]
  if (await confirmAction({ title: `Restore ${name}?`, sentences, action: 'Restore', danger: true }))
    await act(() => sandboxControl('POST', `${pathOf(name)}/restore`), `Restored snapshot ${name}.`)
}

export function Snapshots() {
  const name = useSignal('')
  const compared = useSignal<string | undefined>(undefined)
  const { data, error, reload } = useRemote(sandbox.value, stateVersion.value, signal =>
    sandboxControl<{ snapshots: SnapshotInfo[] }>('GET', '/snapshots', { signal }),
  )
  const known = data?.snapshots ?? []
  const replaces = known.some(each => each.name === name.value)

  const { submit, error: saveError } = useSubmit(async () => {
    const saved = name.value
    await sandboxControl('PUT', pathOf(saved))
    name.value = ''
    reload()
    return `Saved snapshot ${saved}.`
  })
  async function remove(snapshot: string) {
    const sentences = ["You can't undo this. The sandbox state is unchanged."]
    if (await confirmAction({ title: `Delete snapshot ${snapshot}?`, sentences, action: 'Delete', danger: true }))
      await act(() => sandboxControl('DELETE', pathOf(snapshot)), `Deleted snapshot ${snapshot}.`)
    reload()
  }

  return (
    <Section title="Snapshots">
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Snapshot name" placeholder="before-checkout" name={name} required />
        <button type="submit" class="button primary">
          <Icon name="camera" /> Save
        </button>
      </form>
      <FormError error={saveError} />
      <p class="muted">
        {replaces
          ? `Replaces snapshot ${name.value} with the current state.`
          : 'Saves the current state under this name. The state is unchanged.'}
      </p>
      {error && <Failure error={error} />}
      {data && known.length === 0 && (
        <Empty icon="camera" title="No snapshots yet">
          Save the current state to restore it later.
        </Empty>
      )}
      <ul class="named snapshots">
        {known.map(snapshot => (
          <li key={snapshot.name}>
            <div class="grow">
              <p class="named-title">{snapshot.name}</p>
              <p class="muted number">
                {snapshot.at ? `${longTime(snapshot.at)}, after change ${snapshot.seq}` : 'from an earlier run'}
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
