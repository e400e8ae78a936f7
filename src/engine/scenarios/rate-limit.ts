import type { RateLimit } from '../api.ts'
import { ApiError } from '../error.ts'
import { errors } from '../errors.ts'
import type { Effects, Fault, Subject } from '../rules.ts'
import type { Call, Counted } from '../sandbox/index.ts'

export interface Limit {
  requests: number
  per: string
  perMs: number
  window?: string
}

export const RATE_LIMIT = 'rate_limit'
/** The default is rolling. */
export const FIXED = 'fixed'

export const noEffects = (): Effects => ({ delayMs: 0, delayAfterMs: 0, headers: {} })

/** Applies the limit of the API itself, before all rules and even without a scenario. */
export function applyOwnLimit(limit: RateLimit, call: Call): Effects {
  const effects = noEffects()
  // If the sandbox was reset while the body arrived, the call does not count.
  call.failIfReset()
  effects.fault = applyRateLimit(limit, call.sandbox.counted, call, effects)
  if (effects.fault && limit.assumption) call.assume(limit.assumption)
  return effects
}

/** Counts the call, adds the rate limit headers, and returns a fault if the limit is exceeded. */
export function applyRateLimit(limit: Limit, counted: Counted, call: Subject, effects: Effects): Fault | undefined {
  const { requests, per, perMs, window } = limit
  const now = call.now()
  const { used, since } = window === FIXED ? countFixed(limit, counted, now) : countRolling(limit, counted, now)
  const resetIn = Math.max(1, Math.ceil((since + perMs - now) / 1000))
  // If several limits apply, the headers show the limit that rejects the call, or the last one.
  if (effects.fault?.type !== RATE_LIMIT)
    Object.assign(effects.headers, {
      'X-RateLimit-Limit': String(requests),
      'X-RateLimit-Remaining': String(Math.max(0, requests - used)),
      'X-RateLimit-Reset': String(resetIn),
    })
  if (used <= requests) return undefined
  return {
    type: RATE_LIMIT,
    effect: `rejected: more than ${requests} requests in ${per}`,
    run() {
      throw ApiError.of(
        errors.rate_limited,
        { requests, per, retry_after: resetIn },
        { 'Retry-After': String(resetIn) },
      )
    },
  }
}

/** The number of calls including this one, and the start of the period after which another call is possible. */
type Standing = NonNullable<Counted['window']>

/** A rejected call does not count. If it did, Retry-After would be wrong for a client that retries too early. */
function countRolling({ requests, perMs }: Limit, counted: Counted, now: number): Standing {
  counted.times ??= []
  const { times } = counted
  // Times in the future remain from before the clock was set back.
  while (times.length > 0 && times.at(-1)! > now) times.pop()
  const inside = times.findIndex(time => time + perMs > now)
  times.splice(0, inside < 0 ? times.length : inside)
  const used = times.length + 1
  if (used <= requests) times.push(now)
  return { used, since: times[0]! }
}

/** The window begins with the first call. */
function countFixed({ perMs }: Limit, counted: Counted, now: number): Standing {
  // A window in the future remains from before the clock was set back.
  if (!counted.window || now >= counted.window.since + perMs || now < counted.window.since)
    counted.window = { since: now, used: 0 }
  counted.window.used++
  return counted.window
}
