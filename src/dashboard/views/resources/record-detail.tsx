import { useSignal } from '@preact/signals'
import { capital } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/inputs.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Failure, Loaded } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act, notify } from '../../state/actions.ts'
import { can, edgeViewOf, fillPath, listQuery, type PartKind, partsOf, pathTo, summaryOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { storedAt } from '../../state/records.ts'
import { setter, writer } from '../../state/signals.ts'
import { api, useGet } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { RecordEditor } from './record-editor.tsx'
import { RecordFields } from './record-fields.tsx'
import { Referrers } from './referrers.tsx'
import { confirmRemoval, removeRecord } from './remove-records.tsx'
import { draftOf, storeDraft } from './use-draft.ts'

interface Props {
  kind: Kind
  row: Row
}

type Editing = 'no' | 'form' | 'raw'

/** The actions of a record, and the last error. */
function RecordActions({ kind, row, onEdit }: Props & { onEdit(how: Editing): void }) {
  const error = useSignal<RequestError | undefined>(undefined)
  const busy = useSignal(false)
  const run = async (act: () => Promise<unknown>, done: string) => {
    error.value = undefined
    busy.value = true
    try {
      await act()
      notify('done', done)
    } catch (thrown) {
      error.value = toRequestError(thrown)
    }
    busy.value = false
  }
  const remove = async () => {
    const how = await confirmRemoval(kind, [row])
    if (how) await run(() => removeRecord(kind, row, how), `Deleted ${row.id}.`)
  }
  const edgeView = edgeViewOf(kind, row)
  return (
    <>
      <div class="actions">
        {kind.actions.map(({ name, label, method, path }) => (
          <Button
            key={name}
            disabled={busy.value}
            title={`${method} ${fillPath(path, row)}. Appears in the request log`}
            onClick={() => {
              const body = method === 'POST' ? {} : undefined
              return run(() => api(method, fillPath(path, row), body), `${label} ${row.id}: done.`)
            }}
          >
            {label}
          </Button>
        ))}
        {can(kind, 'update') && <Button onClick={() => onEdit('form')}>Edit</Button>}
        <Button onClick={() => onEdit('raw')}>Edit raw</Button>
        <Button href={hrefTo(['resources', kind.table, 'new'], { ...listQuery(), like: row.id })}>Duplicate…</Button>
        <Button icon="trash" disabled={busy.value} onClick={remove}>
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

/** The record as fields, as JSON, or as returned by the API. The journal records that call, so it needs a click. */
function Record({ kind, row }: Props) {
  const view = useSignal('Fields')
  const response = useSignal<Json | undefined>(undefined)
  const load = async () => {
    response.value = await api<Json>('GET', pathTo(kind, row))
  }
  const actions = (
    <Segments label="Record view" value={view.value} choices={['Fields', 'JSON']} onChange={writer(view)} />
  )
  return (
    <Section title="Record" actions={actions}>
      {view.value === 'Fields' && <RecordFields kind={kind} row={row} />}
      {view.value === 'JSON' && <JsonView value={row} what="stored record" />}
      {view.value === 'JSON' && can(kind, 'get') && (
        <>
          <p class="actions">
            <Button onClick={() => act(load)}>GET {kind.path}/…</Button>
            <span class="muted small-text">Calls the API. The call appears in the request log.</span>
          </p>
          {response.value && <JsonView value={response.value} what="response JSON" />}
        </>
      )}
    </Section>
  )
}

const MAX_PARTS = 100

/** Child records, deleted with their parent: rules of a policy, routes of an edge. */
function Parts({ part, row }: { part: PartKind; row: Row }) {
  const { list } = part.part_of
  const rows = row[list] as Row[]
  const add = (
    <Button icon="plus" href={hrefTo(['resources', part.table, 'new', row.id])}>
      Add {list.replace(/s$/, '')}
    </Button>
  )
  return (
    <Section title={capital(list)} actions={add}>
      {rows.length === 0 && <p class="muted">No {list} yet.</p>}
      <ul class="values">
        {rows.slice(0, MAX_PARTS).map(each => (
          <li key={each.id} class="part">
            <a href={hrefTo(['resources', part.table, each.id])}>{each.id}</a>
            <span class="mono wrap">{summaryOf(part, each)}</span>
            <span class="muted wrap">{String(each.description ?? '')}</span>
          </li>
        ))}
        {rows.length > MAX_PARTS && <li class="muted">and {rows.length - MAX_PARTS} more</li>}
      </ul>
    </Section>
  )
}

export function RecordDetail({ kind, id }: { kind: Kind; id: string }) {
  const draft = draftOf(kind.table, id)
  const editing = useSignal<Editing>(draft ? 'form' : 'no')
  const stored = useGet<Row>(storedAt(kind, id))
  const show = (row: Row) => (
    <>
      <RecordActions kind={kind} row={row} onEdit={writer(editing)} />
      <Record kind={kind} row={row} />
      {partsOf(kind.table).map(part => (
        <Parts key={part.table} part={part} row={row} />
      ))}
      <Referrers kind={kind} id={id} />
    </>
  )
  const edit = (row: Row) => (
    <RecordEditor kind={kind} row={row} draftId={id} raw={editing.value === 'raw'} onDone={setter(editing, 'no')} />
  )
  return (
    <>
      <Loaded from={stored}>{editing.value === 'no' ? show : edit}</Loaded>
      {stored.error && draft && (
        <p class="actions">
          <span class="tag warn">✎ Unsaved changes</span>
          <Button onClick={() => storeDraft(kind.table, id)}>Discard</Button>
        </p>
      )}
    </>
  )
}
