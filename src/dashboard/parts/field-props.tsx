import { useSignal } from '@preact/signals'
import type { FieldInfo } from '../types.ts'
import { invalidJson, invalidJsonIn } from './form-values.ts'

export interface FieldProps {
  field: FieldInfo
  value: unknown
  onChange(value: unknown): void
  disabled?: boolean
  /** The record exists: an empty secret leaves the stored one unchanged. */
  exists?: boolean
  error?: string
  /** The id of the element with the error. */
  describedBy?: string
}

export const errorAttributes = ({ error, describedBy }: Pick<FieldProps, 'error' | 'describedBy'>) => ({
  'aria-invalid': error !== undefined,
  'aria-describedby': error === undefined ? undefined : describedBy,
})

export const FieldError = ({ id, error }: { id: string; error: string | undefined }) =>
  error === undefined ? null : (
    <p id={id} class="field-error small-text" role="alert">
      {error}
    </p>
  )

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return invalidJson(text, (error as Error).message)
  }
}

/** For fields without a more specific input. */
export function JsonInput({ value, onChange, disabled, ...about }: FieldProps) {
  const text = useSignal(invalidJsonIn(value)?.text ?? JSON.stringify(value ?? null, null, 2))
  return (
    <textarea
      class="mono"
      rows={4}
      value={text.value}
      disabled={disabled}
      {...errorAttributes(about)}
      onInput={event => {
        text.value = event.currentTarget.value
        onChange(parseJson(text.value))
      }}
    />
  )
}
