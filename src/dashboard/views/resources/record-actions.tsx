import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/messages.tsx'
import { notify } from '../../state/actions.ts'
import { can, edgeViewOf, fillPath, listQuery } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { api } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { removeRecord } from './remove-records.tsx'

/** `draft`: shows earlier unsaved changes. */
export type Editing = 'no' | 'draft' | 'form' | 'raw'

interface Props {
  kind: Kind
  row: Row
  onEdit(how: Editing): void
}

/** The actions of a record, and the last error. */
export function RecordActions({ kind, row, onEdit }: Props) {
  const error = useSignal<RequestError | undefined>(undefined)
  const busy = useSignal(false)
  const run = async (act: () => Promise<unknown>) => {
    error.value = undefined
    busy.value = true
    await act().catch(thrown => {
      error.value = toRequestError(thrown)
    })
    busy.value = false
  }
  const perform = ({ label, method, path }: Kind['actions'][number]) =>
    run(async () => {
      await api(method, fillPath(path, row), ['GET', 'DELETE'].includes(method) ? undefined : {})
      notify('done', `${label} ${row.id}: done.`)
    })
  const edgeView = edgeViewOf(kind, row)
  return (
    <>
      <div class="actions">
        {kind.actions.map(action => (
          <Button
            key={action.name}
            disabled={busy.value}
            title={`${action.method} ${fillPath(action.path, row)}. Appears in the request log`}
            onClick={() => perform(action)}
          >
            {action.label}
          </Button>
        ))}
        {can(kind, 'update') && <Button onClick={() => onEdit('form')}>Edit</Button>}
        <Button onClick={() => onEdit('raw')}>Edit raw</Button>
        <Button href={hrefTo(['resources', kind.table, 'new'], { ...listQuery(), like: row.id })}>Duplicate…</Button>
        <Button icon="trash" disabled={busy.value} onClick={() => run(() => removeRecord(kind, row))}>
          Delete…
        </Button>
        {edgeView && (
          <Button icon="edges" href={hrefTo(edgeView)}>
            Show in Edges
          </Button>
        )}
      </div>
      {error.value && <Failure error={error.value} />}
    </>
  )
}
