import { signal } from '@preact/signals'
import type { Info } from '../types.ts'
import { servedBy } from '../wire/events.ts'

/** When the simulator stopped responding. */
export const silentSince = signal<Date | undefined>(undefined)

interface Restart {
  /** When the simulator started. */
  at: string
  /** The restart preserved the state of the default sandbox. */
  stateKept: boolean
  dismissed: boolean
}

/** The last restart since the dashboard was opened. */
export const restart = signal<Restart | undefined>(undefined)

export function dismissRestart() {
  if (restart.value) restart.value = { ...restart.value, dismissed: true }
}

/** Whether the simulator restarted in between. With a seed, every run has the same instance name. */
export function wasRestarted(before: Info, now: Info): boolean {
  if (before.instance === now.instance && before.started_at === now.started_at) return false
  // Behind a load balancer, a different process may serve the sandbox.
  return servedBy.value === undefined || [before.instance, now.instance].includes(servedBy.value)
}

export function noteRestart(before: Info, now: Info) {
  const stateKept = now.database !== null && now.database === before.database && now.options.fresh !== true
  restart.value = { at: now.started_at, stateKept, dismissed: false }
}
