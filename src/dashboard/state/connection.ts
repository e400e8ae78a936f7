import { signal } from '@preact/signals'
import type { Info } from '../types.ts'
import { servedBy } from '../wire/events.ts'

/** Since when the simulator has not answered; undefined while it does. */
export const silentSince = signal<Date | undefined>(undefined)

interface Restart {
  /** When the simulator started. */
  at: string
  /** The state of the default sandbox was kept. */
  kept: boolean
  dismissed: boolean
}

/** The latest restart that the page has seen. */
export const restart = signal<Restart | undefined>(undefined)

export function dismissRestart() {
  if (restart.value) restart.value = { ...restart.value, dismissed: true }
}

/** Whether the simulator was started again in between. One with a seed has the same instance word at every start. */
export function wasRestarted(before: Info, now: Info): boolean {
  if (before.instance === now.instance && before.started_at === now.started_at) return false
  // Behind a balancer, the sandbox may be in another process than the one that these are about.
  return servedBy.value === undefined || [before.instance, now.instance].includes(servedBy.value)
}

export function noteRestart(before: Info, now: Info) {
  const kept = now.database !== null && now.database === before.database && now.options.fresh !== true
  restart.value = { at: now.started_at, kept, dismissed: false }
}
