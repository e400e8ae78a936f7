import { Button } from './button.tsx'
import { Combobox, type ComboboxProps } from './combobox.tsx'
import type { InputAttributes } from './field-props.tsx'

interface Props extends Pick<ComboboxProps, 'placeholder' | 'typed' | 'options'> {
  label: string
  /** Shown if nothing is chosen. */
  none: string
  chosen: readonly string[]
  onChange(chosen: string[]): void
  input?: InputAttributes
}

/** Chosen values as tags, and a picker for more. */
export function TagsInput({ label, none, chosen, onChange, options, input = {}, ...rest }: Props) {
  const remove = (value: string) => onChange(chosen.filter(other => other !== value))
  return (
    <fieldset class="field tags-input" disabled={input.disabled}>
      <legend>
        {label} <span class="muted">{chosen.length === 0 ? none : chosen.length}</span>
      </legend>
      {chosen.length > 0 && (
        <ul class="tags">
          {chosen.map(value => (
            <li key={value} class="tag accent">
              {value}
              <Button look="quiet tag-button" icon="cross" label={`Remove ${value}`} onClick={() => remove(value)} />
            </li>
          ))}
        </ul>
      )}
      <Combobox
        {...rest}
        {...input}
        label={<span class="hidden">Add to {label}</span>}
        value=""
        options={options.filter(({ value }) => !chosen.includes(value))}
        onChoose={value => onChange([...chosen, value])}
      />
    </fieldset>
  )
}
