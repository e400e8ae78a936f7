import { ApiError } from '../contract/errors.ts'
import type { Effects, Fault } from './fault.ts'
import type { Subject } from './when.ts'

interface Limit {
  requests: number
  per: string
  perMs: number
}

export const RATE_LIMIT = 'rate_limit'

/** Counts the call, adds the rate limit headers, and returns a fault if the limit is exceeded. */
export function applyRateLimit(
  { requests, per, perMs }: Limit,
  counts: { window?: { start: number; used: number } },
  call: Subject,
  effects: Effects,
): Fault | undefined {
  const now = call.sandbox.clock.now()
  call.clockPlayedAPart ||= call.sandbox.clock.frozen
  // A window that starts in the future is left from before the clock was set back.
  if (!counts.window || now >= counts.window.start + perMs || now < counts.window.start)
    counts.window = { start: now, used: 0 }
  const { window } = counts
  window.used++
  const resetIn = Math.max(1, Math.ceil((window.start + perMs - now) / 1000))
  // If several limits apply, the headers are those of the one that rejects the call, or else of the last.
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
