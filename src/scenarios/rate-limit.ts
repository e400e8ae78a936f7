import { ApiError } from '../contract/errors.ts'
import type { Effects, Fault } from './effects.ts'
import type { Subject } from './when.ts'

interface Limit {
  requests: number
  per: string
  perMs: number
}

export const RATE_LIMIT = 'rate_limit'

/** Counts the call, adds the rate limit headers, and returns a fault if the limit is exceeded. */
export function rateLimited(
  { requests, per, perMs }: Limit,
  counts: { window?: { start: number; used: number } },
  call: Subject,
  effects: Effects,
): Fault | undefined {
  const now = call.sandbox.clock.now()
  call.clockPlayedAPart ||= call.sandbox.clock.frozen
  // If the clock was set back, the old window would last until its end is reached again.
  if (!counts.window || now >= counts.window.start + perMs || now < counts.window.start)
    counts.window = { start: now, used: 0 }
  const { window } = counts
  window.used++
  const resetIn = Math.max(1, Math.ceil((window.start + perMs - now) / 1000))
  // Of several limits, the client is told about the one that refuses it, or else about the last.
  if (effects.fault?.type !== RATE_LIMIT)
    Object.assign(effects.headers, {
      'X-RateLimit-Limit': String(requests),
      'X-RateLimit-Remaining': String(Math.max(0, requests - window.used)),
      'X-RateLimit-Reset': String(resetIn),
    })
  if (window.used <= requests) return undefined
  return {
    type: RATE_LIMIT,
    effect: `refused: more than ${requests} requests in ${per}`,
    run() {
      throw new ApiError('rate_limited', { requests, per, retry_after: resetIn }, { 'Retry-After': String(resetIn) })
    },
  }
}
