import { setMaxListeners } from 'node:events'
import { clearTimeout, setTimeout } from './real-time.ts'

/** Calls `act` after that time. Returns a function that cancels it. */
export type Alarm = (ms: number, act: () => void) => () => void

export const realAlarm: Alarm = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/**
 * Runs work with a signal that aborts after `ms`, or when `outer` does. Does not use `AbortSignal.timeout` and
 * `AbortSignal.any`: on Node 20 their signals may be garbage-collected while in use, and then never abort.
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  { outer, alarm = realAlarm }: { outer?: AbortSignal; alarm?: Alarm } = {},
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (outer?.aborted) abort()
  if (outer) {
    // Many listeners at the same time are not a leak.
    setMaxListeners(0, outer)
    outer.addEventListener('abort', abort)
  }
  const stop = alarm(ms, abort)
  try {
    return await work(controller.signal)
  } finally {
    stop()
    outer?.removeEventListener('abort', abort)
  }
}
