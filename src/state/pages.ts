export const PAGE = 64

interface Page<T> {
  values: (T | undefined)[]
  /** How many of them count. */
  count: number
}

/** A long list with holes that is copied in no time: copies share its pages, until one of them writes on one. */
export class Pages<T> {
  #pages = new Map<number, Page<T>>()
  /** The pages that are ours alone. */
  #own = new Set<number>()
  #counts: (value: T | undefined) => boolean
  /** How many of all values count. */
  count = 0
  /** One past the last place that was ever written to. */
  length = 0

  constructor(counts: (value: T | undefined) => boolean) {
    this.#counts = counts
  }

  get(place: number): T | undefined {
    return this.#pages.get(Math.floor(place / PAGE))?.values[place % PAGE]
  }

  set(place: number, value: T | undefined) {
    const page = this.#writable(Math.floor(place / PAGE))
    const change = Number(this.#counts(value)) - Number(this.#counts(page.values[place % PAGE]))
    page.values[place % PAGE] = value
    page.count += change
    this.count += change
    this.length = Math.max(this.length, place + 1)
  }

  /** How many values count on the page with that place. */
  countAround(place: number): number {
    return this.#pages.get(Math.floor(place / PAGE))?.count ?? 0
  }

  *[Symbol.iterator](): Generator<[place: number, value: T]> {
    for (const [number, { values }] of this.#pages)
      for (const [i, value] of values.entries()) if (value !== undefined) yield [number * PAGE + i, value]
  }

  copy(): Pages<T> {
    const copy = new Pages(this.#counts)
    copy.#pages = new Map(this.#pages)
    copy.count = this.count
    copy.length = this.length
    this.#own.clear()
    return copy
  }

  #writable(number: number): Page<T> {
    const page = this.#pages.get(number)
    if (page && this.#own.has(number)) return page
    const own = { values: page?.values.slice() ?? [], count: page?.count ?? 0 }
    this.#pages.set(number, own)
    this.#own.add(number)
    return own
  }
}
