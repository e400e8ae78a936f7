interface Numbered {
  seq: number
}

/** The latest items of a sandbox's log. The oldest are dropped when there are too many or they are too large. */
export class Latest<T extends Numbered> {
  /** Their sizes, oldest first. */
  #sizes = new Map<T, number>()
  #bytes = 0
  #seq = 0
  /** The seq of the last item when they were cleared. */
  #clearedUpTo = 0

  constructor(
    readonly maxItems: number,
    readonly maxBytes: number,
  ) {}

  protected push(item: T, size: number) {
    item.seq = ++this.#seq
    this.#sizes.set(item, size)
    this.#bytes += size
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#sizes.size <= this.maxItems && this.#bytes <= this.maxBytes) break
      this.#sizes.delete(oldest)
      this.#bytes -= bytes
    }
  }

  oldestFirst(): Iterable<T> {
    return this.#sizes.keys()
  }

  newestFirst(): T[] {
    return [...this.#sizes.keys()].reverse()
  }

  get bytes() {
    return this.#bytes
  }

  /** How many were dropped because there were too many. */
  get dropped(): number {
    return this.#seq - this.#clearedUpTo - this.#sizes.size
  }

  /** Drops all of them, as if there were too many. */
  dropAll() {
    this.#sizes.clear()
    this.#bytes = 0
  }

  clear() {
    this.#clearedUpTo = this.#seq
    this.dropAll()
  }
}
