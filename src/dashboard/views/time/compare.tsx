import { type Signal, useSignal } from '@preact/signals'
import { counted } from '../../../basics/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Op, SnapshotInfo } from '../../types.ts'
import { Diff } from '../requests/diff.tsx'

interface Comparison {
  total: number
  added: number
  changed: number
  removed: number
  /** The first changes. */
  ops: Op[]
}

interface ChoiceProps {
  label: string
  chosen: Signal<string>
  snapshots: readonly SnapshotInfo[]
  /** Also offers the current state, as an empty value. */
  now?: boolean
}

const Choice = ({ label, chosen, snapshots, now }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select
      value={chosen.value}
      onChange={event => {
        chosen.value = event.currentTarget.value
      }}
    >
      {now && <option value="">Current state</option>}
      {snapshots.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

const number = (count: number) => count.toLocaleString('en')

function Result({ from, to }: { from: string; to: string }) {
  const version = to === '' ? stateVersion.value : 0
  const { data, error } = useRemote(`${sandbox.value} ${from} ${to}`, version, signal => {
    const query = to === '' ? '' : `?with=${encodeURIComponent(to)}`
    return sandboxControl<Comparison>('GET', `/snapshots/${encodeURIComponent(from)}/diff${query}`, { signal })
  })
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const { total, added, changed, removed, ops } = data
  return (
    <>
      <p role="status">
        {total === 0
          ? 'No differences.'
          : `${counted(total, 'record')}: ${number(added)} added, ${number(changed)} changed, ${number(removed)} removed.`}
        {total > ops.length && ` Showing the first ${ops.length} of ${number(total)}.`}
      </p>
      <Diff ops={ops} sandbox={sandbox.value} />
    </>
  )
}

/** Compares a snapshot with another one or with the current state. */
export function Compare({
  snapshots,
  from,
  onClose,
}: {
  snapshots: readonly SnapshotInfo[]
  from: string
  onClose(): void
}) {
  const [first, second] = [useSignal(from), useSignal('')]
  return (
    <Dialog title="Compare states" onClose={onClose} wide>
      <div class="compare">
        <Choice label="From" chosen={first} snapshots={snapshots} />
        <Choice label="To" chosen={second} snapshots={snapshots} now />
      </div>
      <Result from={first.value} to={second.value} />
    </Dialog>
  )
}
