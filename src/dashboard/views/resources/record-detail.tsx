import { useSignal } from '@preact/signals'
import { JsonView } from '../../parts/json-view.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/actions.ts'
import { can, partsOf, pathTo } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import type { RequestError } from '../../wire/request-error.ts'
import { draftOf, storeDraft } from './drafts.ts'
import { type Editing, RecordActions } from './record-actions.tsx'
import { RecordEditor } from './record-editor.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordParts } from './record-parts.tsx'
import { Referrers } from './referrers.tsx'

/** The record as returned by the API. The journal records this call, so it needs a click. */
function ApiResponse({ kind, row }: { kind: Kind; row: Row }) {
  const response = useSignal<Json | undefined>(undefined)
  const load = () =>
    act(async () => {
      response.value = await api<Json>('GET', pathTo(kind, row))
    })
  return (
    <Section
      title="API response"
      actions={
        <button type="button" class="button" onClick={load}>
          GET {kind.path}/…
        </button>
      }
    >
      {response.value ? (
        <JsonView value={response.value} what="response JSON" />
      ) : (
        <p class="muted">Calls the API. The call appears in the request log.</p>
      )}
    </Section>
  )
}

/** Shown if the record no longer exists. It may have unsaved changes. */
function MissingRecord({ kind, id, error }: { kind: Kind; id: string; error: RequestError }) {
  return (
    <>
      <Failure error={error} />
      {draftOf(kind.table, id) && (
        <p class="actions">
          <span class="tag warn">✎ Unsaved changes</span>
          <button type="button" class="button" onClick={() => storeDraft(kind.table, id)}>
            Discard
          </button>
        </p>
      )}
    </>
  )
}

export function RecordDetail({ kind, id }: { kind: Kind; id: string }) {
  const editing = useSignal<Editing>(draftOf(kind.table, id) ? 'draft' : 'no')
  const { data, error } = useRemote(`${sandbox.value} ${kind.table} ${id}`, stateVersion.value, signal =>
    sandboxControl<Row>('GET', `/db/${kind.table}/${encodeURIComponent(id)}`, { signal }),
  )
  if (error) return <MissingRecord kind={kind} id={id} error={error} />
  if (!data) return <Loading />
  const edit = (how: Editing) => {
    editing.value = how
  }
  if (editing.value !== 'no')
    return (
      <RecordEditor
        kind={kind}
        row={data}
        draftId={id}
        raw={editing.value === 'raw'}
        focus={editing.value !== 'draft'}
        onDone={() => edit('no')}
      />
    )
  return (
    <>
      <RecordActions kind={kind} row={data} onEdit={edit} />
      <Section title="Fields">
        <RecordFields kind={kind} row={data} />
      </Section>
      {partsOf(kind.table).map(part => (
        <RecordParts key={part.table} part={part} row={data} />
      ))}
      <Referrers kind={kind} id={id} />
      <Section title="Record">
        <JsonView value={data} what="stored record" />
      </Section>
      {can(kind, 'get') && <ApiResponse kind={kind} row={data} />}
    </>
  )
}
