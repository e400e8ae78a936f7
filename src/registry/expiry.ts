import { parseDuration } from '../basics/duration.ts'
import { clearInterval, setInterval } from '../basics/real-time.ts'
import type { Expired, Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from './registry.ts'

/** How many names of dropped sandboxes an event has. */
const MAX_NAMES_IN_EVENT = 100
/** So many are dropped in a few milliseconds; the others wait for the next time. */
const MAX_DROPPED_AT_ONCE = 200
const MAX_INTERVAL_MS = 2_000
const MIN_INTERVAL_MS = 10

/**
 * Drops sandboxes that nobody used for `ttl`, the value of `--sandbox-ttl`, so that a simulator can run for months.
 * `default` stays, and so does a sandbox with an unanswered request.
 */
export function dropIdleSandboxes(
  sandboxes: Sandboxes,
  ttl: string,
  /** Whether somebody uses it without sending requests: reads its events, or is connected to one of its edges. */
  isHeld: (sandbox: Sandbox) => boolean,
  onExpired: (expired: Expired) => void,
): { close(): void } {
  const ttlMs = parseDuration(ttl)!
  const isIdle = (sandbox: Sandbox) => {
    if (sandbox === sandboxes.default || sandbox.underWay > 0) return false
    if (sandboxes.now() - sandbox.lastUsed < ttlMs) return false
    if (!isHeld(sandbox)) return true
    sandboxes.touch(sandbox)
    return false
  }
  const sweep = () => {
    const names: string[] = []
    for (const sandbox of sandboxes.list()) {
      if (!isIdle(sandbox)) continue
      sandboxes.drop(sandbox.name)
      if (names.push(sandbox.name) === MAX_DROPPED_AT_ONCE) break
    }
    if (names.length === 0) return
    sandboxes.expired += names.length
    onExpired({ count: names.length, sandboxes: names.slice(0, MAX_NAMES_IN_EVENT), unused_for: ttl })
  }
  const timer = setInterval(sweep, Math.max(MIN_INTERVAL_MS, Math.min(ttlMs / 10, MAX_INTERVAL_MS))).unref()
  return { close: () => clearInterval(timer) }
}
