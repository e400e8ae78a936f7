import { createContext } from 'preact'
import { stateVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ModuleInfo, Row } from '../../types.ts'

const MAX_RECORDS = 500

/** Records referenced by modules, by id. Undefined while loading. */
export const Referred = createContext<ReadonlyMap<string, Row> | undefined>(undefined)

/** Loads the referenced records once for all edges. */
export function useReferredRows(modules: ModuleInfo[]): ReadonlyMap<string, Row> | undefined {
  const tables = [...new Set(modules.flatMap(({ fields }) => fields.flatMap(({ refers_to }) => refers_to ?? [])))]
  const { data } = useRemote(`${sandbox.value} referred ${tables}`, stateVersion.value, async signal => {
    const pages = tables.map(table =>
      sandboxControl<{ data: Row[] }>('GET', `/db/${table}?_page=1&_per_page=${MAX_RECORDS}`, { signal }),
    )
    return new Map((await Promise.all(pages)).flatMap(page => page.data.map(row => [row.id, row] as const)))
  })
  return data
}
