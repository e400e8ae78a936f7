import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { NAME } from '../../contract/names.ts'
import { amendQuery, place } from '../state/place.ts'
import type { FieldInfo } from '../types.ts'
import { unread, unreadIn } from './form-values.ts'
import { Icon } from './icon.tsx'

/** What every input of a declared field is given. */
export interface FieldProps {
  field: FieldInfo
  value: unknown
  onChange(value: unknown): void
  disabled?: boolean
  /** The record exists: a secret that is not given again stays as it is. */
  kept?: boolean
  /** Why its value was refused. */
  error?: string
  /** The id of the element that says so. */
  describedBy?: string
}

/** The attributes of an input whose value may have been refused. */
export const aboutError = ({ error, describedBy }: Pick<FieldProps, 'error' | 'describedBy'>) => ({
  'aria-invalid': error !== undefined,
  'aria-describedby': error === undefined ? undefined : describedBy,
})

/** Why the value of a field was refused, below it. */
export const FieldError = ({ id, error }: { id: string; error: string | undefined }) =>
  error === undefined ? null : (
    <p id={id} class="field-error small-text" role="alert">
      {error}
    </p>
  )

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

/** What the text says, or the text itself while it is not JSON. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return unread(text, (error as Error).message)
  }
}

/** For values that no other input can show. */
export function JsonInput({ value, onChange, disabled, ...about }: FieldProps) {
  const text = useSignal(unreadIn(value)?.text ?? JSON.stringify(value ?? null, null, 2))
  return (
    <textarea
      class="mono"
      rows={4}
      value={text.value}
      disabled={disabled}
      {...aboutError(about)}
      onInput={event => {
        text.value = event.currentTarget.value
        onChange(read(text.value))
      }}
    />
  )
}

interface SearchProps {
  label: string
  /** The label unless given. */
  placeholder?: string
  text: string
  onText(text: string): void
  onKeyDown?(event: KeyboardEvent): void
  children?: ComponentChildren
}

/** A field that finds something in what is shown beside it. */
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

/** A switch that the address keeps: `on` is its value there. */
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
