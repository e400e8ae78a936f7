import { useId } from 'preact/hooks'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { useRemote } from '../state/remote.ts'
import { sandboxControl } from '../state/simulator.ts'
import type { Row } from '../types.ts'
import { errorAttributes, type FieldProps } from './field-props.tsx'

const MAX_CHOICES = 200

/** The records that can be referenced. */
function useChoices(tables: string[]): Row[] {
  const { data } = useRemote(`${sandbox.value} choices ${tables}`, stateVersion.value, async signal => {
    const pages = await Promise.all(
      tables.map(table =>
        sandboxControl<{ data: Row[] }>('GET', `/db/${table}?_page=1&_per_page=${MAX_CHOICES}`, { signal }),
      ),
    )
    return pages.flatMap(page => page.data)
  })
  return data ?? []
}

export function ReferenceInput({ field, value, onChange, disabled, ...about }: FieldProps) {
  const choices = useChoices(field.refers_to!)
  const id = useId()
  return (
    <>
      <input
        type="text"
        list={id}
        value={(value as string | undefined) ?? ''}
        disabled={disabled}
        required={field.required}
        {...errorAttributes(about)}
        onInput={event => onChange(event.currentTarget.value || undefined)}
      />
      <datalist id={id}>
        {choices.map(row => (
          <option key={row.id} value={row.id}>
            {String(row.name ?? row.description ?? '')}
          </option>
        ))}
      </datalist>
    </>
  )
}

export function ReferencesInput({ field, value, onChange, disabled, error, describedBy }: FieldProps) {
  const chosen = (value as string[] | undefined) ?? []
  const choices = useChoices(field.refers_to!)
  const missing = chosen.filter(id => !choices.some(row => row.id === id)).map((id): Row => ({ id }))
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter(other => other !== id))
  return (
    <fieldset
      class="field choices"
      disabled={disabled}
      aria-describedby={error === undefined ? undefined : describedBy}
    >
      <legend>{field.name}</legend>
      {[...choices, ...missing].map(row => (
        <label key={row.id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(row.id)}
            onChange={event => toggle(row.id, event.currentTarget.checked)}
          />
          <span class="mono">{row.id}</span>
          <span class="muted clip">{String(row.description ?? row.name ?? '')}</span>
        </label>
      ))}
      {choices.length === 0 && <p class="muted">No records to choose from.</p>}
    </fieldset>
  )
}
