import type { ComponentChildren } from 'preact'
import { MissingRecord, NameLink } from '../../parts/links.tsx'
import { Fact } from '../../parts/section.tsx'
import { kindOfId, partsOf } from '../../state/kinds.ts'
import { storedAt } from '../../state/records.ts'
import { useGet } from '../../state/simulator.ts'
import type { FieldInfo, Kind, Row } from '../../types.ts'

/** Longer strings, such as certificates, are collapsed. */
const MAX_LINES = 8

function Text({ text }: { text: string }) {
  const lines = text.split('\n')
  if (lines.length <= MAX_LINES) return <span class="wrap pre">{text}</span>
  return (
    <details>
      <summary>
        <code>{lines[0]}</code> <span class="muted">{lines.length} lines</span>
      </summary>
      <code class="wrap pre">{text}</code>
    </details>
  )
}

function Reference({ id }: { id: string }) {
  const kind = kindOfId(id)
  const { error } = useGet(kind && storedAt(kind, id))
  return error?.status === 404 ? <MissingRecord id={id} /> : <NameLink text={id} class="wrap" />
}

/** Ids of other records are links, also as names in a group. */
function Value({ value, field }: { value: unknown; field: FieldInfo | undefined }): ComponentChildren {
  const isReference = Boolean(field?.refers_to)
  if (value === undefined || value === null || value === '')
    return <span class="muted">{field?.write_only ? 'not shown' : 'not set'}</span>
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (typeof value === 'string') return isReference ? <Reference id={value} /> : <Text text={value} />
  if (typeof value !== 'object') return <span class="number">{String(value)}</span>
  if (Object.keys(value).length === 0) return <span class="muted">none</span>
  if (Array.isArray(value))
    return (
      <ul class="values">
        {value.map((item, i) => (
          <li key={i}>
            <Value value={item} field={field} />
          </li>
        ))}
      </ul>
    )
  return (
    <dl class="pairs">
      {Object.entries(value).map(([name, inner]) => (
        <div key={name}>
          <dt>{isReference ? <Reference id={name} /> : name}</dt>
          <dd>
            <Value value={inner} field={field?.fields?.find(each => each.name === name)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** All declared fields, then other fields of the record, without its parts. */
export function RecordFields({ kind, row }: { kind: Kind; row: Row }) {
  const lists = partsOf(kind.table).map(({ part_of }) => part_of.list)
  const names = new Set(['id', ...kind.fields.map(({ name }) => name), ...Object.keys(row)])
  return (
    <dl class="facts">
      {[...names]
        .filter(name => !lists.includes(name))
        .map(name => (
          <Fact key={name} name={name}>
            <Value value={row[name]} field={kind.fields.find(field => field.name === name)} />
          </Fact>
        ))}
    </dl>
  )
}
