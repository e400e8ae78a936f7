import { type Signal, useSignal } from '@preact/signals'
import { NAME } from '../../contract/names.ts'
import type { FieldInfo } from '../types.ts'

/** What every input of a declared field is given. */
export interface FieldProps {
  field: FieldInfo
  value: unknown
  onChange(value: unknown): void
  disabled?: boolean
  /** The record exists: a secret that is not given again stays as it is. */
  kept?: boolean
  wrong?: boolean
}

/** A line of text that must be given. */
export const TextField = ({ label, text }: { label: string; text: Signal<string> }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="text"
      required
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value
      }}
    />
  </label>
)

const NAME_HINT = 'Lower-case letters, digits, _ and -, 1 to 64 of them, not beginning with _ or -'

interface NameProps {
  label: string
  placeholder: string
  name: Signal<string>
  required?: boolean
}

/** The name of a sandbox or a snapshot. */
export const NameInput = ({ label, placeholder, name, required }: NameProps) => (
  <label class="grow">
    <span class="hidden">{label}</span>
    <input
      ref={input => input?.setCustomValidity(name.value === '' || NAME.test(name.value) ? '' : `${NAME_HINT}.`)}
      type="text"
      required={required}
      placeholder={placeholder}
      title={NAME_HINT}
      value={name.value}
      onInput={event => {
        name.value = event.currentTarget.value
      }}
    />
  </label>
)

/** For values that no other input can show. Text that is not JSON changes nothing. */
export function JsonInput({ value, onChange, disabled }: FieldProps) {
  const text = useSignal(JSON.stringify(value ?? null, null, 2))
  const wrong = useSignal(false)
  return (
    <textarea
      class="mono"
      rows={4}
      value={text.value}
      disabled={disabled}
      aria-invalid={wrong.value}
      onInput={event => {
        text.value = event.currentTarget.value
        try {
          onChange(JSON.parse(text.value))
          wrong.value = false
        } catch {
          wrong.value = true
        }
      }}
    />
  )
}
