/** Places in a chunk. */
export const CHUNK = 64

interface Chunk<T> {
  values: (T | undefined)[]
  /** The sum of the weights of its values. */
  sum: number
}

/** A long list with holes. A copy is cheap: copies share chunks, and a list copies a chunk before it writes to it. */
export class SharedList<T> {
  #chunks = new Map<number, Chunk<T>>()
  /** The chunks that no copy shares. */
  #own = new Set<number>()
  #weigh: (value: T, place: number) => number
  /** The sum of the weights of all values. */
  sum = 0
  /** One more than the last place that was ever written. */
  length = 0

  constructor(weigh: (value: T, place: number) => number) {
    this.#weigh = weigh
  }

  get(place: number): T | undefined {
    return this.#chunks.get(Math.floor(place / CHUNK))?.values[place % CHUNK]
  }

  set(place: number, value: T | undefined) {
    const chunk = this.#writable(Math.floor(place / CHUNK))
    const weight = (each: T | undefined) => (each === undefined ? 0 : this.#weigh(each, place))
    const change = weight(value) - weight(chunk.values[place % CHUNK])
    chunk.values[place % CHUNK] = value
    chunk.sum += change
    this.sum += change
    this.length = Math.max(this.length, place + 1)
  }

  /** The sum of the weights in the chunk of that place. */
  sumAround(place: number): number {
    return this.#chunks.get(Math.floor(place / CHUNK))?.sum ?? 0
  }

  *[Symbol.iterator](): Generator<[place: number, value: T]> {
    for (const [number, { values }] of this.#chunks)
      for (const [i, value] of values.entries()) if (value !== undefined) yield [number * CHUNK + i, value]
  }

  copy(): SharedList<T> {
    const copy = new SharedList(this.#weigh)
    copy.#chunks = new Map(this.#chunks)
    copy.sum = this.sum
    copy.length = this.length
    this.#own.clear()
    return copy
  }

  #writable(number: number): Chunk<T> {
    const chunk = this.#chunks.get(number)
    if (chunk && this.#own.has(number)) return chunk
    const own = { values: chunk?.values.slice() ?? [], sum: chunk?.sum ?? 0 }
    this.#chunks.set(number, own)
    this.#own.add(number)
    return own
  }
}
