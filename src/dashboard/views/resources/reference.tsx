import { tableOf } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'

/** Limits the URL length. */
const IDS_PER_REQUEST = 100

async function findMissing(table: string, ids: string[], signal: AbortSignal): Promise<string[]> {
  const missing: string[] = []
  for (let i = 0; i < ids.length; i += IDS_PER_REQUEST) {
    const batch = ids.slice(i, i + IDS_PER_REQUEST)
    const where = encodeURIComponent(JSON.stringify({ id: { in: batch } }))
    const rows = await sandboxControl<{ id: string }[]>('GET', `/db/${table}?_where=${where}`, { signal })
    const found = new Set(rows.map(row => row.id))
    missing.push(...batch.filter(id => !found.has(id)))
  }
  return missing
}

/** The ids without a record. Modules may still refer to a deleted policy. */
export function useMissing(tables: string[], ids: string[]): ReadonlySet<string> {
  const { data } = useRemote(`${sandbox.value} missing ${tables} ${ids}`, stateVersion.value, async signal => {
    const found = tables.map(table =>
      findMissing(
        table,
        ids.filter(id => tableOf(id, tables) === table),
        signal,
      ),
    )
    return new Set((await Promise.all(found)).flat())
  })
  return data ?? new Set()
}

interface Props {
  id: string
  tables: string[]
  missing: ReadonlySet<string>
}

/** An id as a link, or with a note if the record doesn't exist. */
export function ReferenceLink({ id, tables, missing }: Props) {
  const table = tableOf(id, tables)
  if (!table) return <span class="wrap pre">{id}</span>
  if (!missing.has(id)) return <a href={hrefTo(['resources', table, id])}>{id}</a>
  return (
    <span>
      <span class="wrap">{id}</span>{' '}
      <span class="missing">not found{table === 'ip_policies' && ': treated as a policy without rules'}</span>
    </span>
  )
}
