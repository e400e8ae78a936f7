import { useSignal } from '@preact/signals'
import type { Json } from '../types.ts'
import type { FieldProps } from './field-props.tsx'
import { Icon } from './icon.tsx'

type Pair = [name: string, text: string]

interface Props extends Omit<FieldProps, 'field'> {
  label: string
  numbers?: boolean
}

/** One row per name and value. The rows are local state, because an object cannot hold rows without a name. */
export function PairsInput({ value, onChange, disabled, label, numbers, error, describedBy }: Props) {
  const rows = useSignal(
    Object.entries((value as Json | undefined) ?? {}).map(([name, each]) => [name, String(each)] as Pair),
  )
  const set = (next: Pair[]) => {
    rows.value = next
    const named = next.filter(([name]) => name !== '')
    onChange(Object.fromEntries(named.map(([name, text]) => [name, numbers && text !== '' ? Number(text) : text])))
  }
  const amend = (at: number, pair: Pair) => set(rows.value.map((row, i) => (i === at ? pair : row)))
  return (
    <fieldset
      class="field pairs-input"
      disabled={disabled}
      aria-describedby={error === undefined ? undefined : describedBy}
    >
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
            inputMode={numbers ? 'decimal' : undefined}
            pattern={numbers ? '-?[0-9.]+' : undefined}
            title={numbers ? 'A number' : undefined}
            aria-label={`Value ${i + 1}`}
            placeholder="Value"
            value={text}
            onInput={event => amend(i, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="button quiet small"
            aria-label={`Remove ${name || 'row'}`}
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
