/** One of those that share a budget. */
export interface Spender {
  /** What it keeps of the past, in bytes. */
  readonly past: number
  /** Greater than that of any other which was used before it. */
  lastUsed: number
  forgetPast(): void
}

/** Swept together: looking at thousands of spenders for every request would cost more than the requests. */
const SWEPT = 1 / 8
const LEFT = 3 / 4

/**
 * What all sandboxes keep of the past, together. Each has its own bounds, but ten thousand of them would fill any
 * memory. Past this one, those that were not used for the longest time forget theirs.
 */
export class Budget {
  #uses = 0
  #grown = 0

  constructor(
    readonly most: number,
    readonly spenders: () => Iterable<Spender>,
    /** Told how many forgot their past. */
    readonly onForgotten: (count: number) => void,
  ) {}

  /** It was used, and keeps so many bytes more. */
  grew(spender: Spender, bytes: number) {
    spender.lastUsed = ++this.#uses
    this.#grown += bytes
    if (this.#grown > this.most * SWEPT) this.#sweep()
  }

  #sweep() {
    this.#grown = 0
    const all = [...this.spenders()]
    let sum = all.reduce((total, { past }) => total + past, 0)
    if (sum <= this.most * (1 - SWEPT)) return
    all.sort((a, b) => a.lastUsed - b.lastUsed)
    // The last one is in use.
    const idle = all.slice(0, -1)
    let count = 0
    for (const spender of idle) {
      if (sum <= this.most * LEFT) break
      if (spender.past === 0) continue
      sum -= spender.past
      spender.forgetPast()
      count++
    }
    if (count > 0) this.onForgotten(count)
  }
}
