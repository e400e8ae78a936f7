import { hrefTo } from '../../state/place.ts'
import type { FieldInfo, Json, ModuleInfo } from '../../types.ts'
import { tableOf } from '../resources/tables.ts'
import { useReferred } from './referred.ts'

const MOST = 4

interface Policy {
  rules?: { action: string; cidr: string }[]
}

/** An id, with what stands behind it in a few words. */
function Reference({ id, tables }: { id: string; tables: string[] }) {
  const row = useReferred(id)
  const table = tableOf(id, tables)
  const { rules = [] } = (row ?? {}) as Policy
  return (
    <>
      {table ? <a href={hrefTo(['resources', table, id])}>{id}</a> : id}
      {rules.slice(0, MOST).map(({ action, cidr }) => (
        <span key={`${action} ${cidr}`} class="policy-rule muted">
          {action === 'allow' ? '✓' : '✕'} {action} {cidr}
        </span>
      ))}
      {rules.length > MOST && <span class="policy-rule muted">and {rules.length - MOST} more</span>}
    </>
  )
}

function Setting({ field, value }: { field: FieldInfo; value: unknown }) {
  const items = Array.isArray(value)
    ? value.map(String)
    : Object.entries((value as Record<string, string> | undefined) ?? {}).map(([name, text]) => `${name}: ${text}`)
  if (items.length === 0) return null
  return (
    <div class="setting">
      <span class="muted">{(field.shown_as ?? field.name).replaceAll('_', ' ')}</span>
      <ul>
        {items.map(item => (
          <li key={item} class="mono wrap">
            {field.refers_to ? <Reference id={item} tables={field.refers_to} /> : item}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What a module is set to, in as few words as will do. */
export function Settings({ module, value }: { module: ModuleInfo; value: Json | undefined }) {
  if (!value) return <p class="muted">○ not set: passes everything as it is</p>
  const rest = module.fields.filter(({ schema }) => schema.type !== 'boolean')
  const empty = rest.every(({ name }) => Object.keys((value[name] as object | undefined) ?? {}).length === 0)
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
        <Setting key={field.name} field={field} value={value[field.name]} />
      ))}
      {empty && <p class="muted">nothing in it</p>}
    </>
  )
}
