import { useSignal } from '@preact/signals'
import { JsonView } from '../../parts/json-view.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/actions.ts'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import type { RequestError } from '../../wire/request-error.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { can, partsOf, pathTo } from './kinds.ts'
import { type Editing, RecordActions } from './record-actions.tsx'
import { RecordEditor } from './record-editor.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordParts } from './record-parts.tsx'
import { Referrers } from './referrers.tsx'

/** The record as the API answers it. To ask is a call in the journal, so it needs a click. */
function AsResponse({ kind, row }: { kind: Kind; row: Row }) {
  const response = useSignal<Json | undefined>(undefined)
  const load = () =>
    act(async () => {
      response.value = await api<Json>('GET', pathTo(kind, row))
    })
  return (
    <Section
      title="As the API answers"
      actions={
        <button type="button" class="button" onClick={load}>
          GET {kind.path}/…
        </button>
      }
    >
      {response.value ? (
        <JsonView value={response.value} what="the answer" />
      ) : (
        <p class="muted">Makes a call of the API; it will be in the journal.</p>
      )}
    </Section>
  )
}

/** The record is gone, and what was typed for it is not. */
function Gone({ kind, id, error }: { kind: Kind; id: string; error: RequestError }) {
  return (
    <>
      <Failure error={error} />
      {draftOf(kind.table, id) && (
        <p class="actions">
          <span class="tag warn">✎ Unsaved changes</span>
          <button type="button" class="button" onClick={() => keepDraft(kind.table, id)}>
            Discard
          </button>
        </p>
      )}
    </>
  )
}

export function RecordDetail({ kind, id }: { kind: Kind; id: string }) {
  const editing = useSignal<Editing>(draftOf(kind.table, id) ? 'kept' : 'no')
  const { data, error } = useRemote(`${sandbox.value} ${kind.table} ${id}`, stateVersion.value, signal =>
    sandboxControl<Row>('GET', `/db/${kind.table}/${encodeURIComponent(id)}`, { signal }),
  )
  if (error) return <Gone kind={kind} id={id} error={error} />
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
        focus={editing.value !== 'kept'}
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
        <JsonView value={data} what="the record" />
      </Section>
      {can(kind, 'get') && <AsResponse kind={kind} row={data} />}
    </>
  )
}
