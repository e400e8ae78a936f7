import { useSignal } from '@preact/signals'
import type { Json } from '../types.ts'
import { Button } from './button.tsx'
import type { InputAttributes } from './field-props.tsx'
import { typed } from './inputs.tsx'

type Pair = [name: string, text: string]

interface Props {
  label: string
  value: unknown
  onChange(value: Json): void
  numbers?: boolean
  input?: InputAttributes
}

/** One row per name and value. The rows are local state, because an object cannot hold rows without a name. */
export function PairsInput({ label, value, onChange, numbers, input = {} }: Props) {
  const rows = useSignal(Object.entries((value as Json) ?? {}).map(([name, each]): Pair => [name, String(each)]))
  const set = (next: Pair[]) => {
    rows.value = next
    const named = next.filter(([name]) => name !== '')
    onChange(Object.fromEntries(named.map(([name, text]) => [name, numbers && text !== '' ? Number(text) : text])))
  }
  const number = numbers && ({ inputMode: 'decimal', pattern: '-?[0-9.]+', title: 'A number' } as const)
  return (
    <fieldset class="field pairs-input" disabled={input.disabled} aria-describedby={input['aria-describedby']}>
      <legend>{label}</legend>
      {rows.value.map(([name, text], i) => (
        <div key={i} class="pair">
          <input
            type="text"
            aria-label={`Name ${i + 1}`}
            placeholder="Name"
            value={name}
            onInput={typed(next => set(rows.value.with(i, [next, text])))}
          />
          <input
            type="text"
            {...number}
            aria-label={`Value ${i + 1}`}
            placeholder="Value"
            value={text}
            onInput={typed(next => set(rows.value.with(i, [name, next])))}
          />
          <Button
            look="quiet small"
            icon="cross"
            label={`Remove ${name || 'row'}`}
            onClick={() => set(rows.value.toSpliced(i, 1))}
          />
        </div>
      ))}
      <Button look="quiet" icon="plus" onClick={() => set([...rows.value, ['', '']])}>
        Add
      </Button>
    </fieldset>
  )
}
