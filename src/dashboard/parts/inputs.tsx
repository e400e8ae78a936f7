import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { NAME } from '../../contract/names.ts'
import { amendQuery, place } from '../state/place.ts'
import type { FieldInfo } from '../types.ts'
import { invalidJson, invalidJsonIn } from './form-values.ts'
import { Icon } from './icon.tsx'

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

/** A required single-line input. */
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

const NAME_HINT = 'Use 1 to 64 lowercase letters, digits, _ and -. Start with a letter or digit'

interface NameProps {
  label: string
  placeholder: string
  name: Signal<string>
  required?: boolean
}

/** An input for the name of a sandbox or snapshot. */
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

interface SearchProps {
  label: string
  /** Default: the label. */
  placeholder?: string
  text: string
  onText(text: string): void
  onKeyDown?(event: KeyboardEvent): void
  children?: ComponentChildren
}

export const SearchBox = ({ label, placeholder = label, text, onText, onKeyDown, children }: SearchProps) => (
  <label class="search-box">
    <span class="hidden">{label}</span>
    <Icon name="search" />
    <input
      type="search"
      placeholder={placeholder}
      value={text}
      onInput={event => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
    {children}
  </label>
)

/** A checkbox stored in the URL query; `on` is its value there. */
export const AddressCheck = ({ name, on, label }: { name: string; on: string; label: string }) => (
  <label class="check">
    <input
      type="checkbox"
      checked={place.value.query[name] === on}
      onChange={event => amendQuery({ [name]: event.currentTarget.checked ? on : undefined })}
    />
    {label}
  </label>
)
