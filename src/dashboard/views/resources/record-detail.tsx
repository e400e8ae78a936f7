import { useSignal } from '@preact/signals'
import { Failure, Loading } from '../../parts/empty.tsx'
import { Icon } from '../../parts/icon.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/act.ts'
import { ask } from '../../state/ask.ts'
import { stateVersion } from '../../state/live.ts'
import { goTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { api, here } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { RawEditor } from './raw-editor.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordForm } from './record-form.tsx'
import { Referrers } from './referrers.tsx'

async function remove(kind: Kind, id: string) {
  const how = kind.path
    ? `DELETE ${kind.path}/${id} is called, like any client would; it appears in the journal.`
    : 'The record is taken out of the state; one that others refer to is not.'
  const sentences = [how, 'A rewind or a snapshot can bring it back.']
  if (!(await ask({ title: `Delete ${id}?`, sentences, action: 'Delete', danger: true }))) return
  const done = await act(
    () => (kind.path ? api('DELETE', `${kind.path}/${id}`) : here('DELETE', `/db/${kind.table}/${id}`)),
    `${id} was deleted.`,
  )
  if (done) goTo(['resources', kind.table], place.value.query)
}

/** The record as the API shows it: asking is a call of its own, so only on request. */
function AsAnswered({ kind, id }: { kind: Kind; id: string }) {
  const answer = useSignal<Json | undefined>(undefined)
  const load = () =>
    act(async () => {
      answer.value = await api<Json>('GET', `${kind.path}/${id}`)
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
      {answer.value ? (
        <JsonView value={answer.value} what="the answer" />
      ) : (
        <p class="muted">Makes a call of the API; it will be in the journal.</p>
      )}
    </Section>
  )
}

export function RecordDetail({ kind, id }: { kind: Kind; id: string }) {
  const editing = useSignal<'no' | 'form' | 'raw'>('no')
  const { data, error } = useRemote(`${sandbox.value} ${kind.table} ${id}`, stateVersion.value, signal =>
    here<Row>('GET', `/db/${kind.table}/${encodeURIComponent(id)}`, { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const done = () => {
    editing.value = 'no'
  }
  if (editing.value === 'form') return <RecordForm kind={kind} row={data} onDone={done} />
  if (editing.value === 'raw') return <RawEditor kind={kind} row={data} onDone={done} />
  return (
    <>
      <div class="actions">
        {kind.path && (
          <button
            type="button"
            class="button"
            onClick={() => {
              editing.value = 'form'
            }}
          >
            Edit
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => {
            editing.value = 'raw'
          }}
        >
          Edit raw
        </button>
        <button type="button" class="button" onClick={() => remove(kind, id)}>
          <Icon name="trash" /> Delete…
        </button>
      </div>
      <Section title="Fields">
        <RecordFields kind={kind} row={data} />
      </Section>
      <Referrers kind={kind} id={id} />
      <Section title="Record">
        <JsonView value={data} what="the record" />
      </Section>
      {kind.path && <AsAnswered kind={kind} id={id} />}
    </>
  )
}
