import { useSignal } from '@preact/signals'
import { isObject } from '../../../basics/json.ts'
import { CodeEditor } from '../../parts/code-editor/code-editor.tsx'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { initialValues, sameValue, schemaOf } from '../../parts/form-values.ts'
import { Segments } from '../../parts/inputs.tsx'
import { useGet } from '../../state/simulator.ts'
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

/** The path of the record to update. Its values prefill the form. */
function existingPath(): string | undefined {
  const table = drafted.value.operation?.table
  const [, id] = /\/([^/{}?]+)(?:\?|$)/.exec(targetOf(drafted.value).path) ?? []
  return table && id ? `/db/${table}/${id}` : undefined
}

function Form({ fields: declared }: { fields: readonly FieldInfo[] }) {
  const { data: row } = useGet<Row>(existingPath())
  const operation = drafted.value.operation!
  const isUpdate = operation.table !== undefined
  // An update of an unknown record has no defaults or required fields.
  const optional = declared.map((field): FieldInfo => ({ ...field, default: null, required: false }))
  const fields = isUpdate && !row ? optional.filter(({ create_only }) => !create_only) : declared
  const { values } = draft.value
  const initial = initialValues(fields, row)
  /** Sends only fields that were set. A cleared string counts as unset, except in an update. */
  const change = (next: Json) => {
    const set = Object.entries(next)
      .filter(([, value]) => value !== undefined && (isUpdate || value !== ''))
      .filter(([name, value]) => name in values || !sameValue(value, initial[name]))
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
  function write(next: string) {
    problem.value = ''
    amend({ text: next })
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
        <CodeEditor
          label="Body text"
          language="json"
          schema={schemaOf(fields ?? [])}
          text={text ?? ''}
          onText={write}
          minLines={6}
        />
      )}
      {problem.value && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
    </fieldset>
  )
}
