import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { tableOf } from './kinds.ts'

/** More would make an address that is too long. */
const IDS_PER_REQUEST = 100

async function findMissing(table: string, ids: string[], signal: AbortSignal): Promise<string[]> {
  const missing: string[] = []
  for (let i = 0; i < ids.length; i += IDS_PER_REQUEST) {
    const asked = ids.slice(i, i + IDS_PER_REQUEST)
    const where = encodeURIComponent(JSON.stringify({ id: { in: asked } }))
    const rows = await sandboxControl<{ id: string }[]>('GET', `/db/${table}?_where=${where}`, { signal })
    const found = new Set(rows.map(row => row.id))
    missing.push(...asked.filter(id => !found.has(id)))
  }
  return missing
}

/** Which of the ids name no record: a policy that is deleted stays in the modules that use it. */
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

/** An id as a link to its record, or what is the case if there is no such record. */
export function ReferenceLink({ id, tables, missing }: Props) {
  const table = tableOf(id, tables)
  if (!table) return <span class="wrap pre">{id}</span>
  if (!missing.has(id)) return <a href={hrefTo(['resources', table, id])}>{id}</a>
  return (
    <span>
      <span class="wrap">{id}</span>{' '}
      <span class="missing">
        was deleted, or never created{table === 'ip_policies' && ': counts as a policy without rules'}
      </span>
    </span>
  )
}
