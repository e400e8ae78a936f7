import { parseDuration } from '../basics/duration.ts'
import { clearInterval, setInterval } from '../basics/real-time.ts'
import { ITEMS_PER_STEP, runYielding, type Steps } from '../basics/slices.ts'
import type { Expired, Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from './registry.ts'

const TOLD = 100
const LONGEST_WAIT_MS = 30_000
const SHORTEST_WAIT_MS = 10

interface IdleSettings {
  /** As the option has it. */
  ttl: string
  sandboxes: Sandboxes
  /** Whether somebody uses it without asking for anything: reads its events, or is connected to one of its edges. */
  isHeld(sandbox: Sandbox): boolean
  onExpired(expired: Expired): void
  onDefect(error: unknown): void
}

/**
 * Drops sandboxes that nobody used for so long, so that a simulator that runs for months does not fill up. `default`
 * stays, and so does one with a request under way.
 */
export class IdleSandboxes {
  readonly #settings: IdleSettings
  readonly #ttlMs: number
  readonly #timer: NodeJS.Timeout
  #sweeping = false

  constructor(settings: IdleSettings) {
    this.#settings = settings
    this.#ttlMs = parseDuration(settings.ttl)!
    const wait = Math.max(SHORTEST_WAIT_MS, Math.min(this.#ttlMs / 10, LONGEST_WAIT_MS))
    this.#timer = setInterval(() => this.#sweep().catch(settings.onDefect), wait).unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #sweep() {
    if (this.#sweeping) return
    this.#sweeping = true
    const { onExpired, ttl } = this.#settings
    try {
      const names = await runYielding(this.#steps())
      if (names.length > 0) onExpired({ count: names.length, sandboxes: names.slice(0, TOLD), unused_for: ttl })
    } finally {
      this.#sweeping = false
    }
  }

  /** Each is looked at just before it is dropped: it may have been used since the others were. */
  *#steps(): Steps<string[]> {
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
    // One of the same name may be another by now.
    if (sandbox === sandboxes.default || sandboxes.get(sandbox.name) !== sandbox) return false
    if (!isHeld(sandbox)) return true
    sandboxes.touch(sandbox)
    return false
  }
}
