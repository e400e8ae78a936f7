import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusWrong, problemsIn, refusedField } from '../../parts/field-errors.ts'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { sameValue } from '../../parts/form-values.ts'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { hrefTo } from '../../state/place.ts'
import type { FieldInfo, Json } from '../../types.ts'
import { countProblem, HowMany, JsonText } from './editor-inputs.tsx'
import { HowChoice } from './how-choice.tsx'
import { can, fillPath, pathTo, pictureOf } from './kinds.ts'
import { bodyOf, formFields, parseObject } from './record-body.ts'
import { type Beginning, useDraft } from './use-draft.ts'
import { type Made, makeRecords, writeRecord } from './write-record.ts'

interface Props extends Beginning {
  /** It was opened just now, so the focus goes to its first field. */
  focus?: boolean
  /** Without what was made, nothing was. */
  onDone(made?: Made): void
}

const FIRST_INPUT = '.editor-fields :is(input, select, textarea):enabled'

const isModule = ({ fields, default: usual }: FieldInfo) => fields !== null && usual === null

/** Edits a record or makes new ones: in a form of the declared fields or as JSON, through the API or in the state. */
export function RecordEditor({ focus, onDone, ...begun }: Props) {
  const { kind } = begun
  const { draft, changed, set, setHow, switchView, forget } = useDraft(begun)
  const { how, values, text, base: row, count } = draft
  const form = useRef<HTMLFormElement>(null)
  const tried = useSignal(0)
  const sent = useRef<Json>({})
  const unshown = useSignal<string | undefined>(undefined)
  const fields = formFields(kind, how, row !== undefined)
  const problems = problemsIn(fields, values, { existing: row, missing: tried.value > 0 })

  const { submit, busy, error } = useSubmit(async () => {
    tried.value++
    sent.current = values
    unshown.value = undefined
    const wrong = text === undefined && Object.keys(problemsIn(fields, values, { existing: row, missing: true }))
    if ((wrong && wrong.length > 0) || countProblem(count)) return undefined
    const body = text === undefined ? bodyOf(kind, draft) : parseObject(text)
    if (row) {
      await writeRecord({ kind, how, body, row, whole: text !== undefined })
      forget()
      onDone()
      return `${row.id} was ${how === 'state' && text !== undefined ? 'replaced' : 'changed'}.`
    }
    const made = await makeRecords({ kind, how, body }, count)
    if (made.whole) forget()
    onDone(made)
    return count === 1 ? `${made.records[0]!.id} was ${how === 'api' ? 'created' : 'added'}.` : undefined
  })

  // A refusal is shown at its field until another value is there.
  const refused = refusedField(fields, values, error)
  const [place] = Object.keys(refused)
  const top = place?.replace(/[.[].*/, '')
  const atField = text === undefined && top !== undefined
  const errors = atField && values[top] === sent.current[top] ? { ...refused, ...problems } : problems

  useLayoutEffect(() => {
    if (focus) form.current!.querySelector<HTMLElement>(FIRST_INPUT)?.focus()
  }, [])
  useLayoutEffect(() => {
    if (tried.value > 0) focusWrong(form.current)
  }, [tried.value, error])

  function switchShown() {
    try {
      switchView()
      unshown.value = undefined
    } catch (thrown) {
      unshown.value = (thrown as Error).message
    }
  }

  const picture = row && pictureOf(kind, row)
  const replaces = row !== undefined && how === 'state' && text !== undefined
  const verb = row ? (replaces ? 'Replace' : 'Save') : how === 'api' ? 'Create' : 'Add'
  const path = !kind.path ? '' : row ? pathTo(kind, row) : fillPath(kind.path, values)
  return (
    <form ref={form} class="form" noValidate onSubmit={submit}>
      <div class="editor-head">
        <p role="status">{changed && <span class="tag warn">✎ Unsaved changes</span>}</p>
        <button type="button" class="button quiet small-button" onClick={switchShown}>
          {text === undefined ? 'Edit as JSON' : 'Edit as a form'}
        </button>
      </div>
      {row && begun.row && !sameValue(row, begun.row) && (
        <p class="note warn small-text">
          The record was changed meanwhile. {replaces ? 'Replace undoes that.' : 'Only what you changed is sent.'}
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
          <JsonText text={text} error={unshown.value ?? error?.message} onChange={next => set({ text: next })} />
        )}
      </div>
      {picture && how === 'api' && fields.some(field => isModule(field) && row?.[field.name]) && (
        <p class="muted small-text">
          An update cannot remove a module; <a href={hrefTo(picture)}>Edges</a> can.
        </p>
      )}
      {!row && <HowMany count={count} onChange={next => set({ count: next })} />}
      <HowChoice
        how={how}
        onChange={setHow}
        offered={can(kind, row ? 'update' : 'create')}
        kind={kind}
        method={row ? 'PATCH' : 'POST'}
        path={path}
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
            forget()
            onDone()
          }}
        >
          {changed ? 'Discard' : 'Cancel'}
        </button>
      </div>
    </form>
  )
}
