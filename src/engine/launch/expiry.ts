import { parseDuration } from '../../basics/duration.ts'
import { clearInterval, setInterval } from '../../basics/real-time.ts'
import type { Expired, Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from './registry.ts'

/** The maximum number of names in an event. */
const MAX_NAMES_IN_EVENT = 100
/** Dropping this many takes a few milliseconds. The others wait for the next sweep. */
const MAX_DROPPED_PER_SWEEP = 200
const MAX_INTERVAL_MS = 2_000
const MIN_INTERVAL_MS = 10

/**
 * Drops sandboxes that were unused for `ttl` (`--sandbox-ttl`), so a simulator can run for months. Never drops
 * `default`, or a sandbox with a request in progress.
 */
export function dropIdleSandboxes(
  sandboxes: Sandboxes,
  ttl: string,
  /** Whether it is used without requests: by a reader of its events, or a connection of its traffic. */
  isHeld: (sandbox: Sandbox) => boolean,
  onExpired: (expired: Expired) => void,
): { close(): void } {
  const ttlMs = parseDuration(ttl)!
  const isIdle = (sandbox: Sandbox) => {
    const { activeRequests, latest } = sandboxes.useOf(sandbox)
    if (sandbox === sandboxes.default || activeRequests > 0 || sandboxes.now() - latest < ttlMs) return false
    if (!isHeld(sandbox)) return true
    sandboxes.touch(sandbox)
    return false
  }
  const sweep = () => {
    const names: string[] = []
    for (const sandbox of sandboxes.list()) {
      if (!isIdle(sandbox)) continue
      sandboxes.drop(sandbox.name)
      if (names.push(sandbox.name) === MAX_DROPPED_PER_SWEEP) break
    }
    if (names.length === 0) return
    sandboxes.expired += names.length
    onExpired({ count: names.length, sandboxes: names.slice(0, MAX_NAMES_IN_EVENT), unused_for: ttl })
  }
  const timer = setInterval(sweep, Math.max(MIN_INTERVAL_MS, Math.min(ttlMs / 10, MAX_INTERVAL_MS))).unref()
  return { close: () => clearInterval(timer) }
}
