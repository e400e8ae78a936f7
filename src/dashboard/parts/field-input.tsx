import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { findRecords } from '../state/records.ts'
import { useRemote } from '../state/remote.ts'
import { Combobox } from './combobox.tsx'
import { type FieldProps, type InputProps, useFieldError } from './field-props.tsx'
import { boundsOf, type InputKind, inputKind, isNumber, mapValues } from './form-values.ts'
import { Check, Field, Select, typed } from './inputs.tsx'
import { PairsInput } from './pairs-input.tsx'
import { TagsInput } from './tags-input.tsx'

const encoder = new TextEncoder()
/** Longer strings get a textarea. */
const ONE_LINE_BYTES = 500
const MAX_CHOICES = 50

/** The input for a declared field, with its error message below. Its label is the field name of the API. */
export function FieldInput({ error, disabled, ...props }: FieldProps) {
  const { area, input, message } = useFieldError({ error, disabled })
  const Input = INPUTS[inputKind(props.field)!]
  return (
    <div class="field" {...area}>
      <Input {...props} input={input} />
      {message}
    </div>
  )
}

const labelOf = ({ field, input }: InputProps, hint?: string) => ({
  label: field.name,
  hint: [input.disabled ? 'read-only' : field.required ? 'required' : '', hint].filter(Boolean).join(', '),
})

const FlagInput = ({ field, value, onChange, input }: InputProps) => (
  <Check label={field.name} checked={value === true} onChange={onChange} {...input} />
)

const MapInput = (props: InputProps) => (
  <PairsInput {...props} label={props.field.name} numbers={isNumber(mapValues(props.field.schema)!)} />
)

const EnumInput = (props: InputProps) => (
  <Select
    {...labelOf(props)}
    {...props.input}
    value={(props.value as string) ?? ''}
    required={props.field.required}
    choices={[['', '–'], ...(props.field.schema.enum as string[])]}
    onChange={value => props.onChange(value || undefined)}
  />
)

function LinesInput(props: InputProps) {
  const { value = [], onChange, input } = props
  const linesOf = (text: string) => text.split('\n').map(line => line.trim())
  return (
    <Field {...labelOf(props, 'one per line')}>
      <textarea
        rows={3}
        {...input}
        value={(value as string[]).join('\n')}
        onInput={typed(text => onChange(text.split('\n')))}
        onBlur={typed(text => onChange(linesOf(text).filter(Boolean)))}
      />
    </Field>
  )
}

function NumberInput(props: InputProps) {
  const { field, value, onChange, input } = props
  const { type, minimum, maximum } = field.schema as { type: string; minimum?: number; maximum?: number }
  return (
    <Field {...labelOf(props, boundsOf(field.schema))}>
      <input
        type="number"
        step={type === 'integer' ? 1 : 'any'}
        min={minimum}
        max={maximum}
        required={field.required}
        {...input}
        value={(value as number | undefined) ?? ''}
        onInput={({ currentTarget: { value, valueAsNumber } }) => onChange(value === '' ? undefined : valueAsNumber)}
      />
    </Field>
  )
}

function TextInput({ field, value, onChange, exists, input }: InputProps) {
  const { schema, write_only } = field
  const text = (value as string | undefined) ?? ''
  const maxBytes = schema['x-max-bytes'] as number | undefined
  const bytes = encoder.encode(text).length
  const tooLong = maxBytes !== undefined && bytes > maxBytes
  const secretKept = write_only && exists
  const attributes = {
    ...input,
    value: text,
    required: field.required && !secretKept,
    'aria-invalid': input['aria-invalid'] || tooLong,
    onInput: typed(onChange),
  }
  return (
    <label class="field">
      <span>
        {field.name} {attributes.required && !input.disabled && <span class="muted">required</span>}
        {maxBytes !== undefined && !secretKept && (
          <span class={`muted number ${tooLong ? 'bad-text' : ''}`}>
            {bytes} of {maxBytes} bytes
          </span>
        )}
      </span>
      {schema['x-lines'] === true ? (
        <textarea class="mono" rows={7} wrap="off" spellcheck={false} autocomplete="off" {...attributes} />
      ) : write_only ? (
        <input type="password" autocomplete="new-password" {...attributes} />
      ) : (maxBytes ?? 0) > ONE_LINE_BYTES ? (
        <textarea rows={3} {...attributes} />
      ) : (
        <input type="text" {...attributes} />
      )}
      {secretKept && <span class="muted small-text">Hidden. Leave empty to keep the current value</span>}
    </label>
  )
}

/** The records that a reference may have, with the typed text in an ID, a name or a description. */
function useChoices(tables: string[]) {
  const typed = useSignal<string | undefined>(undefined)
  const text = typed.value
  const { data = [] } = useRemote(`${sandbox.value} ${tables} ${text}`, stateVersion.value, async signal =>
    text === undefined ? [] : findRecords(tables, { text, per: MAX_CHOICES }, signal),
  )
  const options = data.map(({ id, title }) => {
    const content = (
      <>
        <span class="mono">{id}</span> <span class="muted clip">{title}</span>
      </>
    )
    return { value: id, content }
  })
  return { typed, options }
}

/** A picker that also accepts an unknown ID, to see how the API rejects it. */
function ReferenceInput(props: InputProps) {
  const { field, value, onChange, input } = props
  const change = (text: string) => onChange(text || undefined)
  return (
    <Combobox
      {...useChoices(field.refers_to!)}
      {...labelOf(props)}
      {...input}
      value={(value as string | undefined) ?? ''}
      required={field.required}
      onChoose={change}
      onText={change}
    />
  )
}

const ReferencesInput = ({ field, value, onChange, input }: InputProps) => (
  <TagsInput
    {...useChoices(field.refers_to!)}
    input={input}
    label={field.name}
    none="none"
    placeholder="Search by ID or text"
    chosen={(value as string[] | undefined) ?? []}
    onChange={onChange}
  />
)

const INPUTS: Record<InputKind, ComponentType<InputProps>> = {
  flag: FlagInput,
  references: ReferencesInput,
  map: MapInput,
  reference: ReferenceInput,
  choice: EnumInput,
  lines: LinesInput,
  number: NumberInput,
  text: TextInput,
}
