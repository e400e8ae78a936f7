import { useSignal } from '@preact/signals'
import { rejectedField } from '../../parts/field-errors.ts'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { initialValues } from '../../parts/form-values.ts'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { api } from '../../state/simulator.ts'
import type { Json, ModuleInfo } from '../../types.ts'

interface Props {
  module: ModuleInfo
  value: Json | undefined
  path: string
  onDone(): void
}

export function ModuleForm({ module, value, path, onDone }: Props) {
  const values = useSignal(initialValues(module.fields, value))
  const { submit, error } = useSubmit(async () => {
    await api('PUT', path, values.value)
    onDone()
    return `Saved the ${module.label}.`
  })
  const errors = rejectedField(module.fields, values.value, error)
  return (
    <form class="form" onSubmit={submit}>
      <FieldsInput
        fields={module.fields}
        values={values.value}
        errors={errors}
        onChange={next => {
          values.value = next
        }}
      />
      <FormError error={Object.keys(errors).length > 0 ? undefined : error} />
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
