import { useSignal } from '@preact/signals'
import { Icon } from '../../parts/icon.tsx'
import { SearchBox } from '../../parts/inputs.tsx'
import { resources } from '../../state/simulator.ts'

interface Props {
  chosen: string[]
  onChange(chosen: string[]): void
}

/** A searchable list of checkboxes. Selected operations are also listed above. */
export function OperationsInput({ chosen, onChange }: Props) {
  const text = useSignal('')
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (resources.value?.operations ?? []).filter(({ id, method, path }) => {
    const all = `${id} ${method} ${path}`.toLowerCase()
    return words.every(word => all.includes(word))
  })
  const remove = (id: string) => onChange(chosen.filter(other => other !== id))
  return (
    <fieldset class="field operations">
      <legend>
        Operations <span class="muted">{chosen.length === 0 ? 'any' : chosen.length}</span>
      </legend>
      {chosen.length > 0 && (
        <ul class="tags">
          {chosen.map(id => (
            <li key={id}>
              <button type="button" class="tag accent" aria-label={`Remove ${id}`} onClick={() => remove(id)}>
                {id} <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <SearchBox
        label="Find operations"
        placeholder="create api_key"
        text={text.value}
        onText={typed => {
          text.value = typed
        }}
      />
      <div class="operation-list">
        {found.map(({ id, method, path }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={event => (event.currentTarget.checked ? onChange([...chosen, id]) : remove(id))}
            />
            <span>{id}</span>
            <span class="muted mono clip">
              {method} {path}
            </span>
          </label>
        ))}
        {found.length === 0 && <p class="muted">No matching operations.</p>}
      </div>
    </fieldset>
  )
}
