import { parseDuration } from '../basics/duration.ts'
import { clearInterval, setInterval } from '../basics/real-time.ts'
import { ITEMS_PER_STEP, runYielding, type Steps } from '../basics/slices.ts'
import type { Expired, Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from './registry.ts'

/** How many names of dropped sandboxes an event has. */
const MAX_NAMES_IN_EVENT = 100
const MAX_SWEEP_INTERVAL_MS = 30_000
const MIN_SWEEP_INTERVAL_MS = 10

interface IdleSettings {
  /** The value of `--sandbox-ttl`. */
  ttl: string
  sandboxes: Sandboxes
  /** Whether somebody uses it without sending requests: reads its events, or is connected to one of its edges. */
  isHeld(sandbox: Sandbox): boolean
  onExpired(expired: Expired): void
  onDefect(error: unknown): void
}

/**
 * Drops sandboxes that nobody used for `--sandbox-ttl`, so that a simulator can run for months. `default` stays, and so
 * does a sandbox with an unanswered request.
 */
export class IdleSandboxes {
  readonly #settings: IdleSettings
  readonly #ttlMs: number
  readonly #timer: NodeJS.Timeout
  #sweeping = false

  constructor(settings: IdleSettings) {
    this.#settings = settings
    this.#ttlMs = parseDuration(settings.ttl)!
    const interval = Math.max(MIN_SWEEP_INTERVAL_MS, Math.min(this.#ttlMs / 10, MAX_SWEEP_INTERVAL_MS))
    this.#timer = setInterval(() => this.#sweep().catch(settings.onDefect), interval).unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #sweep() {
    if (this.#sweeping) return
    this.#sweeping = true
    const { onExpired, ttl } = this.#settings
    try {
      const names = await runYielding(this.#dropIdle())
      const sandboxes = names.slice(0, MAX_NAMES_IN_EVENT)
      if (names.length > 0) onExpired({ count: names.length, sandboxes, unused_for: ttl })
    } finally {
      this.#sweeping = false
    }
  }

  /** Each is checked just before it is dropped: it may have been used since the sweep began. */
  *#dropIdle(): Steps<string[]> {
    const { sandboxes, ttl } = this.#settings
    const names: string[] = []
    for (const [i, sandbox] of sandboxes.list().entries()) {
      if (i % ITEMS_PER_STEP === 0) yield
      if (!this.#isIdle(sandbox)) continue
      sandboxes.expire(sandbox.name, `nobody had used it for ${ttl} (--sandbox-ttl)`)
      names.push(sandbox.name)
    }
    return names
  }

  #isIdle(sandbox: Sandbox): boolean {
    const { sandboxes, isHeld } = this.#settings
    if (sandbox.underWay > 0 || sandboxes.now() - sandbox.lastUsed < this.#ttlMs) return false
    if (sandbox === sandboxes.default) return false
    // It may have been dropped since the sweep began, and another created under its name.
    if (sandboxes.get(sandbox.name) !== sandbox) return false
    if (!isHeld(sandbox)) return true
    sandboxes.touch(sandbox)
    return false
  }
}
