/**
 * From a reset of a sandbox to the next. A request belongs to the one it arrived in: when that is over, it waits no
 * longer and can no longer write. Lighter than an AbortController, of which every sandbox would need one.
 */
export class Life {
  over = false
  #sleepers: Set<() => void> | undefined

  end() {
    this.over = true
    for (const wake of this.#sleepers ?? []) wake()
  }

  /** Calls that when it ends. */
  onEnd(sleeper: () => void) {
    this.#sleepers ??= new Set()
    this.#sleepers.add(sleeper)
  }

  offEnd(sleeper: () => void) {
    this.#sleepers?.delete(sleeper)
  }
}
