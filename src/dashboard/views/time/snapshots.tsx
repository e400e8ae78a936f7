import { useSignal } from '@preact/signals'
import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed, Dialog } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { NameInput, Select } from '../../parts/inputs.tsx'
import { Empty, Failure, FormError, Loaded } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { longTime } from '../../parts/status.tsx'
import { useSubmit } from '../../state/actions.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { setter, writer } from '../../state/signals.ts'
import { sandboxControl, useGet } from '../../state/simulator.ts'
import type { Op, SnapshotInfo } from '../../types.ts'

const pathOf = (name: string) => `/snapshots/${encodeURIComponent(name)}`

const restore = ({ name, at }: SnapshotInfo) =>
  actIfConfirmed({
    title: `Restore ${name}?`,
    sentences: [
      `This restores the state saved as "${name}"${at ? ` at ${longTime(at)}` : ''}. Records created since then are removed, and deleted records come back.`,
      'Request log, clock and scenario are unchanged. To undo this, rewind.',
    ],
    action: 'Restore',
    danger: true,
    run: () => sandboxControl('POST', `${pathOf(name)}/restore`),
    done: `Restored snapshot ${name}.`,
  })

const remove = ({ name }: SnapshotInfo) =>
  actIfConfirmed({
    title: `Delete snapshot ${name}?`,
    sentences: ["You can't undo this. The sandbox state is unchanged."],
    action: 'Delete',
    danger: true,
    run: () => sandboxControl('DELETE', pathOf(name)),
    done: `Deleted snapshot ${name}.`,
  })

/** When it was saved, and the last request with a change in it. */
const Origin = ({ at, request }: SnapshotInfo) => (
  <p class="muted number">
    {at ? longTime(at) : 'from an earlier run'}
    {request && (
      <>
        , after{' '}
        <a href={hrefTo(['requests', request.id])}>
          {request.method} {request.path}
        </a>
      </>
    )}
  </p>
)

/** The numbers of changes, and the first changes. */
type Comparison = Record<'total' | 'added' | 'changed' | 'removed', number> & { ops: Op[] }

function summaryOf({ total, added, changed, removed, ops }: Comparison): string {
  const number = (count: number) => count.toLocaleString('en')
  if (total === 0) return 'No differences.'
  const limit = total > ops.length ? ` Showing the first ${ops.length} of ${number(total)}.` : ''
  return `${counted(total, 'record')}: ${number(added)} added, ${number(changed)} changed, ${number(removed)} removed.${limit}`
}

/** Compares a snapshot with another one or with the current state. */
function Compare({ names, from, onClose }: { names: string[]; from: string; onClose(): void }) {
  const [first, second] = [useSignal(from), useSignal('')]
  const query = second.value === '' ? '' : `?with=${encodeURIComponent(second.value)}`
  const version = second.value === '' ? stateVersion.value : 0
  const compared = useGet<Comparison>(`${pathOf(first.value)}/diff${query}`, version)
  return (
    <Dialog title="Compare states" onClose={onClose} wide>
      <div class="compare">
        <Select label="From" value={first.value} choices={names} onChange={writer(first)} />
        <Select label="To" value={second.value} choices={[['', 'Current state'], ...names]} onChange={writer(second)} />
      </div>
      <Loaded from={compared}>
        {comparison => (
          <>
            <p role="status">{summaryOf(comparison)}</p>
            <Diff ops={comparison.ops} sandbox={sandbox.value} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

export function Snapshots() {
  const name = useSignal('')
  const compared = useSignal<string | undefined>(undefined)
  const { data, error, reload } = useGet<{ snapshots: SnapshotInfo[] }>('/snapshots')
  const known = data?.snapshots ?? []
  const replaces = known.some(each => each.name === name.value)
  const { submit, error: saveError } = useSubmit(async () => {
    const saved = name.value
    await sandboxControl('PUT', pathOf(saved))
    name.value = ''
    reload()
    return `Saved snapshot ${saved}.`
  })
  return (
    <Section title="Snapshots">
      <form class="inline-form" onSubmit={submit}>
        <NameInput label="Snapshot name" placeholder="before-checkout" name={name} required />
        <Button look="primary" icon="camera" submit>
          Save
        </Button>
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
              <Origin {...snapshot} />
            </div>
            <Button opens label={`Compare ${snapshot.name}`} onClick={setter(compared, snapshot.name)}>
              Compare…
            </Button>
            <Button label={`Restore ${snapshot.name}`} onClick={() => restore(snapshot)}>
              Restore…
            </Button>
            <Button
              look="quiet"
              icon="trash"
              label={`Delete ${snapshot.name}`}
              onClick={() => remove(snapshot).then(reload)}
            />
          </li>
        ))}
      </ul>
      {compared.value !== undefined && (
        <Compare names={known.map(each => each.name)} from={compared.value} onClose={setter(compared, undefined)} />
      )}
    </Section>
  )
}
