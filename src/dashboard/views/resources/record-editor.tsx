import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusInvalid, problemsIn, rejectedField } from '../../parts/field-errors.ts'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { sameValue } from '../../parts/form-values.ts'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { can, edgeViewOf, fillPath, pathTo } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import type { FieldInfo, Json } from '../../types.ts'
import { CountInput, countProblem, JsonText } from './editor-inputs.tsx'
import { bodyOf, formFields, parseObject } from './record-body.ts'
import { type EditorStart, useDraft } from './use-draft.ts'
import { WriteModeChoice } from './write-mode-choice.tsx'
import { type Created, createRecords, writeRecord } from './write-record.ts'

interface Props extends EditorStart {
  /** Moves the focus to the first field. */
  focus?: boolean
  /** Called without an argument if nothing was created. */
  onDone(created?: Created): void
}

const FIRST_INPUT = '.editor-fields :is(input, select, textarea):enabled'

const isModule = ({ fields, default: defaultValue }: FieldInfo) => fields !== null && defaultValue === null

/** Edits or creates records in a form or as JSON, through the API or in the state. */
export function RecordEditor({ focus, onDone, ...start }: Props) {
  const { kind } = start
  const { draft, changed, set, setHow, switchView, discard } = useDraft(start)
  const { how, values, text, base: row, count } = draft
  const form = useRef<HTMLFormElement>(null)
  const attempts = useSignal(0)
  const sent = useRef<Json>({})
  const switchError = useSignal<string | undefined>(undefined)
  const fields = formFields(kind, how, row !== undefined)
  const problems = problemsIn(fields, values, { existing: row, missing: attempts.value > 0 })

  const { submit, busy, error } = useSubmit(async () => {
    attempts.value++
    sent.current = values
    switchError.value = undefined
    const invalid = text === undefined && Object.keys(problemsIn(fields, values, { existing: row, missing: true }))
    if ((invalid && invalid.length > 0) || countProblem(count)) return undefined
    const body = text === undefined ? bodyOf(kind, draft) : parseObject(text)
    if (row) {
      await writeRecord({ kind, how, body, row, replace: text !== undefined })
      discard()
      onDone()
      return `${how === 'state' && text !== undefined ? 'Replaced' : 'Updated'} ${row.id}.`
    }
    const created = await createRecords({ kind, how, body }, count)
    if (created.complete) discard()
    onDone(created)
    return count === 1 ? `${how === 'api' ? 'Created' : 'Added'} ${created.records[0]!.id}.` : undefined
  })

  // A rejected field shows its error until its value changes.
  const rejected = rejectedField(fields, values, error)
  const [path] = Object.keys(rejected)
  const topField = path?.replace(/[.[].*/, '')
  const atField = text === undefined && topField !== undefined
  const errors = atField && values[topField] === sent.current[topField] ? { ...rejected, ...problems } : problems

  useLayoutEffect(() => {
    if (focus) form.current!.querySelector<HTMLElement>(FIRST_INPUT)?.focus()
  }, [])
  useLayoutEffect(() => {
    if (attempts.value > 0) focusInvalid(form.current)
  }, [attempts.value, error])

  function switchShown() {
    try {
      switchView()
      switchError.value = undefined
    } catch (thrown) {
      switchError.value = (thrown as Error).message
    }
  }

  const edgeView = row && edgeViewOf(kind, row)
  const replaces = row !== undefined && how === 'state' && text !== undefined
  const verb = row ? (replaces ? 'Replace' : 'Save') : how === 'api' ? 'Create' : 'Add'
  const target = !kind.path ? '' : row ? pathTo(kind, row) : fillPath(kind.path, values)
  return (
    <form ref={form} class="form" noValidate onSubmit={submit}>
      <div class="editor-head">
        <p role="status">{changed && <span class="tag warn">✎ Unsaved changes</span>}</p>
        <button type="button" class="button quiet small-button" onClick={switchShown}>
          {text === undefined ? 'Edit as JSON' : 'Edit as form'}
        </button>
      </div>
      {row && start.row && !sameValue(row, start.row) && (
        <p class="note warn small-text">
          This record changed while you were editing it.{' '}
          {replaces ? 'Replace overwrites the other changes.' : 'Only your changes are sent.'}
        </p>
      )}
      <div class="form editor-fields">
        {text === undefined ? (
          <FieldsInput
            fields={fields}
            values={values}
            existing={row}
            errors={errors}
            onChange={next => set({ values: next })}
          />
        ) : (
          <JsonText text={text} error={switchError.value ?? error?.message} onChange={next => set({ text: next })} />
        )}
      </div>
      {edgeView && how === 'api' && fields.some(field => isModule(field) && row?.[field.name]) && (
        <p class="muted small-text">
          An update cannot remove a module. Use <a href={hrefTo(edgeView)}>Edges</a> instead.
        </p>
      )}
      {!row && <CountInput count={count} onChange={next => set({ count: next })} />}
      <WriteModeChoice
        how={how}
        onChange={setHow}
        offered={can(kind, row ? 'update' : 'create')}
        kind={kind}
        method={row ? 'PATCH' : 'POST'}
        path={target}
      />
      {!atField && text === undefined && <FormError error={error} />}
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy || (row !== undefined && !changed)}>
          {verb} {!row && count > 1 && count}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            discard()
            onDone()
          }}
        >
          {changed ? 'Discard' : 'Cancel'}
        </button>
      </div>
    </form>
  )
}
