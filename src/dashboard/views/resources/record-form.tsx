import { useSignal } from '@preact/signals'
import { FieldInput } from '../../parts/field-input.tsx'
import { notify } from '../../state/notices.ts'
import { api } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'
import { type Refusal, toRefusal } from '../../wire/refusal.ts'

interface Props {
  kind: Kind
  /** The record to change; without it one is created. */
  row?: Row
  onDone(answer?: Json): void
}

const startOf = (fields: FieldInfo[], row: Row | undefined): Json =>
  Object.fromEntries(fields.map(({ name, default: usual }) => [name, row?.[name] ?? usual ?? undefined]))

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** A form made of the declared fields. What it sends, the simulated API receives like anybody's request. */
export function RecordForm({ kind, row, onDone }: Props) {
  const start = startOf(kind.fields, row)
  const values = useSignal(start)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const changed = Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !same(value, start[name])))

  async function save(event: Event) {
    event.preventDefault()
    busy.value = true
    refusal.value = undefined
    try {
      const answer = row
        ? await api<Json>('PATCH', `${kind.path}/${row.id}`, changed)
        : await api<Json>('POST', kind.path!, changed)
      notify('done', row ? `${row.id} was changed.` : `${answer.id} was created.`)
      onDone(answer)
    } catch (error) {
      refusal.value = toRefusal(error)
    }
    busy.value = false
  }

  return (
    <form class="form" onSubmit={save}>
      {kind.fields.map(field => (
        <FieldInput
          key={field.name}
          field={field}
          value={values.value[field.name]}
          disabled={row !== undefined && field.create_only}
          wrong={refusal.value?.details.field === field.name}
          onChange={value => {
            values.value = { ...values.value, [field.name]: value }
          }}
        />
      ))}
      {refusal.value && (
        <p class="field-error" role="alert">
          {refusal.value.code && <code>{refusal.value.code}</code>} {refusal.value.message}
        </p>
      )}
      <div class="actions">
        <button
          type="submit"
          class="button primary"
          disabled={busy.value || (row && Object.keys(changed).length === 0)}
        >
          {row ? 'Save' : 'Create'}
        </button>
        <button type="button" class="button" onClick={() => onDone()}>
          Cancel
        </button>
        <p class="muted small-text">
          {row ? `PATCH ${kind.path}/${row.id}` : `POST ${kind.path}`}, in the journal like any call.
        </p>
      </div>
    </form>
  )
}
