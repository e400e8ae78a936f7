import { useSignal } from '@preact/signals'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { startOf } from '../../parts/form-values.ts'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { hrefTo } from '../../state/place.ts'
import { api } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'
import { fillPath, inPath, pathTo, pictureOf } from './kinds.ts'

interface Props {
  kind: Kind
  /** The record to change; without it one is created. */
  row?: Row
  /** Values of a new record that are filled in already. */
  given?: Json
  onDone(answer?: Json): void
}

/** Fields in the path are required. */
const fieldsOf = (kind: Kind): FieldInfo[] =>
  kind.fields
    .filter(({ asked }) => asked)
    .map(field => (inPath(kind, field.name) ? { ...field, required: true } : field))

const isModule = ({ fields, default: usual }: FieldInfo) => fields !== null && usual === null

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** A form made of the declared fields. It calls the simulated API, like any client. */
export function RecordForm({ kind, row, given, onDone }: Props) {
  const fields = fieldsOf(kind)
  const start = startOf(fields, row)
  const values = useSignal<Json>({ ...start, ...given })
  const sent = fields
    .filter(({ name }) => !inPath(kind, name))
    .filter(({ name, required }) => (!row && required) || !same(values.value[name], start[name]))
    // An update that leaves out a value keeps it: what was taken away here would not be taken away.
    .filter(({ name }) => !row || values.value[name] !== undefined)
  const method = row ? 'PATCH' : 'POST'
  const path = row ? pathTo(kind, row) : fillPath(kind.path!, values.value)

  const picture = row && pictureOf(kind, row)

  const { submit, busy, error } = useSubmit(async () => {
    const body = Object.fromEntries(sent.map(({ name }) => [name, values.value[name]]))
    const answer = await api<Json>(method, path, body)
    onDone(answer)
    return row ? `${row.id} was changed.` : `${answer.id} was created.`
  })

  return (
    <form class="form" onSubmit={submit}>
      <FieldsInput
        fields={fields}
        values={values.value}
        existing={row}
        refused={error?.details.field}
        onChange={next => {
          values.value = next
        }}
      />
      {picture && fields.some(field => isModule(field) && row?.[field.name]) && (
        <p class="muted small-text">
          An update cannot remove a module; <a href={hrefTo(picture)}>Edges</a> can.
        </p>
      )}
      <FormError error={error} />
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy || (row && sent.length === 0)}>
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
