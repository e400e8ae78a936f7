/**
 * The time of a sandbox between two resets. A request belongs to the lifetime in which it arrived. When that has ended,
 * the request stops waiting and can no longer write. Every sandbox needs one, and an AbortController would cost more.
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
