import { useSignal } from '@preact/signals'
import { FieldsInput, startOf } from '../../parts/fields-input.tsx'
import { notify } from '../../state/notices.ts'
import { hrefTo } from '../../state/place.ts'
import { api } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'
import { type Refusal, toRefusal } from '../../wire/refusal.ts'
import { fillPath, inPath, pathTo } from './paths.ts'
import { pictureOf } from './tables.ts'

interface Props {
  kind: Kind
  /** The record to change; without it one is created. */
  row?: Row
  /** What is filled in already for one to create. */
  given?: Json
  onDone(answer?: Json): void
}

/** What the path says is not optional. */
const fieldsOf = (kind: Kind): FieldInfo[] =>
  kind.fields.map(field => (inPath(kind, field.name) ? { ...field, required: true } : field))

const isModule = ({ fields, default: usual }: FieldInfo) => fields !== null && usual === null

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** A form made of the declared fields. What it sends, the simulated API receives like anybody's request. */
export function RecordForm({ kind, row, given, onDone }: Props) {
  const fields = fieldsOf(kind)
  const start = startOf(fields, row)
  const values = useSignal<Json>({ ...start, ...given })
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const sent = fields
    .filter(({ name }) => !inPath(kind, name))
    .filter(({ name, required }) => (!row && required) || !same(values.value[name], start[name]))
  const method = row ? 'PATCH' : 'POST'
  const path = row ? pathTo(kind, row) : fillPath(kind.path!, values.value)

  const picture = row && pictureOf(kind, row)

  async function save(event: Event) {
    event.preventDefault()
    busy.value = true
    refusal.value = undefined
    try {
      const body = Object.fromEntries(sent.map(({ name }) => [name, values.value[name]]))
      const answer = await api<Json>(method, path, body)
      notify('done', row ? `${row.id} was changed.` : `${answer.id} was created.`)
      onDone(answer)
    } catch (error) {
      refusal.value = toRefusal(error)
    }
    busy.value = false
  }

  return (
    <form class="form" onSubmit={save}>
      <FieldsInput
        fields={fields}
        values={values.value}
        existing={row}
        refused={refusal.value?.details.field}
        onChange={next => {
          values.value = next
        }}
      />
      {picture && fields.some(field => isModule(field) && row?.[field.name]) && (
        <p class="muted small-text">
          An update cannot take a module away; <a href={hrefTo(picture)}>Edges</a> can.
        </p>
      )}
      {refusal.value && (
        <p class="field-error" role="alert">
          {refusal.value.code && <code>{refusal.value.code}</code>} {refusal.value.message}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy.value || (row && sent.length === 0)}>
          {row ? 'Save' : 'Create'}
        </button>
        <button type="button" class="button" onClick={() => onDone()}>
          Cancel
        </button>
        <p class="muted small-text wrap">
          {method} {path}, in the journal like any call.
        </p>
      </div>
    </form>
  )
}
