import { useSignal } from '@preact/signals'
import { isObject } from '../../../basics/json.ts'
import { Button } from '../../parts/button.tsx'
import { CodeEditor } from '../../parts/code-editor/code-editor.tsx'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { initialValues, sameValue, schemaOf } from '../../parts/form-values.ts'
import { Field, Segments, Select, typed } from '../../parts/inputs.tsx'
import { type SandboxToken, useGet } from '../../state/simulator.ts'
import type { FieldInfo, Json, Row } from '../../types.ts'
import { amend, draft, drafted, requiredHeaders } from './console-state.ts'
import { formFields, type HeaderRow, requiredRows, targetOf, tokenFor } from './draft.ts'

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
    // Renders again even if the problem stays the same, to check the tab that remains.
    problem.value = ''
    if (tab === 'json') return amend({ text: text ?? JSON.stringify(values, null, 2) })
    const parsed = parseForm(text ?? '')
    if (typeof parsed === 'string') problem.value = parsed
    else amend({ values: parsed, text: undefined })
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

const nameOf = ({ key_id, owner_id, admin, token }: SandboxToken) =>
  [key_id, `${token}: ${key_id} of ${owner_id}${admin ? ', admin' : ''}`] as const

export const DraftText = ({ label, name }: { label: string; name: 'path' | 'typed' }) => (
  <Field label={label} class="grow">
    <input
      type="text"
      class="mono"
      autocomplete="off"
      spellcheck={false}
      value={draft.value[name]}
      onInput={typed(text => amend({ [name]: text }))}
    />
  </Field>
)

export function TokenInput({ tokens }: { tokens: readonly SandboxToken[] }) {
  const { who } = draft.value
  const isKey = who !== 'none' && who !== 'typed'
  return (
    <div class="console-token">
      <Select
        label="Token"
        value={isKey ? (tokenFor(draft.value, tokens)?.key_id ?? 'none') : who}
        choices={[...tokens.map(nameOf), ['none', 'No token'], ['typed', 'Other…']]}
        onChange={chosen => amend({ who: chosen })}
      />
      {who === 'typed' && <DraftText label="Other token" name="typed" />}
    </div>
  )
}

export function HeadersInput() {
  // Required headers come first, and cannot be renamed or removed.
  const required = requiredRows(draft.value, requiredHeaders())
  const rows: HeaderRow[] = [...required, ...draft.value.headers]
  const set = (rows: HeaderRow[]) =>
    amend({
      required: Object.fromEntries(rows.slice(0, required.length).map(({ name, ...row }) => [name, row])),
      headers: rows.slice(required.length),
    })
  const change = (at: number, change: Partial<HeaderRow>) =>
    set(rows.map((row, i) => (i === at ? { ...row, ...change } : row)))
  return (
    <fieldset class="field header-rows">
      <legend>Headers</legend>
      {rows.map(({ name, value, sent }, at) => {
        const label = name || `header ${at}`
        return (
          <div key={at} class="header-row">
            <input
              type="checkbox"
              aria-label={`Send ${label}`}
              title="Clear to omit this header"
              checked={sent}
              onChange={event => change(at, { sent: event.currentTarget.checked })}
            />
            {at < required.length ? (
              <span class="mono clip">{name}</span>
            ) : (
              <input
                type="text"
                class="mono"
                aria-label={`Name of ${label}`}
                placeholder="Name"
                value={name}
                onInput={typed(text => change(at, { name: text }))}
              />
            )}
            <input
              type="text"
              class="mono"
              aria-label={`Value of ${label}`}
              placeholder="Value"
              disabled={!sent}
              value={sent ? value : 'omitted'}
              onInput={typed(text => change(at, { value: text }))}
            />
            {at >= required.length && (
              <Button
                look="quiet small"
                icon="cross"
                label={`Remove ${label}`}
                onClick={() => set(rows.filter((_, i) => i !== at))}
              />
            )}
          </div>
        )
      })}
      <Button look="quiet" icon="plus" onClick={() => set([...rows, { name: '', value: '', sent: true }])}>
        Add header
      </Button>
    </fieldset>
  )
}
