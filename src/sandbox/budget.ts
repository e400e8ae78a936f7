/** One of those that share a budget. */
export interface Spender {
  /** What it keeps of the past, in bytes. */
  readonly past: number
  /** When that was, in milliseconds. */
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
  #grown = 0

  constructor(
    readonly most: number,
    readonly spenders: () => Iterable<Spender>,
    /** Told how many forgot their past. */
    readonly onForgotten: (count: number) => void,
    readonly now: () => number,
  ) {}

  /** It was used, and keeps so many bytes more. */
  grew(spender: Spender, bytes: number) {
    spender.lastUsed = this.now()
    this.#grown += bytes
    if (this.#grown > this.most * SWEPT) this.#sweep(spender)
  }

  #sweep(current: Spender) {
    this.#grown = 0
    const all = [...this.spenders()]
    let sum = all.reduce((total, { past }) => total + past, 0)
    if (sum <= this.most * (1 - SWEPT)) return
    all.sort((a, b) => a.lastUsed - b.lastUsed)
    let count = 0
    for (const spender of all) {
      if (sum <= this.most * LEFT) break
      if (spender.past === 0 || spender === current) continue
      sum -= spender.past
      spender.forgetPast()
      count++
    }
    if (count > 0) this.onForgotten(count)
  }
}
