import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'

interface Props {
  kind: Kind
  row?: Row
  /** Values of a new record that are filled in already. */
  given?: Json
  onDone(answer?: Json): void
}

/** A value that its author can start from. None for what need not be given and would be refused when empty. */
function emptyOf({ schema, required, refers_to, default: usual }: FieldInfo): unknown {
  if (usual !== null) return usual
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'string') return required || !refers_to ? '' : undefined
  if (schema.type === 'array') return []
  return required ? null : undefined
}

/** A new record, to be filled in. */
const template = ({ prefix, fields }: Kind): Json => ({
  id: `${prefix}_new`,
  ...Object.fromEntries(fields.map(field => [field.name, emptyOf(field)])),
})

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Not JSON: ${(error as Error).message}`)
  }
}

/** Edits the stored record. It is checked like a fixture and is one change; the API is not called. */
export function RawEditor({ kind, row, given, onDone }: Props) {
  const text = useSignal(JSON.stringify(row ?? { ...template(kind), ...given }, null, 2))
  const id = useId()
  const { submit, error } = useSubmit(async () => {
    const body = parse(text.value)
    const path = `/db/${kind.table}`
    const answer = row
      ? await sandboxControl<Json>('PUT', `${path}/${encodeURIComponent(row.id)}`, { body })
      : await sandboxControl<Json>('POST', path, { body })
    onDone(answer)
    return row ? `${row.id} was replaced.` : `${answer.id} was added.`
  })

  return (
    <form class="form" onSubmit={submit}>
      <label class="field">
        <span>The record as JSON</span>
        <textarea
          class="mono"
          spellcheck={false}
          wrap="off"
          rows={Math.min(28, Math.max(8, text.value.split('\n').length + 1))}
          value={text.value}
          aria-invalid={error !== undefined}
          aria-describedby={id}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
      </label>
      <div id={id}>
        <FormError error={error} />
      </div>
      <div class="actions">
        <button type="submit" class="button primary">
          {row ? 'Replace' : 'Add'}
        </button>
        <button type="button" class="button" onClick={() => onDone()}>
          Cancel
        </button>
        <p class="muted small-text">Directly in the state, through /_sim/db; not in the journal.</p>
      </div>
    </form>
  )
}
