import type { ComponentChildren } from 'preact'
import { Fact } from '../../parts/fact.tsx'
import { hrefTo } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'
import { tableOf } from './tables.ts'

/** Ids of other records become links to them, wherever in a record they stand. */
function Value({ value, tables }: { value: unknown; tables: string[] | null }): ComponentChildren {
  if (value === undefined || value === null || value === '') return <span class="muted">not set</span>
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (typeof value === 'string') {
    const table = tables && tableOf(value, tables)
    if (table) return <a href={hrefTo(['resources', table, value])}>{value}</a>
    return <span class="wrap pre">{value}</span>
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="muted">none</span>
    return (
      <ul class="values">
        {value.map((item, i) => (
          <li key={i}>
            <Value value={item} tables={tables} />
          </li>
        ))}
      </ul>
    )
  }
  if (typeof value === 'object') return <Members value={value as Json} tables={tables} />
  return <span class="number">{String(value)}</span>
}

function Members({ value, tables }: { value: Json; tables: string[] | null }) {
  const all = resources.value?.kinds.map(({ table }) => table) ?? []
  return (
    <dl class="pairs">
      {Object.entries(value).map(([name, inner]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={inner} tables={/_ids?$/.test(name) ? all : tables} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Every field: the declared ones in their order, set or not, then whatever else the record holds. */
export function RecordFields({ kind, row }: { kind: Kind; row: Row }) {
  const declared = new Map<string, FieldInfo | undefined>(kind.fields.map(field => [field.name, field]))
  for (const name of Object.keys(row)) if (!declared.has(name)) declared.set(name, undefined)
  const order = ['id', ...[...declared.keys()].filter(name => name !== 'id')]
  return (
    <dl class="facts">
      {order.map(name => (
        <Fact key={name} name={name}>
          <Value value={row[name]} tables={declared.get(name)?.refers_to ?? null} />
        </Fact>
      ))}
    </dl>
  )
}
