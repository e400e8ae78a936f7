import { wallClock } from '../basics/real-time.ts'

/** The maximum number of different messages that are stored, and that are logged. */
export const MAX_REFUSALS = 20

/** Requests rejected by the guard. Journals do not contain them: each message is logged once, and the latest are stored. */
export class Refusals {
  readonly #latest = new Map<string, string>()
  readonly #logged = new Set<string>()

  constructor(readonly warn: (text: string) => void) {}

  add(msg: string) {
    this.#latest.delete(msg)
    this.#latest.set(msg, new Date(wallClock()).toISOString())
    if (this.#latest.size > MAX_REFUSALS) this.#latest.delete(this.#latest.keys().next().value!)
    if (this.#logged.has(msg) || this.#logged.size >= MAX_REFUSALS) return
    this.#logged.add(msg)
    this.warn(`Rejected a request: ${msg}`)
  }

  /** Latest last. */
  list() {
    return Array.from(this.#latest, ([msg, at]) => ({ at, msg }))
  }
}
