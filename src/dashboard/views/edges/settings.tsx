import { hrefTo } from '../../state/place.ts'
import type { FieldInfo, Json, ModuleInfo } from '../../types.ts'
import { tableOf } from '../resources/tables.ts'

function Setting({ field, value }: { field: FieldInfo; value: unknown }) {
  const items = Array.isArray(value)
    ? value.map(String)
    : Object.entries((value as Record<string, string> | undefined) ?? {}).map(([name, text]) => `${name}: ${text}`)
  if (items.length === 0) return null
  return (
    <div class="setting">
      <span class="muted">{field.name.replaceAll('_', ' ')}</span>
      <ul>
        {items.map(item => {
          const table = field.refers_to && tableOf(item, field.refers_to)
          return (
            <li key={item} class="mono wrap">
              {table ? <a href={hrefTo(['resources', table, item])}>{item}</a> : item}
            </li>
          )
        })}
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
