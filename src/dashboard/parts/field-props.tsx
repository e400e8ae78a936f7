import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { FieldInfo } from '../types.ts'

export interface FieldProps {
  field: FieldInfo
  value: unknown
  onChange(value: unknown): void
  disabled?: boolean
  /** The record exists: an empty secret leaves the stored one unchanged. */
  exists?: boolean
  /** The error of a rejected request. */
  error?: string
}

/** Attributes of the input that a field's error belongs to. */
export interface InputAttributes {
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** The props of an input without its error message. */
export type InputProps = Omit<FieldProps, 'error' | 'disabled'> & { input: InputAttributes }

/**
 * The error of a field: the one of a rejected request, or what the browser finds wrong with the value. `area` contains the
 * input, and `group` has the attributes of a fieldset, which cannot be invalid.
 */
export function useFieldError({ error, disabled }: Pick<FieldProps, 'error' | 'disabled'>) {
  const id = useId()
  const found = useSignal('')
  const text = error ?? found.value
  const check = (event: Event) => {
    const [target, area] = [event.target as HTMLInputElement, event.currentTarget as HTMLElement]
    // A group also receives the events of its fields.
    if (target.closest('[data-field]') === area) found.value = target.validationMessage
    if (event.type !== 'invalid') return
    event.preventDefault()
    target.form!.querySelector<HTMLInputElement>(':is(input, select, textarea):invalid')!.focus()
  }
  const group = { disabled, 'aria-describedby': text ? id : undefined }
  return {
    area: { 'data-field': true, onInvalidCapture: check, onInput: check },
    input: { ...group, 'aria-invalid': text !== '' },
    group,
    message: text !== '' && (
      <p id={id} class="field-error small-text" role="alert">
        {text}
      </p>
    ),
  }
}
