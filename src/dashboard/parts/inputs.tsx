import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { NAME } from '../../contract/names.ts'
import { amendQuery, place } from '../state/place.ts'
import { writer } from '../state/signals.ts'
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

/** The value of a text input, and the handler that updates it. */
export const bind = (text: Signal<string>) => ({
  value: text.value,
  onInput: (event: { currentTarget: { value: string } }) => writer(text)(event.currentTarget.value),
})

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

export type Choice<T extends string = string> = T | readonly [value: T, text: string]

interface ChoiceProps<T extends string> {
  label: string
  value: T
  choices: readonly Choice<T>[]
  onChange(value: T): void
}

const pairOf = <T extends string>(choice: Choice<T>) =>
  (typeof choice === 'string' ? [choice, choice] : choice) as [T, string]

interface SelectProps<T extends string> extends ChoiceProps<T> {
  /** Shows only the value. Screen readers still get the label. */
  bare?: boolean
  hint?: string
  required?: boolean
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

export function Select<T extends string>({ label, hint, bare, choices, onChange, ...rest }: SelectProps<T>) {
  const select = (
    <select {...rest} onChange={event => onChange(event.currentTarget.value as T)}>
      {choices.map(pairOf).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  if (!bare)
    return (
      <Field label={label} hint={hint}>
        {select}
      </Field>
    )
  return (
    <label>
      <span class="hidden">{label}</span>
      {select}
    </label>
  )
}

/** A segmented control. */
export function Segments<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  const id = useId()
  // The parent may reject a choice. Then the previous one is checked again.
  const [, render] = useState({})
  return (
    <fieldset class="switch words">
      <legend class="hidden">{label}</legend>
      {choices.map(pairOf).map(([each, text]) => (
        <label key={each}>
          <input
            type="radio"
            name={id}
            class="hidden"
            checked={each === value}
            onChange={() => {
              onChange(each)
              render({})
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

interface CheckProps {
  label: ComponentChildren
  checked: boolean
  onChange(on: boolean): void
  disabled?: boolean
}

export const Check = ({ label, checked, onChange, disabled }: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={event => onChange(event.currentTarget.checked)}
    />
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
    <input type="search" placeholder={placeholder} value={text} onInput={event => onText(event.currentTarget.value)} />
    {children}
  </label>
)

/** Whether the text contains all words, in any order and case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => lower.includes(word))
}
