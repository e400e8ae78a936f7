import { createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { stateVersion, trafficVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { here } from '../../state/simulator.ts'
import { addDecisions, currentLife } from '../../state/traffic.ts'
import type { TrafficReport } from '../../types.ts'

const WHILE_OPEN_MS = 1000

/** What listens in the sandbox; undefined until it is known. */
export const Listeners = createContext<TrafficReport['listeners'] | undefined>(undefined)

export const useListeners = (edge: string) => useContext(Listeners)?.filter(each => each.edge === edge)

/** Asked for once for all edges, and anew with every change and decision. Decisions themselves come as events. */
export function useTraffic() {
  const { data, error, reload } = useRemote(
    `${sandbox.value} traffic`,
    `${stateVersion.value} ${trafficVersion.value}`,
    async signal => {
      const life = currentLife()
      const report = await here<TrafficReport>('GET', '/traffic', { signal })
      if (!signal.aborted && life === currentLife()) addDecisions(report.decisions)
      return report.listeners
    },
  )
  const open = data?.some(each => 'open' in each && each.open > 0)
  // No event tells that a connection has ended, so while there is one its counters are asked for.
  useEffect(() => {
    if (!open) return
    const timer = setInterval(() => document.hidden || reload(), WHILE_OPEN_MS)
    return () => clearInterval(timer)
  }, [open])
  return { listeners: data, error }
}
