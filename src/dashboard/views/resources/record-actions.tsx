import { useSignal } from '@preact/signals'
import { Icon } from '../../parts/icon.tsx'
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

type Action = Kind['actions'][number]

/** Calls the operation of the action. Returns an error if it fails. */
async function perform({ label, method, path }: Action, row: Row): Promise<RequestError | undefined> {
  try {
    await api(method, fillPath(path, row), ['GET', 'DELETE'].includes(method) ? undefined : {})
  } catch (error) {
    return toRequestError(error)
  }
  notify('done', `${label} ${row.id}: done.`)
  return undefined
}

interface Props {
  kind: Kind
  row: Row
  onEdit(how: Editing): void
}

/** The actions of a record, and the last error. */
export function RecordActions({ kind, row, onEdit }: Props) {
  const error = useSignal<RequestError | undefined>(undefined)
  const busy = useSignal(false)
  const run = async (act: () => Promise<RequestError | undefined>) => {
    error.value = undefined
    busy.value = true
    error.value = await act()
    busy.value = false
  }
  const edgeView = edgeViewOf(kind, row)
  return (
    <>
      <div class="actions">
        {kind.actions.map(action => (
          <button
            key={action.name}
            type="button"
            class="button"
            disabled={busy.value}
            title={`${action.method} ${fillPath(action.path, row)}. Appears in the request log`}
            onClick={() => run(() => perform(action, row))}
          >
            {action.label}
          </button>
        ))}
        {can(kind, 'update') && (
          <button type="button" class="button" onClick={() => onEdit('form')}>
            Edit
          </button>
        )}
        <button type="button" class="button" onClick={() => onEdit('raw')}>
          Edit raw
        </button>
        <a class="button" href={hrefTo(['resources', kind.table, 'new'], { ...listQuery(), like: row.id })}>
          Duplicate…
        </a>
        <button type="button" class="button" disabled={busy.value} onClick={() => run(() => removeRecord(kind, row))}>
          <Icon name="trash" /> Delete…
        </button>
        {edgeView && (
          <a class="button" href={hrefTo(edgeView)}>
            <Icon name="edges" /> Show in Edges
          </a>
        )}
      </div>
      {error.value && <Failure error={error.value} />}
    </>
  )
}
