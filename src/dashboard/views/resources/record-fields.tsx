import type { ComponentChildren } from 'preact'
import { isObject } from '../../../basics/json.ts'
import { Fact } from '../../parts/section.tsx'
import { partsOf } from '../../state/kinds.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'
import { ReferenceLink, useMissing } from './reference.tsx'
import { idsIn } from './references.ts'

function References({ value, tables }: { value: unknown; tables: string[] }) {
  const ids = idsIn(value)
  const missing = useMissing(tables, ids)
  if (ids.length === 0) return <span class="muted">none</span>
  return (
    <ul class="values">
      {ids.map(id => (
        <li key={id}>
          <ReferenceLink id={id} tables={tables} missing={missing} />
          {isObject(value) && <span class="number">: {String(value[id])}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Longer strings, such as certificates, are collapsed. */
const MAX_LINES = 8

const LongText = ({ text }: { text: string }) => (
  <details>
    <summary>
      <code>{text.slice(0, text.indexOf('\n'))}</code> <span class="muted">{text.split('\n').length} lines</span>
    </summary>
    <code class="wrap pre">{text}</code>
  </details>
)

/** Ids of other records are links. */
function Value({ value, field }: { value: unknown; field: FieldInfo | undefined }): ComponentChildren {
  if (value === undefined || value === null || value === '')
    return <span class="muted">{field?.write_only ? 'not shown' : 'not set'}</span>
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (Array.isArray(value) && value.length === 0) return <span class="muted">none</span>
  if (field?.refers_to) return <References value={value} tables={field.refers_to} />
  if (typeof value === 'string' && value.split('\n').length > MAX_LINES) return <LongText text={value} />
  if (typeof value === 'string') return <span class="wrap pre">{value}</span>
  if (Array.isArray(value)) {
    return (
      <ul class="values">
        {value.map((item, i) => (
          <li key={i}>
            <Value value={item} field={field} />
          </li>
        ))}
      </ul>
    )
  }
  if (typeof value === 'object') return <Group value={value as Json} fields={field?.fields ?? []} />
  return <span class="number">{String(value)}</span>
}

function Group({ value, fields }: { value: Json; fields: FieldInfo[] }) {
  if (Object.keys(value).length === 0) return <span class="muted">none</span>
  return (
    <dl class="pairs">
      {Object.entries(value).map(([name, inner]) => (
        <Fact key={name} name={name}>
          <Value value={inner} field={fields.find(field => field.name === name)} />
        </Fact>
      ))}
    </dl>
  )
}

/** All declared fields, then other fields of the record, without its parts. */
export function RecordFields({ kind, row }: { kind: Kind; row: Row }) {
  const declared = new Map<string, FieldInfo | undefined>(kind.fields.map(field => [field.name, field]))
  for (const name of Object.keys(row)) if (!declared.has(name)) declared.set(name, undefined)
  for (const { part_of } of partsOf(kind.table)) declared.delete(part_of.list)
  const order = ['id', ...[...declared.keys()].filter(name => name !== 'id')]
  return (
    <dl class="facts">
      {order.map(name => (
        <Fact key={name} name={name}>
          <Value value={row[name]} field={declared.get(name)} />
        </Fact>
      ))}
    </dl>
  )
}
