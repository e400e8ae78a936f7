/** The latest items of a sandbox's log. The oldest are dropped when there are too many or they are too large. */
export class BoundedLog<T extends { seq: number }> {
  /** Oldest first, with empty places for dropped ones at the start: removing each at once would cost more. */
  #items: (T | undefined)[] = []
  #sizes: number[] = []
  #emptyPlaces = 0
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
    this.#items.push(item)
    this.#sizes.push(size)
    this.#bytes += size
    this.#evict()
  }

  /** False for an item that is not kept any more. */
  protected resize(item: T, size: number): boolean {
    const at = this.#items.length - 1 - (this.#seq - item.seq)
    if (this.#items[at] !== item) return false
    this.#bytes += size - this.#sizes[at]!
    this.#sizes[at] = size
    this.#evict()
    return true
  }

  protected get oldest(): T | undefined {
    return this.#items[this.#emptyPlaces]
  }

  oldestFirst(): T[] {
    return this.#items.slice(this.#emptyPlaces) as T[]
  }

  newestFirst(): T[] {
    return this.oldestFirst().reverse()
  }

  get bytes() {
    return this.#bytes
  }

  get size() {
    return this.#items.length - this.#emptyPlaces
  }

  /** How many were dropped because there were too many. */
  get dropped(): number {
    return this.#seq - this.#clearedUpTo - this.size
  }

  /** The seq of the oldest that is kept. */
  get oldestSeq(): number {
    return this.#seq - this.size + 1
  }

  /** Drops all of them, as if there were too many. */
  dropAll() {
    this.#items = []
    this.#sizes = []
    this.#emptyPlaces = 0
    this.#bytes = 0
  }

  clear() {
    this.#clearedUpTo = this.#seq
    this.dropAll()
  }

  #evict() {
    while (this.size > 1 && (this.size > this.maxItems || this.#bytes > this.maxBytes)) {
      this.#bytes -= this.#sizes[this.#emptyPlaces]!
      this.#items[this.#emptyPlaces++] = undefined
    }
    if (this.#emptyPlaces <= this.maxItems) return
    this.#items = this.#items.slice(this.#emptyPlaces)
    this.#sizes = this.#sizes.slice(this.#emptyPlaces)
    this.#emptyPlaces = 0
  }
}
