import { useSignal } from '@preact/signals'
import type { FieldProps } from './field-props.ts'

/** For shapes that no other input knows; hands on only what can be read. */
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
