import { useSignal } from '@preact/signals'
import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { act, notify } from '../../state/actions.ts'
import { can, listQuery, partsOf, pathTo } from '../../state/kinds.ts'
import { goTo, place } from '../../state/place.ts'
import { storedAt } from '../../state/records.ts'
import { writer } from '../../state/signals.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { runBatch, showDialog } from './batch.tsx'
import type { WriteMode } from './record-body.ts'
import { select, selectionOf } from './selection.tsx'
import { storeDraft } from './use-draft.ts'
import { WriteModeChoice } from './write-mode-choice.tsx'

interface Props {
  kind: Kind
  rows: readonly Row[]
  /** Without a mode, nothing is deleted. */
  close(how?: WriteMode): void
}

function RemoveDialog({ kind, rows, close }: Props) {
  const how = useSignal<WriteMode>(can(kind, 'delete') ? 'api' : 'state')
  const one = rows.length === 1 ? rows[0] : undefined
  const children = partsOf(kind.table)
    .map(({ part_of: { list } }) => ({ list, count: rows.flatMap(row => row[list] ?? []).length }))
    .filter(({ count }) => count > 0)
  return (
    <Dialog
      title={`Delete ${one ? one.id : counted(rows.length, kind.label)}?`}
      onClose={() => close()}
      close="Cancel"
      actions={
        <Button look="danger" onClick={() => close(how.value)}>
          {one ? 'Delete' : `Delete ${rows.length}`}
        </Button>
      }
    >
      <WriteModeChoice
        how={how.value}
        onChange={writer(how)}
        kind={kind}
        operation="delete"
        path={one ? pathTo(kind, one) : `${kind.path}/… for each`}
      />
      {how.value === 'state' && (
        <p>
          {one ? 'The record is' : 'The records are'} removed from the state, unless other records refer to{' '}
          {one ? 'it' : 'them'}.
        </p>
      )}
      {children.map(({ list, count }) => (
        <p key={list}>
          {one ? 'Its' : 'Their'} {list} ({count}) are also deleted.
        </p>
      ))}
      <p>You can restore {one ? 'it' : 'them'} with a rewind or a snapshot.</p>
    </Dialog>
  )
}

/** Confirms a deletion and chooses the write mode. */
export const confirmRemoval = (kind: Kind, rows: readonly Row[]) =>
  showDialog<WriteMode>(close => <RemoveDialog kind={kind} rows={rows} close={close} />)

export async function removeRecord(kind: Kind, row: Row, how: WriteMode) {
  await (how === 'api' ? api('DELETE', pathTo(kind, row)) : sandboxControl('DELETE', storedAt(kind, row.id)))
  storeDraft(kind.table, row.id)
  select(kind.table, [row.id], false)
  const [view, table, shown] = [place.value.view, ...place.value.parts]
  if (view === 'resources' && table === kind.table && shown === row.id) goTo(['resources', table], listQuery())
}

/** The selected records. Deselects those that no longer exist. */
async function loadSelected(kind: Kind): Promise<Row[]> {
  const ids = selectionOf(kind.table)
  const all = await sandboxControl<Row[]>('GET', `/db/${kind.table}`)
  const missing = new Set(ids)
  for (const { id } of all) missing.delete(id)
  select(kind.table, missing, false)
  if (missing.size > 0) notify('done', `Deselected ${counted(missing.size, kind.label)} that no longer exist.`)
  return all.filter(({ id }) => ids.has(id))
}

async function removeSelected(kind: Kind) {
  const rows = await loadSelected(kind)
  const how = rows.length > 0 && (await confirmRemoval(kind, rows))
  if (!how) return
  await runBatch({
    tasks: rows.map(row => ({ name: row.id, run: () => removeRecord(kind, row, how) })),
    what: counted(rows.length, kind.label),
    doing: 'Deleting',
    done: 'deleted',
    hint: 'The remaining records are still selected.',
  })
}

/** The number of selected records, and actions for them. */
export function SelectionBar({ kind, rows }: { kind: Kind; rows: Row[] }) {
  const chosen = selectionOf(kind.table)
  const elsewhere = chosen.size - rows.filter(({ id }) => chosen.has(id)).length
  return (
    <div class={chosen.size > 0 ? 'list-foot selection-bar' : ''}>
      <p role="status" class="number">
        {chosen.size > 0 && `${chosen.size} selected`}
        {elsewhere > 0 && <span class="muted">, {elsewhere} not on this page</span>}
      </p>
      {chosen.size > 0 && (
        <div class="actions">
          <Button look="quiet" onClick={() => select(kind.table, chosen, false)}>
            Clear selection
          </Button>
          <Button icon="trash" onClick={() => act(() => removeSelected(kind))}>
            Delete {chosen.size}…
          </Button>
        </div>
      )}
    </div>
  )
}
