import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'
import type { FieldProps } from './inputs.tsx'

/** One row for each name and value. Rows are kept here, as an object cannot have a row whose name is still empty. */
export function PairsInput({ value, onChange, disabled, label }: Omit<FieldProps, 'field'> & { label: string }) {
  const rows = useSignal(Object.entries((value as Record<string, string> | undefined) ?? {}))
  const set = (next: [string, string][]) => {
    rows.value = next
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')))
  }
  const amend = (at: number, pair: [string, string]) => set(rows.value.map((row, i) => (i === at ? pair : row)))
  return (
    <fieldset class="field pairs-input" disabled={disabled}>
      <legend>{label}</legend>
      {rows.value.map(([name, text], i) => (
        <div key={i} class="pair">
          <input
            type="text"
            aria-label={`Name ${i + 1}`}
            placeholder="Name"
            value={name}
            onInput={event => amend(i, [event.currentTarget.value, text])}
          />
          <input
            type="text"
            aria-label={`Value ${i + 1}`}
            placeholder="Value"
            value={text}
            onInput={event => amend(i, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="button quiet small"
            aria-label={`Remove ${name || 'the row'}`}
            onClick={() => set(rows.value.filter((_, other) => other !== i))}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <button type="button" class="button quiet" onClick={() => set([...rows.value, ['', '']])}>
        <Icon name="plus" /> Add
      </button>
    </fieldset>
  )
}
