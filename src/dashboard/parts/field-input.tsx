import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Json } from '../types.ts'
import { boundsOf } from './field-errors.ts'
import { aboutError, FieldError, type FieldProps, JsonInput } from './inputs.tsx'
import { PairsInput } from './pairs-input.tsx'
import { ReferenceInput, ReferencesInput } from './reference-input.tsx'

const encoder = new TextEncoder()
/** A text that may be longer has more than one line. */
const ONE_LINE_BYTES = 500

const typeOf = (schema: Json) => schema.type as string | undefined
const isNumber = (schema: Json) => typeOf(schema) === 'integer' || typeOf(schema) === 'number'
const itemsOf = (schema: Json) => schema.items as Json | undefined

/** What any name may have as its value, if that is a text or a number. */
function mappedIn({ type, additionalProperties: values }: Json): Json | undefined {
  if (type !== 'object' || !values) return undefined
  const mapped = values === true ? { type: 'string' } : (values as Json)
  return isNumber(mapped) || mapped.type === 'string' ? mapped : undefined
}

/** The input for a declared field, and below it why its value was refused. */
export function FieldInput(props: FieldProps) {
  const id = useId()
  return (
    <div class={`field ${props.error === undefined ? '' : 'wrong'}`}>
      <OwnInput {...props} describedBy={id} />
      <FieldError id={id} error={props.error} />
    </div>
  )
}

/** Chosen by the schema. The label is the field's name as the API writes it. */
function OwnInput(props: FieldProps) {
  const { field, value, onChange, disabled } = props
  const { schema, name } = field
  const common = { disabled, ...aboutError(props) }
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
  const mapped = mappedIn(schema)
  if (mapped) return <PairsInput {...props} label={name} numbers={isNumber(mapped)} />
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
  const { field, value, onChange, disabled, kept, error, describedBy } = props
  const { schema, write_only } = field
  const text = (value as string | undefined) ?? ''
  const most = schema['x-max-bytes'] as number | undefined
  const bytes = encoder.encode(text).length
  const lines = schema['x-lines'] === true
  const secretKept = write_only && kept
  const required = field.required && !secretKept
  const id = useId()
  const described = most === undefined && !secretKept ? undefined : id
  const common = {
    disabled,
    required,
    value: text,
    'aria-invalid': error !== undefined || (most !== undefined && bytes > most),
    'aria-describedby':
      [error === undefined ? undefined : describedBy, described].filter(Boolean).join(' ') || undefined,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onChange(event.currentTarget.value),
  }
  return (
    <label class="field">
      <span>
        {field.name} {required && !disabled && <span class="muted">required</span>}
        {most !== undefined && !secretKept && (
          <span id={id} class={`muted number ${bytes > most ? 'bad-text' : ''}`}>
            {bytes} of {most} bytes
          </span>
        )}
      </span>
      {lines ? (
        <textarea class="mono" rows={7} wrap="off" spellcheck={false} autocomplete="off" {...common} />
      ) : write_only ? (
        <input type="password" autocomplete="new-password" {...common} />
      ) : (most ?? 0) > ONE_LINE_BYTES ? (
        <textarea rows={3} {...common} />
      ) : (
        <input type="text" {...common} />
      )}
      {secretKept && (
        <span id={id} class="muted small-text">
          Not shown again; leave empty to keep it
        </span>
      )}
    </label>
  )
}

type LabelledProps = FieldProps & { hint?: string; children: ComponentChildren }

function Labelled({ field, disabled, hint, children }: LabelledProps) {
  const needed = field.required && !disabled ? 'required' : undefined
  const about = [disabled ? 'cannot be changed' : needed, hint].filter(Boolean).join(', ')
  return (
    <label class="field">
      <span>
        {field.name} {about && <span class="muted">{about}</span>}
      </span>
      {children}
    </label>
  )
}
