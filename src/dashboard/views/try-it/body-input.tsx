import { useSignal } from '@preact/signals'
import { isObject } from '../../../basics/json.ts'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { startOf } from '../../parts/form-values.ts'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Json, Row } from '../../types.ts'
import { amend, draft, drafted } from './console-state.ts'
import { formFields, targetOf } from './draft.ts'
import { Segments } from './segments.tsx'

const TABS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const

/** What a text of JSON would be in a form, or why it cannot be. */
function readForm(text: string): Json | string {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'A form can only show an object, and this is JSON of another kind.'
  } catch (error) {
    return `This is not JSON, so no form can show it: ${(error as Error).message}. It is sent as it is.`
  }
}

/** The record that an update would change: its form starts with what the record has. */
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

/** Without the record, an update has no defaults, and nothing in it is required. */
const loosely = (field: FieldInfo): FieldInfo => ({ ...field, default: null, required: false })

function Form({ fields: declared }: { fields: readonly FieldInfo[] }) {
  const row = useExisting()
  const operation = drafted.value.operation!
  const isUpdate = operation.table !== undefined
  const fields = isUpdate && !row ? declared.filter(({ create_only }) => !create_only).map(loosely) : declared
  const { values } = draft.value
  const start = startOf(fields, row)
  /** Only what was given is sent. A text that is empty again was not given, unless a record has it. */
  const change = (next: Json) => {
    const given = Object.entries(next).filter(
      ([name, value]) =>
        value !== undefined && (isUpdate || value !== '') && (name in values || !same(value, start[name])),
    )
    amend({ values: Object.fromEntries(given) })
  }
  const others = Object.keys(values).filter(name => !fields.some(field => field.name === name))
  return (
    <>
      <FieldsInput
        key={`${operation.id} ${row?.id}`}
        fields={fields}
        values={{ ...start, ...values }}
        existing={row}
        onChange={change}
      />
      {fields.length === 0 && <p class="muted">It takes no fields.</p>}
      {others.length > 0 && <p class="muted wrap">Sent too, though it has no field here: {others.join(', ')}.</p>}
      {isUpdate && <p class="muted small-text">Only what is changed here is sent.</p>}
    </>
  )
}

const rowsFor = (text: string) => Math.min(24, Math.max(8, text.split('\n').length + 1))

/** The body, as a form or as JSON. Text that is not JSON is sent as it is. */
export function BodyInput() {
  const wrong = useSignal('')
  const { text, values } = draft.value
  const fields = formFields(drafted.value)
  const isForm = fields !== undefined && text === undefined
  function change(tab: 'form' | 'json') {
    if (tab === 'json') return amend({ text: text ?? JSON.stringify(values, null, 2) })
    const read = readForm(text ?? '')
    wrong.value = typeof read === 'string' ? read : ''
    if (typeof read !== 'string') amend({ values: read, text: undefined })
  }
  return (
    <fieldset class="console-body">
      <div class="card-head">
        <legend>Body</legend>
        {fields && <Segments label="Body as" options={TABS} value={isForm ? 'form' : 'json'} onChange={change} />}
      </div>
      {isForm ? (
        <Form fields={fields} />
      ) : (
        <label>
          <span class="hidden">Body as text</span>
          <textarea
            class="mono"
            spellcheck={false}
            rows={rowsFor(text ?? '')}
            placeholder="No body"
            value={text ?? ''}
            onInput={event => {
              wrong.value = ''
              amend({ text: event.currentTarget.value })
            }}
          />
        </label>
      )}
      {wrong.value && (
        <p class="field-error" role="alert">
          {wrong.value}
        </p>
      )}
    </fieldset>
  )
}
