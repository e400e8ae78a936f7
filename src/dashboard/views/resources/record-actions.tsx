import { useSignal } from '@preact/signals'
import { Icon } from '../../parts/icon.tsx'
import { Failure } from '../../parts/messages.tsx'
import { notify } from '../../state/actions.ts'
import { hrefTo } from '../../state/place.ts'
import { api } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { can, fillPath, listQuery, pictureOf } from './kinds.ts'
import { removeRecord } from './remove-records.tsx'

/** `kept`: what was typed before is shown again. */
export type Editing = 'no' | 'kept' | 'form' | 'raw'

type Action = Kind['actions'][number]

/** Calls the API as the action says. Returns the error if it was refused. */
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

/** What can be done with a record, and why the last of it was refused. */
export function RecordActions({ kind, row, onEdit }: Props) {
  const refusal = useSignal<RequestError | undefined>(undefined)
  const busy = useSignal(false)
  const run = async (act: () => Promise<RequestError | undefined>) => {
    refusal.value = undefined
    busy.value = true
    refusal.value = await act()
    busy.value = false
  }
  const picture = pictureOf(kind, row)
  return (
    <>
      <div class="actions">
        {kind.actions.map(action => (
          <button
            key={action.name}
            type="button"
            class="button"
            disabled={busy.value}
            title={`${action.method} ${fillPath(action.path, row)}, in the journal like any call`}
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
          Make more of these…
        </a>
        <button type="button" class="button" disabled={busy.value} onClick={() => run(() => removeRecord(kind, row))}>
          <Icon name="trash" /> Delete…
        </button>
        {picture && (
          <a class="button" href={hrefTo(picture)}>
            <Icon name="edges" /> Show in Edges
          </a>
        )}
      </div>
      {refusal.value && <Failure error={refusal.value} />}
    </>
  )
}
