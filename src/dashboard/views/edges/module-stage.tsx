import { useSignal } from '@preact/signals'
import { FieldInput } from '../../parts/field-input.tsx'
import { act } from '../../state/act.ts'
import { ask } from '../../state/ask.ts'
import { notify } from '../../state/notices.ts'
import { api } from '../../state/simulator.ts'
import type { Json, ModuleInfo } from '../../types.ts'
import { type Refusal, toRefusal } from '../../wire/refusal.ts'
import { Settings } from './settings.tsx'
import { Stage } from './stage.tsx'

interface Props {
  module: ModuleInfo
  value: Json | undefined
  /** Of the record and of its part: what the path's parameters stand for, in order. */
  ids: string[]
}

const titleOf = ({ label }: ModuleInfo) => {
  const text = label.replace(/ module$/, '')
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}

/** A module where it does its work: what it is set to, and the form to set it, through the API. */
export function ModuleStage({ module, value, ids }: Props) {
  const editing = useSignal(false)
  const left = [...ids]
  const path = module.path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''))
  const tone = value === undefined ? 'absent' : value.enabled === false ? 'off' : 'on'
  const of = ids.at(-1)!

  async function remove() {
    const sentences = [
      `DELETE ${path} is called, like any client would: traffic then passes as if there never was one.`,
    ]
    if (await ask({ title: `Remove the ${module.label} of ${of}?`, sentences, action: 'Remove', danger: true }))
      await act(() => api('DELETE', path), `The ${module.label} of ${of} was removed.`)
  }

  return (
    <Stage icon={module.of.part ? 'resources' : 'edges'} title={titleOf(module)} tone={`module ${tone}`}>
      {editing.value ? (
        <ModuleForm
          module={module}
          value={value}
          path={path}
          onDone={() => {
            editing.value = false
          }}
        />
      ) : (
        <>
          <Settings module={module} value={value} />
          <div class="actions">
            <button
              type="button"
              class="button small-button"
              aria-label={`${value ? 'Edit' : 'Set'} the ${module.label} of ${of}`}
              onClick={() => {
                editing.value = true
              }}
            >
              {value ? 'Edit' : 'Set'}
            </button>
            {value && (
              <button
                type="button"
                class="button quiet small-button"
                aria-label={`Remove the ${module.label} of ${of}`}
                onClick={remove}
              >
                Remove…
              </button>
            )}
          </div>
        </>
      )}
    </Stage>
  )
}

function ModuleForm({
  module,
  value,
  path,
  onDone,
}: {
  module: ModuleInfo
  value: Json | undefined
  path: string
  onDone(): void
}) {
  const start = Object.fromEntries(module.fields.map(field => [field.name, value?.[field.name] ?? field.default]))
  const values = useSignal<Json>(start)
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
      {module.fields.map(field => (
        <FieldInput
          key={field.name}
          field={field}
          value={values.value[field.name]}
          onChange={next => {
            values.value = { ...values.value, [field.name]: next }
          }}
        />
      ))}
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
