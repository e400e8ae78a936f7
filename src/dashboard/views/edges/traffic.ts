import { createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { stateVersion, trafficVersion } from '../../state/live.ts'
import { sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { addDecisions, currentGeneration } from '../../state/traffic.ts'
import type { TrafficReport } from '../../types.ts'

const POLL_MS = 1000

/** The sandbox's listeners. Undefined while loading. */
export const Listeners = createContext<TrafficReport['listeners'] | undefined>(undefined)

export const useListeners = (edge: string) => useContext(Listeners)?.filter(each => each.edge === edge)

/** Loads traffic for all edges, and again on every state change and decision. Later decisions arrive as events. */
export function useTraffic() {
  const { data, error, reload } = useRemote(
    `${sandbox.value} traffic`,
    `${stateVersion.value} ${trafficVersion.value}`,
    async signal => {
      const generation = currentGeneration()
      const report = await sandboxControl<TrafficReport>('GET', '/traffic', { signal })
      if (!signal.aborted && generation === currentGeneration()) addDecisions(report.decisions)
      return report.listeners
    },
  )
  const open = data?.some(each => 'open' in each && each.open > 0)
  // Closing a connection emits no event, so counters are polled while one is open.
  useEffect(() => {
    if (!open) return
    const timer = setInterval(() => document.hidden || reload(), POLL_MS)
    return () => clearInterval(timer)
  }, [open])
  return { listeners: data, error }
}
