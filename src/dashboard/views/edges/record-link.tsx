import { hrefTo } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import { tableOf } from '../resources/tables.ts'

/** An id that leads to its record. */
export function RecordLink({ id }: { id: string }) {
  const table = tableOf(id, resources.value?.kinds.map(kind => kind.table) ?? [])
  return table ? (
    <a class="mono wrap" href={hrefTo(['resources', table, id])}>
      {id}
    </a>
  ) : (
    <span class="mono wrap">{id}</span>
  )
}
