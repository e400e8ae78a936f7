import { setMaxListeners } from 'node:events'
import { clearTimeout, setTimeout } from './real-time.ts'

/** Calls `act` after that time, unless what it returns is called before. */
export type Alarm = (ms: number, act: () => void) => () => void

export const realAlarm: Alarm = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/**
 * Does work with a signal that is aborted when the time is over, or when `outer` is. Not made of `AbortSignal.timeout` and
 * `AbortSignal.any`: on Node 20 their signals may be collected while somebody waits for them, and then never abort.
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
    // Many may wait for it at a time, which is no leak.
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
