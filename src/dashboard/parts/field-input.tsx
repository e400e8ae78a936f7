import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Json } from '../types.ts'
import { boundsOf } from './field-errors.ts'
import { errorAttributes, FieldError, type FieldProps, JsonInput } from './field-props.tsx'
import { PairsInput } from './pairs-input.tsx'
import { ReferenceInput, ReferencesInput } from './reference-input.tsx'

const encoder = new TextEncoder()
/** Longer strings get a textarea. */
const ONE_LINE_BYTES = 500

const typeOf = (schema: Json) => schema.type as string | undefined
const isNumber = (schema: Json) => typeOf(schema) === 'integer' || typeOf(schema) === 'number'
const itemsOf = (schema: Json) => schema.items as Json | undefined

/** The schema of the values of a map, if they are strings or numbers. */
function mapValueSchema({ type, additionalProperties: values }: Json): Json | undefined {
  if (type !== 'object' || !values) return undefined
  const mapped = values === true ? { type: 'string' } : (values as Json)
  return isNumber(mapped) || mapped.type === 'string' ? mapped : undefined
}

/** The input for a declared field, with its error message below. */
export function FieldInput(props: FieldProps) {
  const id = useId()
  return (
    <div class={`field ${props.error === undefined ? '' : 'wrong'}`}>
      <SchemaInput {...props} describedBy={id} />
      <FieldError id={id} error={props.error} />
    </div>
  )
}

/** The schema selects the control. The label is the field name of the API. */
function SchemaInput(props: FieldProps) {
  const { field, value, onChange, disabled } = props
  const { schema, name } = field
  const common = { disabled, ...errorAttributes(props) }
  if (typeOf(schema) === 'boolean')
    return (
      <label class="check field">
        <input
          type="checkbox"
          checked={value === true}
          {...common}
          onChange={event => onChange(event.currentTarget.checked)}
        />
        {name}
      </label>
    )
  if (field.refers_to && typeOf(schema) === 'array') return <ReferencesInput {...props} />
  const mapValues = mapValueSchema(schema)
  if (mapValues) return <PairsInput {...props} label={name} numbers={isNumber(mapValues)} />
  if (field.refers_to)
    return (
      <Labelled {...props}>
        <ReferenceInput {...props} />
      </Labelled>
    )
  if (Array.isArray(schema.enum))
    return (
      <Labelled {...props}>
        <select
          value={(value as string) ?? ''}
          required={field.required}
          {...common}
          onChange={event => onChange(event.currentTarget.value || undefined)}
        >
          <option value="">–</option>
          {schema.enum.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </Labelled>
    )
  if (typeOf(schema) === 'array' && itemsOf(schema)?.type === 'string')
    return (
      <Labelled {...props} hint="one per line">
        <textarea
          rows={3}
          {...common}
          value={((value as string[] | undefined) ?? []).join('\n')}
          onInput={event => onChange(event.currentTarget.value.split('\n'))}
          onBlur={event =>
            onChange(
              event.currentTarget.value
                .split('\n')
                .map(line => line.trim())
                .filter(Boolean),
            )
          }
        />
      </Labelled>
    )
  if (isNumber(schema))
    return (
      <Labelled {...props} hint={boundsOf(schema)}>
        <input
          type="number"
          step={typeOf(schema) === 'integer' ? 1 : 'any'}
          min={schema.minimum as number | undefined}
          max={schema.maximum as number | undefined}
          required={field.required}
          {...common}
          value={(value as number | undefined) ?? ''}
          onInput={({ currentTarget: { value: typed, valueAsNumber } }) =>
            onChange(typed === '' ? undefined : valueAsNumber)
          }
        />
      </Labelled>
    )
  if (typeOf(schema) === 'string') return <TextInput {...props} />
  return (
    <Labelled {...props} hint="as JSON">
      <JsonInput {...props} />
    </Labelled>
  )
}

function TextInput(props: FieldProps) {
  const { field, value, onChange, disabled, exists, error, describedBy } = props
  const { schema, write_only } = field
  const text = (value as string | undefined) ?? ''
  const maxBytes = schema['x-max-bytes'] as number | undefined
  const bytes = encoder.encode(text).length
  const multiline = schema['x-lines'] === true
  const secretKept = write_only && exists
  const required = field.required && !secretKept
  const id = useId()
  const hintId = maxBytes === undefined && !secretKept ? undefined : id
  const common = {
    disabled,
    required,
    value: text,
    'aria-invalid': error !== undefined || (maxBytes !== undefined && bytes > maxBytes),
    'aria-describedby': [error === undefined ? undefined : describedBy, hintId].filter(Boolean).join(' ') || undefined,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onChange(event.currentTarget.value),
  }
  return (
    <label class="field">
      <span>
        {field.name} {required && !disabled && <span class="muted">required</span>}
        {maxBytes !== undefined && !secretKept && (
          <span id={id} class={`muted number ${bytes > maxBytes ? 'bad-text' : ''}`}>
            {bytes} of {maxBytes} bytes
          </span>
        )}
      </span>
      {multiline ? (
        <textarea class="mono" rows={7} wrap="off" spellcheck={false} autocomplete="off" {...common} />
      ) : write_only ? (
        <input type="password" autocomplete="new-password" {...common} />
      ) : (maxBytes ?? 0) > ONE_LINE_BYTES ? (
        <textarea rows={3} {...common} />
      ) : (
        <input type="text" {...common} />
      )}
      {secretKept && (
        <span id={id} class="muted small-text">
          Hidden. Leave empty to keep the current value
        </span>
      )}
    </label>
  )
}

type LabelledProps = FieldProps & { hint?: string; children: ComponentChildren }

function Labelled({ field, disabled, hint, children }: LabelledProps) {
  const required = field.required && !disabled ? 'required' : undefined
  const hints = [disabled ? 'read-only' : required, hint].filter(Boolean).join(', ')
  return (
    <label class="field">
      <span>
        {field.name} {hints && <span class="muted">{hints}</span>}
      </span>
      {children}
    </label>
  )
}
