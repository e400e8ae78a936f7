import { useId } from 'preact/hooks'

interface Props<T extends string> {
  label: string
  options: readonly (readonly [value: T, label: string])[]
  value: T
  onChange(value: T): void
}

/** A segmented control. */
export function Segments<T extends string>({ label, options, value, onChange }: Props<T>) {
  const id = useId()
  return (
    <fieldset class="switch words">
      <legend class="hidden">{label}</legend>
      {options.map(([each, text]) => (
        <label key={each}>
          {/* The parent may reject a choice, so `checked` follows only the value. */}
          <input
            type="radio"
            name={id}
            class="hidden"
            checked={each === value}
            onClick={event => {
              if (each !== value) event.preventDefault()
              onChange(each)
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
