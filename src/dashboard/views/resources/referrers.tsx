import { Section } from '../../parts/section.tsx'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { here, resources } from '../../state/simulator.ts'
import type { Kind, Resources, Row } from '../../types.ts'
import { gist, plural } from './labels.ts'
import type { Page } from './record-table.tsx'
import { leadsTo, waysTo, whereLeadsTo } from './references.ts'

const MOST = 20

interface Found {
  kind: Kind
  rows: Row[]
  more: number
}

/** Which kinds may refer to this one, and how. */
const suitors = ({ kinds }: Resources, table: string) =>
  kinds.map(kind => ({ kind, ways: waysTo(kind, table) })).filter(({ ways }) => ways.length > 0)

async function find(declared: Resources, table: string, id: string, signal: AbortSignal): Promise<Found[]> {
  const found = await Promise.all(
    suitors(declared, table).map(async ({ kind, ways }) => {
      const where = whereLeadsTo(ways, id)
      if (!where) {
        const all = await here<Row[]>('GET', `/db/${kind.table}`, { signal })
        const rows = all.filter(row => ways.some(way => leadsTo(row, way, id)))
        return { kind, rows: rows.slice(0, MOST), more: Math.max(0, rows.length - MOST) }
      }
      const asked = new URLSearchParams({ _where: JSON.stringify(where), _page: '1', _per_page: `${MOST}` })
      const { data, items } = await here<Page>('GET', `/db/${kind.table}?${asked}`, { signal })
      return { kind, rows: data, more: items - data.length }
    }),
  )
  return found.filter(({ rows }) => rows.length > 0)
}

/** The records that refer to this one. */
export function Referrers({ kind, id }: { kind: Kind; id: string }) {
  const declared = resources.value!
  const { data } = useRemote(`${sandbox.value} to ${id}`, stateVersion.value, signal =>
    find(declared, kind.table, id, signal),
  )
  if (suitors(declared, kind.table).length === 0) return null
  return (
    <Section title="Used by">
      {data?.length === 0 && <p class="muted">Nothing refers to it.</p>}
      <dl class="facts">
        {data?.map(found => (
          <div key={found.kind.table}>
            <dt>{plural(found.kind)}</dt>
            <dd>
              <ul class="values">
                {found.rows.map(row => (
                  <li key={row.id}>
                    <a href={hrefTo(['resources', found.kind.table, row.id])}>{row.id}</a>{' '}
                    <span class="muted">{String(row.description ?? gist(found.kind, row))}</span>
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
