import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { FieldInfo, Json } from '../types.ts'
import { errorsInside, type FieldErrors } from './field-errors.ts'
import { FieldInput } from './field-input.tsx'
import { memberIn, startOf } from './form-values.ts'
import { Icon } from './icon.tsx'
import { FieldError, type FieldProps } from './inputs.tsx'

interface Props {
  fields: readonly FieldInfo[]
  values: Json
  onChange(values: Json): void
  /** The record to change. Some fields cannot be changed, and a group that is set cannot be unset. */
  existing?: Json
  /** Why values were refused, each shown at its field. */
  errors?: FieldErrors
}

/** Inputs for declared fields and for the fields inside them. */
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
      if (!field.fields) return <FieldInput {...props} kept={existing !== undefined} />
      if (field.schema.type === 'array') return <ItemsInput {...props} errors={errors} />
      const inside = errorsInside(errors, `${name}.`)
      if (field.one_of) return <OneOfInput {...props} errors={inside} />
      return <GroupInput {...props} errors={inside} />
    })
}

type GroupProps = FieldProps & { existing: unknown; errors: FieldErrors }

/** The attributes of a group whose value may have been refused as a whole. */
const aboutGroup = (id: string, { error, disabled }: FieldProps) => ({
  disabled,
  'aria-describedby': error === undefined ? undefined : id,
})

/** A field that has fields. One without a default, such as a module, is optional: a checkbox sets it. */
function GroupInput(props: GroupProps) {
  const { field, value, onChange, existing, errors, error } = props
  const inner = field.fields!
  const id = useId()
  const optional = field.default === null && existing === undefined
  return (
    <fieldset class={`field group ${value === undefined ? 'unset' : ''}`} {...aboutGroup(id, props)}>
      <legend>
        {optional ? (
          <label class="check">
            <input
              type="checkbox"
              checked={value !== undefined}
              onChange={event => onChange(event.currentTarget.checked ? startOf(inner, undefined) : undefined)}
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

/** A field of whose fields exactly one is given: which one, then that one. */
function OneOfInput(props: GroupProps) {
  const { field, value, onChange, existing, errors, error } = props
  const id = useId()
  const members = field.fields!.filter(({ asked }) => asked)
  const member = value === undefined ? undefined : memberIn(members, value as Json)
  function choose(name: string) {
    const chosen = members.find(each => each.name === name)
    if (!chosen) return onChange(undefined)
    // What has fields is there as soon as it is chosen.
    const begun =
      chosen.fields && chosen.schema.type !== 'array' ? { [name]: startOf(chosen.fields, undefined) } : undefined
    onChange(startOf([chosen], begun))
  }
  return (
    <fieldset class="field group" {...aboutGroup(id, props)}>
      <legend>
        {field.name}
        <span class="muted">{field.required ? 'one, required' : 'at most one'}</span>
      </legend>
      <label>
        <span class="hidden">Which {field.name}</span>
        <select
          value={member?.name ?? ''}
          required={field.required}
          aria-invalid={error !== undefined}
          onChange={event => choose(event.currentTarget.value)}
        >
          <option value="">–</option>
          {members.map(each => (
            <option key={each.name} value={each.name}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      {member && (
        <FieldsInput
          key={member.name}
          // A member that has fields must not have a checkbox that takes it away again.
          fields={[member.default === null && member.fields ? { ...member, default: {} } : member]}
          values={value as Json}
          onChange={onChange}
          existing={(existing as Json | undefined)?.[member.name] === undefined ? undefined : (existing as Json)}
          errors={errors}
        />
      )}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** A list of objects. Items have numbers of their own here: an input keeps its own state while others are removed. */
function ItemsInput(props: GroupProps) {
  const { field, value, onChange, errors, error } = props
  const items = (value as Json[] | undefined) ?? []
  const keys = useSignal(items.map((_, i) => i))
  const id = useId()
  const label = field.name
  const add = () => {
    keys.value = [...keys.value, Math.max(-1, ...keys.value) + 1]
    onChange([...items, startOf(field.fields!, undefined)])
  }
  const remove = (at: number) => {
    keys.value = keys.value.filter((_, i) => i !== at)
    onChange(items.filter((_, i) => i !== at))
  }
  return (
    <fieldset class={`field items ${error === undefined ? '' : 'wrong'}`} {...aboutGroup(id, props)}>
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
