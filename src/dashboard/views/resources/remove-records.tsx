import { signal, useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { notify } from '../../state/actions.ts'
import { can, counts, listQuery, partsOf, pathTo } from '../../state/kinds.ts'
import { goTo, place } from '../../state/place.ts'
import { writer } from '../../state/signals.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { reportFailures, runBatch } from './batch.tsx'
import type { WriteMode } from './record-body.ts'
import { select } from './selection.ts'
import { storeDraft } from './use-draft.ts'
import { WriteModeChoice } from './write-mode-choice.tsx'

interface Removal {
  kind: Kind
  rows: readonly Row[]
  choose(how: WriteMode | undefined): void
}

const pending = signal<Removal | undefined>(undefined)

const confirmRemoval = (kind: Kind, rows: readonly Row[]) =>
  new Promise<WriteMode | undefined>(resolve => {
    pending.value = {
      kind,
      rows,
      choose(how) {
        pending.value = undefined
        resolve(how)
      },
    }
  })

/** Confirms a deletion and chooses the write mode. */
export const RemoveConfirmation = () => pending.value && <RemoveDialog {...pending.value} />

function RemoveDialog({ kind, rows, choose }: Removal) {
  const offered = can(kind, 'delete')
  const how = useSignal<WriteMode>(offered ? 'api' : 'state')
  const one = rows.length === 1 ? rows[0] : undefined
  const children = partsOf(kind.table)
    .map(({ part_of: { list } }) => ({ list, count: rows.flatMap(row => row[list] ?? []).length }))
    .filter(({ count }) => count > 0)
  return (
    <Dialog
      title={`Delete ${one ? one.id : counts(kind, rows.length)}?`}
      onClose={() => choose(undefined)}
      close="Cancel"
      actions={
        <Button look="danger" onClick={() => choose(how.value)}>
          {one ? 'Delete' : `Delete ${rows.length}`}
        </Button>
      }
    >
      <WriteModeChoice
        how={how.value}
        onChange={writer(how)}
        offered={offered}
        kind={kind}
        method="DELETE"
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

async function remove(kind: Kind, row: Row, how: WriteMode) {
  await (how === 'api'
    ? api('DELETE', pathTo(kind, row))
    : sandboxControl('DELETE', `/db/${kind.table}/${encodeURIComponent(row.id)}`))
  storeDraft(kind.table, row.id)
  select(kind.table, [row.id], false)
  const [view, table, shown] = [place.value.view, ...place.value.parts]
  if (view === 'resources' && table === kind.table && shown === row.id) goTo(['resources', table], listQuery())
}

/** Deletes a record after confirmation. */
export async function removeRecord(kind: Kind, row: Row) {
  const how = await confirmRemoval(kind, [row])
  if (!how) return
  await remove(kind, row, how)
  notify('done', `Deleted ${row.id}.`)
}

/** Limits the URL length. */
const MAX_IDS_IN_QUERY = 100

/** The records with these ids that still exist. */
async function rowsOf({ table }: Kind, ids: ReadonlySet<string>): Promise<Row[]> {
  const where = JSON.stringify({ id: { in: [...ids] } })
  const query = ids.size <= MAX_IDS_IN_QUERY ? `?_where=${encodeURIComponent(where)}` : ''
  const rows = await sandboxControl<Row[]>('GET', `/db/${table}${query}`)
  return rows.filter(({ id }) => ids.has(id))
}

/** Deletes the selected records after confirmation. Reports failures, which remain selected. */
export async function removeSelected(kind: Kind, ids: ReadonlySet<string>) {
  const rows = await rowsOf(kind, ids)
  const found = new Set(rows.map(({ id }) => id))
  const missing = [...ids].filter(id => !found.has(id))
  select(kind.table, missing, false)
  if (missing.length > 0) notify('done', `Deselected ${counts(kind, missing.length)} that no longer exist.`)
  const how = rows.length > 0 ? await confirmRemoval(kind, rows) : undefined
  if (!how) return
  const all = counts(kind, rows.length)
  const outcome = await runBatch(`Deleting ${all}`, rows, row => remove(kind, row, how))
  const title = `${outcome.done.length} of ${all} deleted`
  if (!reportFailures(title, outcome, ({ id }) => id, 'The remaining records are still selected.'))
    notify('done', `Deleted ${all}.`)
}
