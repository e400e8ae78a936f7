import { Section } from '../../parts/section.tsx'
import { plural, summaryOf } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Resources, Row } from '../../types.ts'
import { useDebounced } from './batch.tsx'
import type { Page } from './record-table.tsx'
import { referringFields, refersTo, whereRefersTo } from './references.ts'

const MAX_ROWS = 20

interface Found {
  kind: Kind
  rows: Row[]
  more: number
}

/** Kinds that may refer to a table, with the referring fields. */
const kindsReferringTo = ({ kinds }: Resources, table: string) =>
  kinds.map(kind => ({ kind, fields: referringFields(kind, table) })).filter(({ fields }) => fields.length > 0)

async function find(declared: Resources, table: string, id: string, signal: AbortSignal): Promise<Found[]> {
  const found = await Promise.all(
    kindsReferringTo(declared, table).map(async ({ kind, fields }) => {
      const where = whereRefersTo(fields, id)
      if (!where) {
        const all = await sandboxControl<Row[]>('GET', `/db/${kind.table}`, { signal })
        const rows = all.filter(row => fields.some(field => refersTo(row, field, id)))
        return { kind, rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) }
      }
      const params = new URLSearchParams({ _where: JSON.stringify(where), _page: '1', _per_page: `${MAX_ROWS}` })
      const { data, items } = await sandboxControl<Page>('GET', `/db/${kind.table}?${params}`, { signal })
      return { kind, rows: data, more: items - data.length }
    }),
  )
  return found.filter(({ rows }) => rows.length > 0)
}

/** The records that refer to this one. */
export function Referrers({ kind, id }: { kind: Kind; id: string }) {
  const declared = resources.value!
  const { data } = useRemote(`${sandbox.value} to ${id}`, useDebounced(stateVersion.value), signal =>
    find(declared, kind.table, id, signal),
  )
  if (kindsReferringTo(declared, kind.table).length === 0) return null
  return (
    <Section title="Used by">
      {data?.length === 0 && <p class="muted">Not used by any record.</p>}
      <dl class="facts">
        {data?.map(found => (
          <div key={found.kind.table}>
            <dt>{plural(found.kind)}</dt>
            <dd>
              <ul class="values">
                {found.rows.map(row => (
                  <li key={row.id}>
                    <a href={hrefTo(['resources', found.kind.table, row.id])}>{row.id}</a>{' '}
                    <span class="muted">{String(row.description ?? summaryOf(found.kind, row))}</span>
                  </li>
                ))}
                {found.more > 0 && <li class="muted">and {found.more} more</li>}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
