import { useSignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { isObject } from '../../../basics/json.ts'
import { capital } from '../../../basics/text.ts'
import type { PolicyRule } from '../../../contract/traffic.ts'
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
import type { Json, ModuleInfo, Row } from '../../types.ts'
import { EdgeData } from './edge-data.ts'

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
  const value = row[module.of.key] as Json | undefined
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
    <div class={`stage module ${tone}`}>
      <h3>
        <Icon name={ICONS[module.of.key] ?? 'edges'} /> {titleOf(module)}
      </h3>
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
    </div>
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

/** A linked id with its policy rules or backend address. Modules may still refer to a deleted policy. */
function Reference({ id }: { id: string }) {
  const { referred } = useContext(EdgeData)
  const { address, rules = [] } = (referred?.rows.get(id) ?? {}) as { address?: string; rules?: PolicyRule[] }
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

function Settings({ module, row }: { module: ModuleInfo; row: Row }) {
  const value = row[module.of.key] as Json | undefined
  const isOff = value?.enabled === false
  const fields = module.fields.filter(({ schema }) => schema.type !== 'boolean')
  const filled = fields.filter(({ name }) => itemsOf(value?.[name]).length > 0)
  // A single string needs no label besides the module title.
  const isLabelled = fields.length > 1 || fields[0]?.schema.type !== 'string'
  // A backend overrides the upstream from the fixture.
  const upstream = isBackend(module) && row.upstream
  const nothing = isBackend(module) ? '○ none' : value ? 'empty' : '○ not set'
  return (
    <>
      {value && (
        <p>
          <span class={`tag ${isOff ? 'quiet' : 'accent'}`}>{isOff ? '○ disabled' : '● enabled'}</span>
        </p>
      )}
      {filled.map(({ name, shown_as, refers_to }) => (
        <div key={name} class="setting">
          {isLabelled && <span class="muted">{(shown_as ?? name).replaceAll('_', ' ')}</span>}
          <ul>
            {itemsOf(value?.[name]).map(item => (
              <li key={item} class="mono wrap">
                {refers_to ? <Reference id={item} /> : item}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {filled.length === 0 && upstream && (
        <p>
          <code class="wrap">{String(upstream)}</code> <span class="muted">from the fixture</span>
        </p>
      )}
      {filled.length === 0 && !upstream && <p class="muted">{nothing}</p>}
    </>
  )
}
