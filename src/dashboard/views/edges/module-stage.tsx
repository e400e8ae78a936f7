import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { isObject } from '../../../basics/json.ts'
import { capital } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { FieldsInput } from '../../parts/fields-input.tsx'
import { initialValues, rejectedField } from '../../parts/form-values.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { MissingRecord, NameLink } from '../../parts/links.tsx'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { fillPath } from '../../state/kinds.ts'
import { writer } from '../../state/signals.ts'
import { api } from '../../state/simulator.ts'
import type { FieldInfo, Json, ModuleInfo, Row } from '../../types.ts'
import { EdgeData } from './edge-data.ts'

interface StageProps {
  icon: IconName
  title: string
  tone?: string
  children: ComponentChildren
}

/** One stage of the traffic through an edge. */
export const Stage = ({ icon, title, tone = '', children }: StageProps) => (
  <div class={`stage ${tone}`}>
    <h3>
      <Icon name={icon} /> {title}
    </h3>
    {children}
  </div>
)

const ICONS: Record<string, IconName> = { backend: 'cube', request_headers: 'resources' }

export const titleOf = ({ label }: ModuleInfo) => capital(label.replace(/ module$/, ''))
export const isBackend = ({ of }: ModuleInfo) => of.key === 'backend'

interface Props {
  module: ModuleInfo
  /** The edge or route with the module. */
  row: Row
  editing: boolean
  onEdit(on: boolean): void
}

/** The settings of a module, and the form that changes them through the API. */
export function ModuleStage({ module, row, editing, onEdit }: Props) {
  const { key } = module.of
  const value = row[key] as Json | undefined
  const path = fillPath(module.path, row)
  const tone = value === undefined ? 'absent' : value.enabled === false ? 'off' : 'on'
  const name = `the ${module.label} of ${row.id}`
  const verb = value ? 'Edit' : 'Set'
  const remove = () =>
    actIfConfirmed({
      title: `Remove ${name}?`,
      sentences: [
        `This calls DELETE ${path}. The module then no longer affects traffic. To bring it back, set it again.`,
      ],
      action: 'Remove',
      danger: true,
      run: () => api('DELETE', path),
      done: `Removed ${name}.`,
    })
  return (
    <Stage icon={ICONS[key] ?? 'edges'} title={titleOf(module)} tone={`module ${tone}`}>
      {editing ? (
        <ModuleForm module={module} row={row} onEdit={onEdit} />
      ) : (
        <>
          <Settings module={module} row={row} />
          <div class="actions">
            <Button look="small-button" label={`${verb} ${name}`} onClick={() => onEdit(true)}>
              {verb}
            </Button>
            {value && (
              <Button look="quiet small-button" label={`Remove ${name}`} onClick={remove}>
                Remove…
              </Button>
            )}
          </div>
        </>
      )}
    </Stage>
  )
}

function ModuleForm({ module, row, onEdit }: Omit<Props, 'editing'>) {
  const { fields, label, of, path } = module
  const values = useSignal(initialValues(fields, row[of.key] as Json | undefined))
  const { submit, error } = useSubmit(async () => {
    await api('PUT', fillPath(path, row), values.value)
    onEdit(false)
    return `Saved the ${label}.`
  })
  const errors = rejectedField(fields, values.value, error)
  return (
    <form class="form" onSubmit={submit}>
      <FieldsInput fields={fields} values={values.value} errors={errors} onChange={writer(values)} />
      <FormError error={Object.keys(errors).length > 0 ? undefined : error} />
      <div class="actions">
        <Button look="primary small-button" submit>
          Save
        </Button>
        <Button look="small-button" onClick={() => onEdit(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const MAX_RULES = 4

/** The displayed fields of a policy or backend. */
interface Shown {
  rules?: { id: string; action: string; cidr: string }[]
  address?: string
}

/** A linked id with its policy rules or backend address. Modules may still refer to a deleted policy. */
function Reference({ id }: { id: string }) {
  const { referred } = useContext(EdgeData)
  const { rules = [], address } = (referred?.rows.get(id) ?? {}) as Shown
  if (referred?.complete && !referred.rows.has(id)) return <MissingRecord id={id} />
  return (
    <>
      {address && <span class="address">{address}</span>}
      <NameLink text={id} />
      {rules.slice(0, MAX_RULES).map(rule => (
        <span key={rule.id} class="policy-rule muted">
          {rule.action === 'allow' ? '✓' : '✕'} {rule.action} {rule.cidr}
        </span>
      ))}
      {rules.length > MAX_RULES && <span class="policy-rule muted">and {rules.length - MAX_RULES} more</span>}
    </>
  )
}

/** Ids, names, or `name: value` pairs. */
const itemsOf = (value: unknown): string[] =>
  isObject(value) ? Object.entries(value).map(([name, text]) => `${name}: ${text}`) : [value ?? []].flat().map(String)

function Setting({ field, value, alone }: { field: FieldInfo; value: unknown; alone: boolean }) {
  const items = itemsOf(value)
  if (items.length === 0) return null
  return (
    <div class="setting">
      {/* A single string needs no label besides the module title. */}
      {(field.schema.type !== 'string' || !alone) && (
        <span class="muted">{(field.shown_as ?? field.name).replaceAll('_', ' ')}</span>
      )}
      <ul>
        {items.map(item => (
          <li key={item} class="mono wrap">
            {field.refers_to ? <Reference id={item} /> : item}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Settings({ module, row }: { module: ModuleInfo; row: Row }) {
  const value = row[module.of.key] as Json | undefined
  const shown = module.fields.filter(({ schema }) => schema.type !== 'boolean')
  const isEmpty = shown.every(({ name }) => itemsOf(value?.[name]).length === 0)
  // A backend overrides the upstream from the fixture.
  const upstream = isBackend(module) && row.upstream
  const nothing = isBackend(module) ? '○ none' : value ? 'empty' : '○ not set'
  return (
    <>
      {value && (
        <p>
          {value.enabled === false ? (
            <span class="tag quiet">○ disabled</span>
          ) : (
            <span class="tag accent">● enabled</span>
          )}
        </p>
      )}
      {shown.map(field => (
        <Setting key={field.name} field={field} value={value?.[field.name]} alone={shown.length === 1} />
      ))}
      {isEmpty && upstream && (
        <p>
          <code class="wrap">{String(upstream)}</code> <span class="muted">from the fixture</span>
        </p>
      )}
      {isEmpty && !upstream && <p class="muted">{nothing}</p>}
    </>
  )
}
