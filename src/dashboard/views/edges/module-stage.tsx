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
import { setter, writer } from '../../state/signals.ts'
import { api } from '../../state/simulator.ts'
import type { FieldInfo, Json, ModuleInfo, Row } from '../../types.ts'
import { EdgeData } from './edge-data.ts'

interface StageProps {
  icon: IconName
  title: string
  tone?: string
  children?: ComponentChildren
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
  const name = `the ${label} of ${row.id}`
  const close = () => {
    editing.value = false
    onDone()
  }
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
      {editing.value ? (
        <ModuleForm module={module} value={value} path={path} onDone={close} />
      ) : (
        <>
          <Settings module={module} row={row} />
          <div class="actions">
            <Button look="small-button" label={`${value ? 'Edit' : 'Set'} ${name}`} onClick={setter(editing, true)}>
              {value ? 'Edit' : 'Set'}
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

interface FormProps {
  module: ModuleInfo
  value: Json | undefined
  path: string
  onDone(): void
}

function ModuleForm({ module: { fields, label }, value, path, onDone }: FormProps) {
  const values = useSignal(initialValues(fields, value))
  const { submit, error } = useSubmit(async () => {
    await api('PUT', path, values.value)
    onDone()
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
        <Button look="small-button" onClick={onDone}>
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

/** The upstream from the fixture, used if no backend is set. */
const Upstream = ({ address }: { address: unknown }) =>
  address ? (
    <p>
      <code class="wrap">{String(address)}</code> <span class="muted">from the fixture</span>
    </p>
  ) : (
    <p class="muted">○ none</p>
  )

function Settings({ module, row }: { module: ModuleInfo; row: Row }) {
  const value = row[module.of.key] as Json | undefined
  const isEnd = module.of.key === 'backend'
  if (!value) return isEnd ? <Upstream address={row.upstream} /> : <p class="muted">○ not set</p>
  const rest = module.fields.filter(({ schema }) => schema.type !== 'boolean')
  const empty = rest.every(({ name }) => itemsOf(value[name]).length === 0)
  return (
    <>
      <p>
        {value.enabled === false ? (
          <span class="tag quiet">○ disabled</span>
        ) : (
          <span class="tag accent">● enabled</span>
        )}
      </p>
      {rest.map(field => (
        <Setting key={field.name} field={field} value={value[field.name]} alone={rest.length === 1} />
      ))}
      {empty && (isEnd ? <Upstream address={row.upstream} /> : <p class="muted">empty</p>)}
    </>
  )
}
