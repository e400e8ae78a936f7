import { wallClock } from '../basics/real-time.ts'

/** How many different messages are kept, and how many are logged. */
export const MAX_REFUSALS = 20

/** Requests that the guard refused. They are in no journal, so each message is logged once, and the latest are kept. */
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
    this.warn(`a request was refused: ${msg}`)
  }

  /** The latest last. */
  list() {
    return Array.from(this.#latest, ([msg, at]) => ({ at, msg }))
  }
}
