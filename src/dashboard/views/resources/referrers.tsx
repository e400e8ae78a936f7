import { Section } from '../../parts/section.tsx'
import { plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { type Page, titleOf } from '../../state/records.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { useDebounced } from './batch.tsx'
import { type ReferringField, referringFields, refersTo, whereRefersTo } from './references.ts'

const MAX_ROWS = 20

interface Found {
  kind: Kind
  rows: Row[]
  more: number
}

/** Kinds that may refer to a table, with the referring fields. */
const kindsReferringTo = (table: string) =>
  resources
    .value!.kinds.map(kind => ({ kind, fields: referringFields(kind, table) }))
    .filter(({ fields }) => fields.length > 0)

async function find(kind: Kind, fields: ReferringField[], id: string, signal: AbortSignal): Promise<Found> {
  const where = whereRefersTo(fields, id)
  if (!where) {
    const all = await sandboxControl<Row[]>('GET', `/db/${kind.table}`, { signal })
    const rows = all.filter(row => fields.some(field => refersTo(row, field, id)))
    return { kind, rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) }
  }
  const params = new URLSearchParams({ _where: JSON.stringify(where), _page: '1', _per_page: `${MAX_ROWS}` })
  const { data, items } = await sandboxControl<Page>('GET', `/db/${kind.table}?${params}`, { signal })
  return { kind, rows: data, more: items - data.length }
}

/** The records that refer to this one. */
export function Referrers({ kind, id }: { kind: Kind; id: string }) {
  const kinds = kindsReferringTo(kind.table)
  const { data } = useRemote(`${sandbox.value} to ${id}`, useDebounced(stateVersion.value), async signal => {
    const found = await Promise.all(kinds.map(({ kind, fields }) => find(kind, fields, id, signal)))
    return found.filter(({ rows }) => rows.length > 0)
  })
  if (kinds.length === 0) return null
  return (
    <Section title="Used by">
      {data?.length === 0 && <p class="muted">Not used by any record.</p>}
      <dl class="facts">
        {data?.map(({ kind: found, rows, more }) => (
          <div key={found.table}>
            <dt>{plural(found)}</dt>
            <dd>
              <ul class="values">
                {rows.map(row => (
                  <li key={row.id}>
                    <a href={hrefTo(['resources', found.table, row.id])}>{row.id}</a>{' '}
                    <span class="muted">{titleOf(found, row)}</span>
                  </li>
                ))}
                {more > 0 && <li class="muted">and {more} more</li>}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
