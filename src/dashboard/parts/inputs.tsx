import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { NAME } from '../../contract/names.ts'
import { amendQuery, place } from '../state/place.ts'
import { writer } from '../state/signals.ts'
import type { InputAttributes } from './field-props.tsx'
import { Icon } from './icon.tsx'

interface LabelledProps {
  label: ComponentChildren
  /** Shown next to the label. */
  hint?: ComponentChildren
  class?: string
  children: ComponentChildren
}

export const Field = ({ label, hint, class: more = '', children }: LabelledProps) => (
  <label class={`field ${more}`}>
    <span>
      {label} {hint && <span class="muted">{hint}</span>}
    </span>
    {children}
  </label>
)

/** Passes the typed text to a handler. */
export const typed = (onText: (text: string) => void) => (event: { currentTarget: { value: string } }) =>
  onText(event.currentTarget.value)

/** The value of a text input, and the handler that updates it. */
export const bind = (text: Signal<string>) => ({ value: text.value, onInput: typed(writer(text)) })

/** A required single-line input. */
export const TextField = ({ label, text }: { label: string; text: Signal<string> }) => (
  <Field label={label}>
    <input type="text" required {...bind(text)} />
  </Field>
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
      {...bind(name)}
    />
  </label>
)

interface ChoiceProps<T extends string, C = string> {
  label: string
  value: T
  choices: readonly (T | readonly [value: T, content: C])[]
  onChange(value: T): void
}

const pairOf = <T extends string, C>(choice: T | readonly [value: T, content: C]): readonly [T, C | T] =>
  typeof choice === 'string' ? [choice, choice] : choice

interface SelectProps<T extends string> extends ChoiceProps<T>, InputAttributes {
  /** Shows only the value. Screen readers still get the label. */
  bare?: boolean
  hint?: string
  required?: boolean
}

export function Select<T extends string>({ label, hint, bare, choices, onChange, ...rest }: SelectProps<T>) {
  const select = (
    <select {...rest} aria-label={bare ? label : undefined} onChange={typed(value => onChange(value as T))}>
      {choices.map(pairOf).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  return bare ? (
    select
  ) : (
    <Field label={label} hint={hint}>
      {select}
    </Field>
  )
}

export function Segments<T extends string>({ label, value, choices, onChange }: ChoiceProps<T, ComponentChildren>) {
  const id = useId()
  return (
    <fieldset class="switch">
      <legend class="hidden">{label}</legend>
      {choices.map(pairOf).map(([each, content]) => (
        <label key={each}>
          <input type="radio" name={id} class="hidden" checked={each === value} onChange={() => onChange(each)} />
          {content}
        </label>
      ))}
    </fieldset>
  )
}

interface CheckProps extends InputAttributes {
  label: ComponentChildren
  checked: boolean
  onChange(on: boolean): void
}

export const Check = ({ label, onChange, ...rest }: CheckProps) => (
  <label class="check">
    <input type="checkbox" {...rest} onChange={event => onChange(event.currentTarget.checked)} />
    {label}
  </label>
)

/** A checkbox stored in the URL query; `on` is its value there. */
export const AddressCheck = ({ name, on, label }: { name: string; on: string; label: string }) => (
  <Check
    label={label}
    checked={place.value.query[name] === on}
    onChange={checked => amendQuery({ [name]: checked ? on : undefined })}
  />
)

interface SearchProps {
  label: string
  /** Default: the label. */
  placeholder?: string
  text: string
  onText(text: string): void
  children?: ComponentChildren
}

export const SearchBox = ({ label, placeholder = label, text, onText, children }: SearchProps) => (
  <label class="search-box">
    <span class="hidden">{label}</span>
    <Icon name="search" />
    <input type="search" placeholder={placeholder} value={text} onInput={typed(onText)} />
    {children}
  </label>
)
