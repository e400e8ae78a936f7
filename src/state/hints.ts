/** Hints may outnumber by this what was there when they were last collected, and as much again. */
const SPARE_HINTS = 64

/**
 * Where rows with a value may be: the order numbers under which a row had that value in any state that shares these
 * hints. They are only added, so that states can share them: a reader checks the row.
 */
export class Hints {
  readonly #orders = new Map<string, Map<unknown, number[]>>()
  #count = 0
  #most = SPARE_HINTS

  /** Of a list, each item counts. */
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

  /** True when most may be of rows that are gone: then it is time to collect them anew. */
  get areStale(): boolean {
    return this.#count > this.#most
  }

  /** All that there is to add was added. */
  close() {
    this.#most = 2 * this.#count + SPARE_HINTS
  }
}

const NONE: readonly number[] = []
