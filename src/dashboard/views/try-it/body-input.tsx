import { useSignal } from '@preact/signals'
import { isObject } from '../../../basics/json.ts'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { initialValues } from '../../parts/form-values.ts'
import { Segments } from '../../parts/inputs.tsx'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Json, Row } from '../../types.ts'
import { amend, draft, drafted } from './console-state.ts'
import { formFields, targetOf } from './draft.ts'

const TABS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const

/** The form values for a JSON body, or an error message. */
function parseForm(text: string): Json | string {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'Cannot show this as a form: the body must be a JSON object.'
  } catch (error) {
    return `Cannot show this as a form: invalid JSON (${(error as Error).message}). The body is sent unchanged.`
  }
}

/** The record to update. Its values prefill the form. */
function useExisting(): Row | undefined {
  const table = drafted.value.operation?.table
  const [, id] = /\/([^/{}?]+)(?:\?|$)/.exec(targetOf(drafted.value).path) ?? []
  const path = table && id ? `/db/${table}/${id}` : ''
  const { data } = useRemote(`${sandbox.value} ${path}`, stateVersion.value, async signal =>
    path ? await sandboxControl<Row>('GET', path, { signal }) : undefined,
  )
  return data
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** An update of an unknown record has no defaults or required fields. */
const optional = (field: FieldInfo): FieldInfo => ({ ...field, default: null, required: false })

function Form({ fields: declared }: { fields: readonly FieldInfo[] }) {
  const row = useExisting()
  const operation = drafted.value.operation!
  const isUpdate = operation.table !== undefined
  const fields = isUpdate && !row ? declared.filter(({ create_only }) => !create_only).map(optional) : declared
  const { values } = draft.value
  const initial = initialValues(fields, row)
  /** Sends only fields that were set. A cleared string counts as unset, except in an update. */
  const change = (next: Json) => {
    const set = Object.entries(next).filter(
      ([name, value]) =>
        value !== undefined && (isUpdate || value !== '') && (name in values || !same(value, initial[name])),
    )
    amend({ values: Object.fromEntries(set) })
  }
  const others = Object.keys(values).filter(name => !fields.some(field => field.name === name))
  return (
    <>
      <FieldsInput
        key={`${operation.id} ${row?.id}`}
        fields={fields}
        values={{ ...initial, ...values }}
        existing={row}
        onChange={change}
      />
      {fields.length === 0 && <p class="muted">This operation has no fields.</p>}
      {others.length > 0 && <p class="muted wrap">Also sent, without a form field: {others.join(', ')}.</p>}
      {isUpdate && <p class="muted small-text">Only changed fields are sent.</p>}
    </>
  )
}

const rowsFor = (text: string) => Math.min(24, Math.max(8, text.split('\n').length + 1))

/** The body as a form or as JSON. Invalid JSON is sent unchanged. */
export function BodyInput() {
  const problem = useSignal('')
  const { text, values } = draft.value
  const fields = formFields(drafted.value)
  const isForm = fields !== undefined && text === undefined
  function change(tab: 'form' | 'json') {
    if (tab === 'json') return amend({ text: text ?? JSON.stringify(values, null, 2) })
    const parsed = parseForm(text ?? '')
    problem.value = typeof parsed === 'string' ? parsed : ''
    if (typeof parsed !== 'string') amend({ values: parsed, text: undefined })
  }
  return (
    <fieldset class="console-body">
      <div class="card-head">
        <legend>Body</legend>
        {fields && <Segments label="Body format" choices={TABS} value={isForm ? 'form' : 'json'} onChange={change} />}
      </div>
      {isForm ? (
        <Form fields={fields} />
      ) : (
        <label>
          <span class="hidden">Body text</span>
          <textarea
            class="mono"
            spellcheck={false}
            rows={rowsFor(text ?? '')}
            placeholder="No body"
            value={text ?? ''}
            onInput={event => {
              problem.value = ''
              amend({ text: event.currentTarget.value })
            }}
          />
        </label>
      )}
      {problem.value && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
    </fieldset>
  )
}
