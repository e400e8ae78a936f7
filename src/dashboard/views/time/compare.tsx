import { useSignal } from '@preact/signals'
import { counted } from '../../../basics/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Select } from '../../parts/inputs.tsx'
import { Loaded } from '../../parts/messages.tsx'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { writer } from '../../state/signals.ts'
import { useGet } from '../../state/simulator.ts'
import type { Op, SnapshotInfo } from '../../types.ts'

type Comparison = Record<'total' | 'added' | 'changed' | 'removed', number> & {
  /** The first changes. */
  ops: Op[]
}

function summaryOf({ total, added, changed, removed, ops }: Comparison): string {
  const number = (count: number) => count.toLocaleString('en')
  if (total === 0) return 'No differences.'
  const limit = total > ops.length ? ` Showing the first ${ops.length} of ${number(total)}.` : ''
  return `${counted(total, 'record')}: ${number(added)} added, ${number(changed)} changed, ${number(removed)} removed.${limit}`
}

interface Props {
  snapshots: readonly SnapshotInfo[]
  from: string
  onClose(): void
}

/** Compares a snapshot with another one or with the current state. */
export function Compare({ snapshots, from, onClose }: Props) {
  const [first, second] = [useSignal(from), useSignal('')]
  const names = snapshots.map(({ name }) => name)
  const query = second.value === '' ? '' : `?with=${encodeURIComponent(second.value)}`
  const version = second.value === '' ? stateVersion.value : 0
  const compared = useGet<Comparison>(`/snapshots/${encodeURIComponent(first.value)}/diff${query}`, version)
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
