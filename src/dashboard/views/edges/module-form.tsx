import { useSignal } from '@preact/signals'
import { FieldsInput, startOf } from '../../parts/fields-input.tsx'
import { notify } from '../../state/notices.ts'
import { api } from '../../state/simulator.ts'
import type { Json, ModuleInfo } from '../../types.ts'
import { type Refusal, toRefusal } from '../../wire/refusal.ts'

interface Props {
  module: ModuleInfo
  value: Json | undefined
  path: string
  onDone(): void
}

export function ModuleForm({ module, value, path, onDone }: Props) {
  const values = useSignal(startOf(module.fields, value))
  const refusal = useSignal<Refusal | undefined>(undefined)
  async function save(event: Event) {
    event.preventDefault()
    try {
      await api('PUT', path, values.value)
      notify('done', `PUT ${path}: done.`)
      onDone()
    } catch (error) {
      refusal.value = toRefusal(error)
    }
  }
  return (
    <form class="form" onSubmit={save}>
      <FieldsInput
        fields={module.fields}
        values={values.value}
        refused={refusal.value?.details.field}
        onChange={next => {
          values.value = next
        }}
      />
      {refusal.value && (
        <p class="field-error" role="alert">
          {refusal.value.message}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary small-button">
          Save
        </button>
        <button type="button" class="button small-button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  )
}
