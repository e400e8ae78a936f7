import { setMaxListeners } from 'node:events'

/**
 * The time of a sandbox between two resets. A request belongs to the lifetime in which it arrived. When that has ended,
 * the request stops waiting and can no longer write.
 */
export class Lifetime {
  ended = false
  #controller: AbortController | undefined

  end() {
    this.ended = true
    this.#controller?.abort()
  }

  /** Aborted at the end. Created on demand, because few requests wait. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      setMaxListeners(0, this.#controller.signal)
      if (this.ended) this.#controller.abort()
    }
    return this.#controller.signal
  }
}
