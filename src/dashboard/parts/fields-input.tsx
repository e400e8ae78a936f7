import { useSignal } from '@preact/signals'
import type { FieldInfo, Json } from '../types.ts'
import { FieldInput } from './field-input.tsx'
import { memberIn, startOf } from './form-values.ts'
import { Icon } from './icon.tsx'
import type { FieldProps } from './inputs.tsx'

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
      }
      if (!field.fields)
        return <FieldInput {...props} kept={existing !== undefined} wrong={refused?.replace(/\[.*/, '') === name} />
      if (field.schema.type === 'array') return <ItemsInput {...props} refused={refused} />
      const inside = refused?.startsWith(`${name}.`) ? refused.slice(name.length + 1) : undefined
      if (field.one_of) return <OneOfInput {...props} refused={inside} />
      return <GroupInput {...props} refused={inside} />
    })
}

type GroupProps = FieldProps & { existing: unknown; refused?: string }

const labelOf = ({ name }: FieldInfo) => name.replaceAll('_', ' ')

/** A field that has fields. One without a default, such as a module, is optional: a checkbox sets it. */
function GroupInput({ field, value, onChange, disabled, existing, refused }: GroupProps) {
  const inner = field.fields!
  const label = labelOf(field)
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
        <FieldsInput
          fields={inner}
          values={value as Json}
          onChange={onChange}
          existing={existing as Json | undefined}
          refused={refused}
        />
      )}
    </fieldset>
  )
}

/** A field of whose fields exactly one is given: which one, then that one. */
function OneOfInput({ field, value, onChange, disabled, existing, refused }: GroupProps) {
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
    <fieldset class="field group" disabled={disabled}>
      <legend>
        {labelOf(field)}
        <span class="muted">{field.required ? 'one, required' : 'at most one'}</span>
      </legend>
      <label>
        <span class="hidden">Which {labelOf(field)}</span>
        <select
          value={member?.name ?? ''}
          required={field.required}
          onChange={event => choose(event.currentTarget.value)}
        >
          <option value="">–</option>
          {members.map(each => (
            <option key={each.name} value={each.name}>
              {labelOf(each)}
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
          refused={refused}
        />
      )}
    </fieldset>
  )
}

/** A list of objects. Items have numbers of their own here: an input keeps its own state while others are removed. */
function ItemsInput({ field, value, onChange, disabled, refused }: GroupProps) {
  const items = (value as Json[] | undefined) ?? []
  const keys = useSignal(items.map((_, i) => i))
  const label = labelOf(field)
  const add = () => {
    keys.value = [...keys.value, Math.max(-1, ...keys.value) + 1]
    onChange([...items, startOf(field.fields!, undefined)])
  }
  const remove = (at: number) => {
    keys.value = keys.value.filter((_, i) => i !== at)
    onChange(items.filter((_, i) => i !== at))
  }
  return (
    <fieldset class="field items" disabled={disabled}>
      <legend>
        {label}
        {items.length === 0 && <span class="muted">none</span>}
      </legend>
      {items.map((item, at) => {
        const inside = `${field.name}[${at}].`
        return (
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
              refused={refused?.startsWith(inside) ? refused.slice(inside.length) : undefined}
            />
          </fieldset>
        )
      })}
      <button type="button" class="button quiet" onClick={add}>
        <Icon name="plus" /> Add
      </button>
    </fieldset>
  )
}
