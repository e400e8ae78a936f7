import { signal } from '@preact/signals'
import type { Info } from '../types.ts'
import { servedBy } from '../wire/events.ts'

/** When the simulator stopped responding. */
export const silentSince = signal<Date | undefined>(undefined)

/** The last restart since the dashboard was opened, and whether it preserved the state of the default sandbox. */
export const restart = signal<{ at: string; stateKept: boolean } | undefined>(undefined)

/** Whether the simulator restarted in between. With a seed, every run has the same instance name. */
export function wasRestarted(before: Info, now: Info): boolean {
  if (before.instance === now.instance && before.started_at === now.started_at) return false
  // Behind a load balancer, a different process may serve the sandbox.
  return servedBy.value === undefined || [before.instance, now.instance].includes(servedBy.value)
}
