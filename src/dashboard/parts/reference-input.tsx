import { useSignal } from '@preact/signals'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { findRecords } from '../state/records.ts'
import { useRemote } from '../state/remote.ts'
import { Combobox, type Option } from './combobox.tsx'
import type { InputProps } from './field-props.tsx'
import { TagsInput } from './tags-input.tsx'

const MAX_CHOICES = 50

/** The records that a reference may have, with the typed text in an ID, a name or a description. */
function useChoices(tables: string[]) {
  const typed = useSignal<string | undefined>(undefined)
  const text = typed.value
  const { data = [] } = useRemote(`${sandbox.value} ${tables} ${text}`, stateVersion.value, async signal =>
    text === undefined ? [] : findRecords(tables, { text, per: MAX_CHOICES }, signal),
  )
  const options = data.map(({ id, title }): Option => {
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
export function ReferenceInput({ field, value, onChange, input }: InputProps) {
  const change = (text: string) => onChange(text || undefined)
  return (
    <Combobox
      {...useChoices(field.refers_to!)}
      {...input}
      label={field.name}
      hint={input.disabled ? 'read-only' : field.required ? 'required' : ''}
      value={(value as string | undefined) ?? ''}
      required={field.required}
      onChoose={change}
      onText={change}
    />
  )
}

export const ReferencesInput = ({ field, value, onChange, input }: InputProps) => (
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
