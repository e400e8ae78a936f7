import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CodeEditor } from '../../parts/code-editor/code-editor.tsx'
import { FieldInput } from '../../parts/field-input.tsx'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { plainField, rejectedField, sameValue, schemaOf } from '../../parts/form-values.ts'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { edgeViewOf, fillPath, modulesOf, pathTo, plural } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { storedAt } from '../../state/records.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { runBatch } from './batch.tsx'
import { bodyOf, type Draft, formFields, inPath, numbered, parseObject, textOf } from './record-body.ts'
import { type EditorStart, useDraft } from './use-draft.ts'
import { WriteModeChoice } from './write-mode-choice.tsx'

/** The created records, in order. */
export interface Created {
  records: Json[]
  /** No record failed. */
  complete: boolean
}

/** Creates a record, or updates the base of the draft. In the state, JSON replaces the whole record. */
function writeRecord(kind: Kind, { how, base, asJson }: Draft, body: Json): Promise<Json> {
  if (how === 'state') {
    if (!base) return sandboxControl('POST', `/db/${kind.table}`, { body })
    return sandboxControl(asJson ? 'PUT' : 'PATCH', storedAt(kind, base.id), { body })
  }
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !inPath(kind, name)))
  return base ? api('PATCH', pathTo(kind, base), rest) : api('POST', fillPath(kind.path!, body), rest)
}

/** Creates records. Several have 1, 2, 3 … for `{n}`. Throws if the first one fails. */
async function createRecords(kind: Kind, draft: Draft, body: Json): Promise<Created> {
  const { count } = draft
  const records: Json[] = []
  const create = async (n: number) =>
    records.push(await writeRecord(kind, draft, count === 1 ? body : numbered(body, n)))
  await create(1)
  if (count === 1) return { records, complete: true }
  const complete = await runBatch({
    tasks: Array.from({ length: count }, (_, i) => ({
      name: `Number ${i + 1}`,
      run: async () => i === 0 || create(i + 1),
    })),
    what: `${count} ${plural(kind)}`,
    doing: 'Creating',
    done: 'created',
  })
  return { records, complete }
}

const COUNT = plainField('Number of records', {
  schema: { type: 'integer', minimum: 1, maximum: 1000 },
  required: true,
})

/** Edits or creates records in a form or as JSON, through the API or in the state. */
export function RecordEditor({ onDone, ...start }: EditorStart & { onDone(created: Created): void }) {
  const { kind } = start
  const { draft, changed, set, switchView, discard } = useDraft(start)
  const { how, values, asJson, base: row, count } = draft
  const text = draft.text ?? textOf(kind, draft)
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef<Json>({})
  const switchError = useSignal<RequestError | undefined>(undefined)
  const id = useId()
  const fields = formFields(kind, how, row !== undefined)
  const replaces = row !== undefined && how === 'state' && asJson

  const { submit, busy, error } = useSubmit(async () => {
    sent.current = values
    switchError.value = undefined
    const body = asJson ? parseObject(text) : bodyOf(kind, draft)
    if (row) {
      await writeRecord(kind, draft, body)
      leave()
      return `${replaces ? 'Replaced' : 'Updated'} ${row.id}.`
    }
    const created = await createRecords(kind, draft, body)
    if (created.complete) discard()
    onDone(created)
    return count === 1 ? `${how === 'api' ? 'Created' : 'Added'} ${created.records[0]!.id}.` : undefined
  })

  // A rejected field shows its error until its value changes.
  const rejected = asJson ? {} : rejectedField(fields, values, error)
  const topField = Object.keys(rejected)[0]?.replace(/[.[].*/, '')
  const isCurrent = topField !== undefined && values[topField] === sent.current[topField]
  const shownError = switchError.value ?? (topField ? undefined : error)

  const focusFirst = (state: string) =>
    form.current!.querySelector<HTMLElement>(`.editor-fields :is(input, select, textarea)${state}`)?.focus()
  useLayoutEffect(() => {
    // An earlier draft of a record opens with the record, which must not take the focus from the list.
    if (!row || !changed) focusFirst(':enabled')
  }, [])
  useLayoutEffect(() => {
    if (error) focusFirst('[aria-invalid="true"]')
  }, [error])

  function switchShown() {
    try {
      switchView()
      switchError.value = undefined
    } catch (thrown) {
      switchError.value = toRequestError(thrown)
    }
  }
  function leave() {
    discard()
    onDone({ records: [], complete: true })
  }

  const edgeView = row && edgeViewOf(kind, row)
  const verb = row ? (replaces ? 'Replace' : 'Save') : how === 'api' ? 'Create' : 'Add'
  return (
    <form ref={form} class="form" onSubmit={submit}>
      <div class="editor-head">
        <p role="status">{changed && <span class="tag warn">✎ Unsaved changes</span>}</p>
        <Button look="quiet small-button" onClick={switchShown}>
          {asJson ? 'Edit as form' : 'Edit as JSON'}
        </Button>
      </div>
      {row && start.row && !sameValue(row, start.row) && (
        <p class="note warn small-text">
          This record changed while you were editing it.{' '}
          {replaces ? 'Replace overwrites the other changes.' : 'Only your changes are sent.'}
        </p>
      )}
      <div class="form editor-fields">
        {asJson ? (
          <CodeEditor
            label="Record as JSON"
            language="json"
            schema={schemaOf(fields)}
            text={text}
            onText={next => set({ text: next === textOf(kind, draft) ? undefined : next })}
            invalid={shownError !== undefined}
            describedBy={id}
            minLines={8}
          />
        ) : (
          <FieldsInput
            fields={fields}
            values={values}
            existing={row}
            errors={isCurrent ? rejected : {}}
            onChange={next => set({ values: next })}
          />
        )}
      </div>
      {edgeView && how === 'api' && modulesOf(kind.table).some(({ of }) => row?.[of.key]) && (
        <p class="muted small-text">
          An update cannot remove a module. Use <a href={hrefTo(edgeView)}>Edges</a> instead.
        </p>
      )}
      {!row && (
        <div class="how-many">
          <FieldInput field={COUNT} value={count} onChange={next => set({ count: Number(next) })} />
          <p class="muted small-text">With more than one record, {'{n}'} in a string becomes 1, 2, 3, …</p>
        </div>
      )}
      <WriteModeChoice
        how={how}
        onChange={next => set({ how: next })}
        kind={kind}
        operation={row ? 'update' : 'create'}
        path={row ? pathTo(kind, row) : fillPath(kind.path ?? '', values)}
      />
      <div id={id}>
        <FormError error={shownError} />
      </div>
      <div class="actions">
        <Button look="primary" submit disabled={busy || (row !== undefined && !changed)}>
          {verb} {!row && count > 1 && count}
        </Button>
        <Button onClick={leave}>{changed ? 'Discard' : 'Cancel'}</Button>
      </div>
    </form>
  )
}
