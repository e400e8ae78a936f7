/** The number of hints may double, plus this, before they are collected again. */
const SPARE_HINTS = 64

/**
 * Order numbers at which a row with a value may be: any state that shares these hints had it there. Hints are only
 * added, so states can share them. A reader checks the row.
 */
export class Hints {
  readonly #orders = new Map<string, Map<unknown, number[]>>()
  #count = 0
  #most = SPARE_HINTS

  /** Adds every item of a list. */
  add(field: string, value: unknown, order: number) {
    if (Array.isArray(value)) for (const item of value) this.#add(field, item, order)
    else this.#add(field, value, order)
  }

  #add(field: string, value: unknown, order: number) {
    const byValue = this.#orders.get(field) ?? new Map<unknown, number[]>()
    if (byValue.size === 0) this.#orders.set(field, byValue)
    const orders = byValue.get(value)
    if (!orders) byValue.set(value, [order])
    else if (orders.at(-1) !== order) orders.push(order)
    this.#count++
  }

  of(field: string, value: unknown): readonly number[] {
    return this.#orders.get(field)?.get(value) ?? NONE
  }

  /** Whether most hints may refer to rows that no longer exist. */
  get areStale(): boolean {
    return this.#count > this.#most
  }

  /** Sets the limit, after all hints were collected. */
  close() {
    this.#most = 2 * this.#count + SPARE_HINTS
  }
}

const NONE: readonly number[] = []
