/**
 * The time of a sandbox from one reset to the next. A request belongs to the lifetime in which it arrived: when that
 * has ended, the request waits no longer and can no longer write. Every sandbox needs one, and an AbortController costs
 * more.
 */
export class Lifetime {
  ended = false
  #listeners: Set<() => void> | undefined

  end() {
    this.ended = true
    for (const listener of this.#listeners ?? []) listener()
  }

  onEnd(listener: () => void) {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
  }

  offEnd(listener: () => void) {
    this.#listeners?.delete(listener)
  }
}
