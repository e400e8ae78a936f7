import { useContext } from 'preact/hooks'
import { isObject } from '../../../basics/json.ts'
import type { FieldInfo, Json, ModuleInfo, Row } from '../../types.ts'
import { ReferenceLink, useMissing } from '../resources/reference.tsx'
import { Referred } from './referred.ts'

const MAX_RULES = 4

/** The displayed fields of a policy or backend. */
interface Shown {
  rules?: { id: string; action: string; cidr: string }[]
  address?: string
}

/** Linked ids with policy rules or the backend address. */
function References({ ids, tables }: { ids: string[]; tables: string[] }) {
  const referred = useContext(Referred)
  const missing = useMissing(tables, referred ? ids.filter(id => !referred.has(id)) : [])
  return (
    <>
      {ids.map(id => {
        const { rules = [], address } = (referred?.get(id) ?? {}) as Shown
        return (
          <li key={id} class="mono wrap">
            {address && <span class="address">{address}</span>}
            <ReferenceLink id={id} tables={tables} missing={missing} />
            {rules.slice(0, MAX_RULES).map(rule => (
              <span key={rule.id} class="policy-rule muted">
                {rule.action === 'allow' ? '✓' : '✕'} {rule.action} {rule.cidr}
              </span>
            ))}
            {rules.length > MAX_RULES && <span class="policy-rule muted">and {rules.length - MAX_RULES} more</span>}
          </li>
        )
      })}
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
        {field.refers_to ? (
          <References ids={items} tables={field.refers_to} />
        ) : (
          items.map(item => (
            <li key={item} class="mono wrap">
              {item}
            </li>
          ))
        )}
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

export function Settings({ module, row }: { module: ModuleInfo; row: Row }) {
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
