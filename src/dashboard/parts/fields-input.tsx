import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { FieldInfo, Json } from '../types.ts'
import { Button } from './button.tsx'
import { FieldInput } from './field-input.tsx'
import { type FieldProps, useFieldError } from './field-props.tsx'
import { chosenField, errorsInside, type FieldErrors, initialValues } from './form-values.ts'
import { Check, Select } from './inputs.tsx'

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
        existing: existing?.[name] as Json | undefined,
        disabled: existing !== undefined && field.create_only,
        onChange: (value: unknown) => onChange({ ...values, [name]: value }),
        error: errors[name],
      }
      if (!field.fields) return <FieldInput {...props} exists={existing !== undefined} />
      if (field.schema.type === 'array') return <ItemsInput {...props} errors={errors} />
      const Input = field.one_of ? OneOfInput : GroupInput
      return <Input {...props} errors={errorsInside(errors, `${name}.`)} />
    })
}

interface GroupProps extends FieldProps {
  existing?: Json
  errors: FieldErrors
}

interface FrameProps extends Pick<FieldProps, 'disabled' | 'error'> {
  class: string
  legend: ComponentChildren
  hint: string | false
  children: ComponentChildren
}

function Frame({ class: css, legend, hint, children, ...props }: FrameProps) {
  const { area, group, message } = useFieldError(props)
  return (
    <fieldset class={`field ${css}`} {...area} {...group}>
      <legend>
        {legend}
        {hint && <span class="muted">{hint}</span>}
      </legend>
      {children}
      {message}
    </fieldset>
  )
}

/** A nested object. One without a default, such as a module, is optional: a checkbox sets it. */
function GroupInput({ field, value, onChange, existing, errors, ...props }: GroupProps) {
  const { name } = field
  const inner = field.fields!
  const isSet = value !== undefined
  const optional = field.default === null && existing === undefined
  const set = (on: boolean) => onChange(on ? initialValues(inner) : undefined)
  const legend = optional ? <Check label={name} checked={isSet} onChange={set} /> : name
  return (
    <Frame {...props} class={`group ${isSet ? '' : 'unset'}`} legend={legend} hint={!isSet && 'not set'}>
      {isSet && (
        <FieldsInput fields={inner} values={value as Json} onChange={onChange} existing={existing} errors={errors} />
      )}
    </Frame>
  )
}

/** An object with exactly one of several fields: a select for the field, then its input. */
function OneOfInput({ field, value, onChange, existing, errors, ...props }: GroupProps) {
  const { name, required } = field
  const options = field.fields!.filter(({ asked }) => asked)
  const chosen = value === undefined ? undefined : chosenField(options, value as Json)
  function choose(name: string) {
    const option = options.find(each => each.name === name)
    if (!option) return onChange(undefined)
    // A nested object is set as soon as it is chosen.
    const isNested = option.fields && option.schema.type !== 'array'
    onChange(initialValues([option], isNested ? { [name]: {} } : {}))
  }
  return (
    <Frame {...props} class="group" legend={name} hint={required ? 'choose one, required' : 'choose one'}>
      <Select
        bare
        label={`Which ${name}`}
        value={chosen?.name ?? ''}
        required={required}
        aria-invalid={props.error !== undefined}
        choices={[['', '–'], ...options.map(option => option.name)]}
        onChange={choose}
      />
      {chosen && (
        <FieldsInput
          key={chosen.name}
          // Without a default of null, a nested object has no checkbox to remove it.
          fields={[{ ...chosen, default: {} }]}
          values={value as Json}
          onChange={onChange}
          existing={existing?.[chosen.name] === undefined ? undefined : existing}
          errors={errors}
        />
      )}
    </Frame>
  )
}

/** A list of objects. Items have stable keys, so their inputs keep their state when others are removed. */
function ItemsInput({ field, value, onChange, errors, ...props }: GroupProps) {
  const { name } = field
  const items = (value as Json[] | undefined) ?? []
  const keys = useSignal(items.map((_, i) => i))
  const add = () => {
    keys.value = [...keys.value, Math.max(-1, ...keys.value) + 1]
    onChange([...items, initialValues(field.fields!)])
  }
  const remove = (at: number) => {
    keys.value = keys.value.toSpliced(at, 1)
    onChange(items.toSpliced(at, 1))
  }
  return (
    <Frame {...props} class="items" legend={name} hint={items.length === 0 && 'none'}>
      {items.map((item, at) => (
        <fieldset key={keys.value[at]} class="field item" aria-label={`${name} ${at + 1}`}>
          <div class="item-head">
            <span class="muted number">{at + 1}</span>
            <Button look="quiet small" icon="cross" label={`Remove ${name} ${at + 1}`} onClick={() => remove(at)} />
          </div>
          <FieldsInput
            fields={field.fields!}
            values={item}
            onChange={next => onChange(items.with(at, next))}
            errors={errorsInside(errors, `${name}[${at}].`)}
          />
        </fieldset>
      ))}
      <Button look="quiet" icon="plus" onClick={add}>
        Add
      </Button>
    </Frame>
  )
}
