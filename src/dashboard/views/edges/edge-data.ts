import { createContext } from 'preact'
import { useEffect } from 'preact/hooks'
import { modulesOf, partsOf } from '../../state/kinds.ts'
import { stateVersion, trafficVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { type Page, pageOf } from '../../state/records.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import { addDecisions, clearDecisions } from '../../state/traffic.ts'
import type { Kind, Row, TrafficReport } from '../../types.ts'

const POLL_MS = 1000
const MAX_RECORDS = 500

/** Loaded once for all edges of a kind. */
export const EdgeData = createContext<Partial<ReturnType<typeof useEdgeData>>>({})

/** The listeners of all edges, and the records that modules refer to. Undefined while loading. */
export function useEdgeData(kind: Kind) {
  const { data: listeners, error } = useListeners()
  return { listeners, error, referred: useReferred(kind) }
}

function useReferred({ table }: Kind) {
  const modules = [table, ...partsOf(table).map(part => part.table)].flatMap(modulesOf)
  const tables = new Set(modules.flatMap(({ fields }) => fields.flatMap(({ refers_to }) => refers_to ?? [])))
  const kinds = resources.value!.kinds.filter(each => tables.has(each.table))
  return useRemote(`${sandbox.value} referred by ${table}`, stateVersion.value, async signal => {
    const pages = await Promise.all(
      kinds.map(kind => sandboxControl<Page>('GET', pageOf(kind, { per: MAX_RECORDS }), { signal })),
    )
    const rows = pages.flatMap(({ data }) => data.map(row => [row.id, row] as const))
    // In a complete map, an id without a row doesn't exist.
    return { rows: new Map<string, Row>(rows), complete: pages.every(({ pages }) => pages <= 1) }
  }).data
}

/** Loads traffic for all edges, and again on every state change and decision. Later decisions arrive as events. */
function useListeners() {
  const version = `${stateVersion.value} ${trafficVersion.value}`
  const remote = useRemote(`${sandbox.value} traffic`, version, async signal => {
    const report = await sandboxControl<TrafficReport>('GET', '/traffic', { signal })
    clearDecisions()
    addDecisions(report.decisions)
    return report.listeners
  })
  const open = remote.data?.some(each => 'open' in each && each.open > 0)
  // Closing a connection emits no event, so counters are polled while one is open.
  useEffect(() => {
    if (!open) return
    const timer = setInterval(() => document.hidden || remote.reload(), POLL_MS)
    return () => clearInterval(timer)
  }, [open])
  return remote
}
