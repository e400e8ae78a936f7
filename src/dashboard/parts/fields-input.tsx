import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { FieldInfo, Json } from '../types.ts'
import { errorsInside, type FieldErrors } from './field-errors.ts'
import { FieldInput } from './field-input.tsx'
import { FieldError, type FieldProps } from './field-props.tsx'
import { chosenField, initialValues } from './form-values.ts'
import { Icon } from './icon.tsx'

interface Props {
  fields: readonly FieldInfo[]
  values: Json
  onChange(values: Json): void
  /** The record being edited: some of its fields are read-only, and groups that are set cannot be removed. */
  existing?: Json
  errors?: FieldErrors
}

/** Inputs for declared fields, including nested ones. */
export function FieldsInput({ fields, values, onChange, existing, errors = {} }: Props) {
  return fields
    .filter(({ asked }) => asked)
    .map(field => {
      const { name } = field
      const props = {
        key: name,
        field,
        value: values[name],
        existing: existing?.[name],
        disabled: existing !== undefined && field.create_only,
        onChange: (value: unknown) => onChange({ ...values, [name]: value }),
        error: errors[name],
      }
      if (!field.fields) return <FieldInput {...props} exists={existing !== undefined} />
      if (field.schema.type === 'array') return <ItemsInput {...props} errors={errors} />
      const inside = errorsInside(errors, `${name}.`)
      if (field.one_of) return <OneOfInput {...props} errors={inside} />
      return <GroupInput {...props} errors={inside} />
    })
}

type GroupProps = FieldProps & { existing: unknown; errors: FieldErrors }

const groupAttributes = (id: string, { error, disabled }: FieldProps) => ({
  disabled,
  'aria-describedby': error === undefined ? undefined : id,
})

/** A nested object. One without a default, such as a module, is optional: a checkbox sets it. */
function GroupInput(props: GroupProps) {
  const { field, value, onChange, existing, errors, error } = props
  const inner = field.fields!
  const id = useId()
  const optional = field.default === null && existing === undefined
  return (
    <fieldset class={`field group ${value === undefined ? 'unset' : ''}`} {...groupAttributes(id, props)}>
      <legend>
        {optional ? (
          <label class="check">
            <input
              type="checkbox"
              checked={value !== undefined}
              onChange={event => onChange(event.currentTarget.checked ? initialValues(inner, undefined) : undefined)}
            />
            {field.name}
          </label>
        ) : (
          field.name
        )}
        {value === undefined && <span class="muted">not set</span>}
      </legend>
      {value !== undefined && (
        <FieldsInput
          fields={inner}
          values={value as Json}
          onChange={onChange}
          existing={existing as Json | undefined}
          errors={errors}
        />
      )}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** An object with exactly one of several fields: a select for the field, then its input. */
function OneOfInput(props: GroupProps) {
  const { field, value, onChange, existing, errors, error } = props
  const id = useId()
  const options = field.fields!.filter(({ asked }) => asked)
  const chosen = value === undefined ? undefined : chosenField(options, value as Json)
  function choose(name: string) {
    const option = options.find(each => each.name === name)
    if (!option) return onChange(undefined)
    // A nested object is set as soon as it is chosen.
    const nested =
      option.fields && option.schema.type !== 'array' ? { [name]: initialValues(option.fields, undefined) } : undefined
    onChange(initialValues([option], nested))
  }
  return (
    <fieldset class="field group" {...groupAttributes(id, props)}>
      <legend>
        {field.name}
        <span class="muted">{field.required ? 'choose one, required' : 'choose one'}</span>
      </legend>
      <label>
        <span class="hidden">Which {field.name}</span>
        <select
          value={chosen?.name ?? ''}
          required={field.required}
          aria-invalid={error !== undefined}
          onChange={event => choose(event.currentTarget.value)}
        >
          <option value="">–</option>
          {options.map(each => (
            <option key={each.name} value={each.name}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <FieldsInput
          key={chosen.name}
          // Without a default of null, a nested object has no checkbox to remove it.
          fields={[chosen.default === null && chosen.fields ? { ...chosen, default: {} } : chosen]}
          values={value as Json}
          onChange={onChange}
          existing={(existing as Json | undefined)?.[chosen.name] === undefined ? undefined : (existing as Json)}
          errors={errors}
        />
      )}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** A list of objects. Items have stable keys, so their inputs keep their state when others are removed. */
function ItemsInput(props: GroupProps) {
  const { field, value, onChange, errors, error } = props
  const items = (value as Json[] | undefined) ?? []
  const keys = useSignal(items.map((_, i) => i))
  const id = useId()
  const label = field.name
  const add = () => {
    keys.value = [...keys.value, Math.max(-1, ...keys.value) + 1]
    onChange([...items, initialValues(field.fields!, undefined)])
  }
  const remove = (at: number) => {
    keys.value = keys.value.filter((_, i) => i !== at)
    onChange(items.filter((_, i) => i !== at))
  }
  return (
    <fieldset class={`field items ${error === undefined ? '' : 'wrong'}`} {...groupAttributes(id, props)}>
      <legend>
        {label}
        {items.length === 0 && <span class="muted">none</span>}
      </legend>
      {items.map((item, at) => (
        <fieldset key={keys.value[at]} class="field item" aria-label={`${label} ${at + 1}`}>
          <div class="item-head">
            <span class="muted number">{at + 1}</span>
            <button
              type="button"
              class="button quiet small"
              aria-label={`Remove ${label} ${at + 1}`}
              onClick={() => remove(at)}
            >
              <Icon name="cross" />
            </button>
          </div>
          <FieldsInput
            fields={field.fields!}
            values={item}
            onChange={next => onChange(items.map((each, i) => (i === at ? next : each)))}
            errors={errorsInside(errors, `${label}[${at}].`)}
          />
        </fieldset>
      ))}
      <button type="button" class="button quiet" onClick={add}>
        <Icon name="plus" /> Add
      </button>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}
