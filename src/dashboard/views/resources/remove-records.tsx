import { signal, useSignal } from '@preact/signals'
import { Dialog } from '../../parts/dialog.tsx'
import { notify } from '../../state/actions.ts'
import { goTo, place } from '../../state/place.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { runBatch, tell } from './batch.tsx'
import { type How, keepDraft } from './drafts.ts'
import { HowChoice } from './how-choice.tsx'
import { can, listQuery, partsOf, pathTo } from './kinds.ts'
import { counts } from './labels.ts'
import { select } from './selection.ts'

interface Question {
  kind: Kind
  rows: readonly Row[]
  choose(how: How | undefined): void
}

const question = signal<Question | undefined>(undefined)

const askHow = (kind: Kind, rows: readonly Row[]) =>
  new Promise<How | undefined>(resolve => {
    question.value = {
      kind,
      rows,
      choose(how) {
        question.value = undefined
        resolve(how)
      },
    }
  })

/** Asks before records are deleted: how, and what goes with them. */
export function RemoveQuestion() {
  const asked = question.value
  return asked ? <RemoveDialog {...asked} /> : null
}

function RemoveDialog({ kind, rows, choose }: Question) {
  const offered = can(kind, 'delete')
  const how = useSignal<How>(offered ? 'api' : 'state')
  const one = rows.length === 1 ? rows[0] : undefined
  const along = partsOf(kind.table)
    .map(({ part_of: { list } }) => ({ list, count: rows.flatMap(row => row[list] ?? []).length }))
    .filter(({ count }) => count > 0)
  return (
    <Dialog title={`Delete ${one ? one.id : counts(kind, rows.length)}?`} onClose={() => choose(undefined)}>
      <HowChoice
        how={how.value}
        onChange={next => {
          how.value = next
        }}
        offered={offered}
        kind={kind}
        method="DELETE"
        path={one ? pathTo(kind, one) : `${kind.path}/… for each`}
      />
      {how.value === 'state' && (
        <p>
          {one ? 'The record is' : 'The records are'} removed from the state, unless others refer to{' '}
          {one ? 'it' : 'them'}.
        </p>
      )}
      {along.map(({ list, count }) => (
        <p key={list}>
          {one ? 'Its' : 'Their'} {list} ({count}) are deleted too.
        </p>
      ))}
      <p>A rewind or a snapshot can bring {one ? 'it' : 'them'} back.</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => choose(undefined)}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={() => choose(how.value)}>
          {one ? 'Delete' : `Delete ${rows.length}`}
        </button>
      </div>
    </Dialog>
  )
}

async function remove(kind: Kind, row: Row, how: How) {
  await (how === 'api'
    ? api('DELETE', pathTo(kind, row))
    : sandboxControl('DELETE', `/db/${kind.table}/${encodeURIComponent(row.id)}`))
  keepDraft(kind.table, row.id)
  const [view, table, shown] = [place.value.view, ...place.value.parts]
  if (view === 'resources' && table === kind.table && shown === row.id) goTo(['resources', table], listQuery())
}

/** Asks first. Returns the error if it was refused. */
export async function removeRecord(kind: Kind, row: Row): Promise<RequestError | undefined> {
  const how = await askHow(kind, [row])
  if (!how) return undefined
  try {
    await remove(kind, row, how)
    select(kind.table, [row.id], false)
  } catch (error) {
    return toRequestError(error)
  }
  notify('done', `${row.id} was deleted.`)
  return undefined
}

/** More would make an address that is too long. */
const MAX_ASKED = 100

/** The records that there are still of those ids. */
async function rowsOf({ table }: Kind, ids: ReadonlySet<string>): Promise<Row[]> {
  const where = JSON.stringify({ id: { in: [...ids] } })
  const asked = ids.size <= MAX_ASKED ? `?_where=${encodeURIComponent(where)}` : ''
  const rows = await sandboxControl<Row[]>('GET', `/db/${table}${asked}`)
  return rows.filter(({ id }) => ids.has(id))
}

/** Asks, deletes the selected records, and tells what was not deleted and why. That stays selected. */
export async function removeSelected(kind: Kind, ids: ReadonlySet<string>) {
  const rows = await rowsOf(kind, ids)
  const found = new Set(rows.map(({ id }) => id))
  const gone = [...ids].filter(id => !found.has(id))
  select(kind.table, gone, false)
  if (gone.length > 0) notify('done', `No longer there, so no longer selected: ${counts(kind, gone.length)}.`)
  const how = rows.length > 0 ? await askHow(kind, rows) : undefined
  if (!how) return
  const all = counts(kind, rows.length)
  const { done, refused, left } = await runBatch(`Deleting ${all}`, rows, row => remove(kind, row, how))
  select(
    kind.table,
    done.map(({ id }) => id),
    false,
  )
  if (refused.length + left.length === 0) return notify('done', `Deleted: ${all}.`)
  tell(
    `${done.length} of ${all} deleted`,
    [
      ...(refused.length > 0 ? [`Refused: ${refused.length}.`] : []),
      ...(left.length > 0 ? [`Not begun, because it was stopped: ${left.length}.`] : []),
      'Those that are left stay selected.',
    ],
    refused.map(({ item, error }) => ({ what: item.id, error })),
  )
}
