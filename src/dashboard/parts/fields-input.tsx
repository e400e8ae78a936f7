import type { FieldInfo, Json } from '../types.ts'
import { FieldInput } from './field-input.tsx'
import type { FieldProps } from './inputs.tsx'

/** What a form begins with: what there is, else what would be if nothing were given. */
export const startOf = (fields: readonly FieldInfo[], given: Json | undefined): Json =>
  Object.fromEntries(fields.map(({ name, default: usual }) => [name, given?.[name] ?? usual ?? undefined]))

interface Props {
  fields: readonly FieldInfo[]
  values: Json
  onChange(values: Json): void
  /** What is there already: it may be fixed, and cannot be unset. */
  existing?: Json
  /** The field that the API would not take, as its answer names it. */
  refused?: string
}

/** Declared fields to fill in, and those inside them. */
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

/** Fields in a field. One that has no default, such as a module, is there only if it is wanted. */
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
