import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { capital } from '../../../basics/text.ts'
import { confirmAction } from '../../parts/dialog.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import { fillPath } from '../../state/kinds.ts'
import { api } from '../../state/simulator.ts'
import type { Json, ModuleInfo, Row } from '../../types.ts'
import { ModuleForm } from './module-form.tsx'
import { Settings } from './settings.tsx'

interface StageProps {
  icon: IconName
  title: string
  tone?: string
  children?: ComponentChildren
}

/** One stage of the traffic through an edge. */
export function Stage({ icon, title, tone = '', children }: StageProps) {
  return (
    <div class={`stage ${tone}`}>
      <h3>
        <Icon name={icon} /> {title}
      </h3>
      {children}
    </div>
  )
}

const ICONS: Record<string, IconName> = { backend: 'cube', request_headers: 'resources' }

export const titleOf = ({ label }: ModuleInfo) => capital(label.replace(/ module$/, ''))

interface Props {
  module: ModuleInfo
  row: Row
  startsOpen: boolean
  onDone(): void
}

/** The settings of a module, and the form that changes them through the API. */
export function ModuleStage({ module, row, startsOpen, onDone }: Props) {
  const editing = useSignal(startsOpen)
  const { label } = module
  const { key } = module.of
  const value = row[key] as Json | undefined
  const path = fillPath(module.path, row)
  const tone = value === undefined ? 'absent' : value.enabled === false ? 'off' : 'on'

  async function remove() {
    const sentences = [
      `This calls DELETE ${path}. The module then no longer affects traffic. To bring it back, set it again.`,
    ]
    if (await confirmAction({ title: `Remove the ${label} of ${row.id}?`, sentences, action: 'Remove', danger: true }))
      await act(() => api('DELETE', path), `Removed the ${label} of ${row.id}.`)
  }

  return (
    <Stage icon={ICONS[key] ?? 'edges'} title={titleOf(module)} tone={`module ${tone}`}>
      {editing.value ? (
        <ModuleForm
          module={module}
          value={value}
          path={path}
          onDone={() => {
            editing.value = false
            onDone()
          }}
        />
      ) : (
        <>
          <Settings module={module} row={row} />
          <div class="actions">
            <button
              type="button"
              class="button small-button"
              aria-label={`${value ? 'Edit' : 'Set'} the ${label} of ${row.id}`}
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
                aria-label={`Remove the ${label} of ${row.id}`}
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
