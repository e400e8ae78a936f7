import { ApiError } from '../contract/errors.ts'
import type { Call, Counted } from '../sandbox/index.ts'
import type { Effects, Fault } from './fault.ts'
import type { Subject } from './when.ts'

export interface Limit {
  requests: number
  per: string
  perMs: number
  window?: string
}

export const RATE_LIMIT = 'rate_limit'
/** The other is rolling, and the default. */
export const FIXED = 'fixed'

/** The limit of the assumption `rate_limit`. */
const DOCUMENTED: Limit = { requests: 120, per: '60s', perMs: 60_000 }

/** Applies the assumed limit: like a rule of a scenario before all others, with or without one. */
export function applyDocumentedLimit(call: Call, effects: Effects) {
  // The sandbox was reset while the body arrived: the call is of before, and does not count.
  call.failIfReset()
  effects.fault = applyRateLimit(DOCUMENTED, call.sandbox.counted, call, effects)
  if (effects.fault) call.assume('rate_limit')
}

/** Counts the call, adds the rate limit headers, and returns a fault if the limit is exceeded. */
export function applyRateLimit(limit: Limit, counted: Counted, call: Subject, effects: Effects): Fault | undefined {
  const { requests, per, perMs, window } = limit
  const now = call.sandbox.clock.now()
  call.clockPlayedAPart ||= call.sandbox.clock.frozen
  const { used, since } = window === FIXED ? countFixed(limit, counted, now) : countRolling(limit, counted, now)
  const resetIn = Math.max(1, Math.ceil((since + perMs - now) / 1000))
  // If several limits apply, the headers are those of the one that rejects the call, or else of the last.
  if (effects.fault?.type !== RATE_LIMIT)
    Object.assign(effects.headers, {
      'X-RateLimit-Limit': String(requests),
      'X-RateLimit-Remaining': String(Math.max(0, requests - used)),
      'X-RateLimit-Reset': String(resetIn),
    })
  if (used <= requests) return undefined
  return {
    type: RATE_LIMIT,
    effect: `refused: more than ${requests} requests in ${per}`,
    run() {
      throw new ApiError('rate_limited', { requests, per, retry_after: resetIn }, { 'Retry-After': String(resetIn) })
    },
  }
}

/** How many calls there are with this one, and the time whose end of `per` makes place for another. */
type Standing = NonNullable<Counted['window']>

/** A refused call does not count: otherwise the time to retry would not be true for a client that tries too early. */
function countRolling({ requests, perMs }: Limit, counted: Counted, now: number): Standing {
  counted.times ??= []
  const { times } = counted
  // Times in the future are left from before the clock was set back.
  while (times.length > 0 && times.at(-1)! > now) times.pop()
  const inside = times.findIndex(time => time + perMs > now)
  times.splice(0, inside < 0 ? times.length : inside)
  const used = times.length + 1
  if (used <= requests) times.push(now)
  return { used, since: times[0]! }
}

/** The window begins with the first call. */
function countFixed({ perMs }: Limit, counted: Counted, now: number): Standing {
  // One that starts in the future is left from before the clock was set back.
  if (!counted.window || now >= counted.window.since + perMs || now < counted.window.since)
    counted.window = { since: now, used: 0 }
  counted.window.used++
  return counted.window
}
