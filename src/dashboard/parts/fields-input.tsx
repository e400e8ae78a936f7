import type { FieldInfo, Json } from '../types.ts'
import { FieldInput } from './field-input.tsx'
import type { FieldProps } from './inputs.tsx'

/** The values that a form starts with: those given, else the defaults. */
export const startOf = (fields: readonly FieldInfo[], given: Json | undefined): Json =>
  Object.fromEntries(fields.map(({ name, default: usual }) => [name, given?.[name] ?? usual ?? undefined]))

interface Props {
  fields: readonly FieldInfo[]
  values: Json
  onChange(values: Json): void
  /** The record to change. Some fields cannot be changed, and a group that is set cannot be unset. */
  existing?: Json
  /** The field that the API refused, as its answer names it. */
  refused?: string
}

/** Inputs for declared fields and for the fields inside them. */
export function FieldsInput({ fields, values, onChange, existing, refused }: Props) {
  return fields.map(field => {
    const { name } = field
    const props = {
      key: name,
      field,
      value: values[name],
      disabled: existing !== undefined && field.create_only,
      onChange: (value: unknown) => onChange({ ...values, [name]: value }),
    }
    if (!field.fields) return <FieldInput {...props} wrong={refused?.replace(/\[.*/, '') === name} />
    const inside = refused?.startsWith(`${name}.`) ? refused.slice(name.length + 1) : undefined
    return <GroupInput {...props} existing={existing?.[name] as Json | undefined} refused={inside} />
  })
}

type GroupProps = FieldProps & Pick<Props, 'existing' | 'refused'>

/** A field that has fields. One without a default, such as a module, is optional: a checkbox sets it. */
function GroupInput({ field, value, onChange, disabled, existing, refused }: GroupProps) {
  const inner = field.fields!
  const label = field.name.replaceAll('_', ' ')
  const optional = field.default === null && existing === undefined
  return (
    <fieldset class={`field group ${value === undefined ? 'unset' : ''}`} disabled={disabled}>
      <legend>
        {optional ? (
          <label class="check">
            <input
              type="checkbox"
              checked={value !== undefined}
              onChange={event => onChange(event.currentTarget.checked ? startOf(inner, undefined) : undefined)}
            />
            {label}
          </label>
        ) : (
          label
        )}
        {value === undefined && <span class="muted">not set</span>}
      </legend>
      {value !== undefined && (
        <FieldsInput fields={inner} values={value as Json} onChange={onChange} existing={existing} refused={refused} />
      )}
    </fieldset>
  )
}
