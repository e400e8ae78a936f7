/** Items per sandbox: decisions about traffic, and deliveries of events. */
export const MAX_LOGGED = 1000
export const MAX_LOGGED_BYTES = 4 * 1024 * 1024

/** The latest items of a sandbox's log. Drops the oldest when there are too many or they are too large. */
export class BoundedLog<T extends { seq: number }> {
  /** Oldest first, starting with empty slots for dropped items: removing each one separately would cost more. */
  #items: (T | undefined)[] = []
  #sizes: number[] = []
  #emptySlots = 0
  #bytes = 0
  #seq = 0
  /** The seq of the last item at the last clear. */
  #clearedUpTo = 0

  constructor(
    readonly maxItems = MAX_LOGGED,
    readonly maxBytes = MAX_LOGGED_BYTES,
  ) {}

  push(item: T, size: number) {
    item.seq = ++this.#seq
    this.#items.push(item)
    this.#sizes.push(size)
    this.#bytes += size
    this.#evict()
  }

  /** Returns false if the item was already dropped. */
  protected resize(item: T, size: number): boolean {
    const at = this.#items.length - 1 - (this.#seq - item.seq)
    if (this.#items[at] !== item) return false
    this.#bytes += size - this.#sizes[at]!
    this.#sizes[at] = size
    this.#evict()
    return true
  }

  /** Called for each item that exceeds the limits. */
  protected onDrop(_item: T) {}

  protected get oldest(): T | undefined {
    return this.#items[this.#emptySlots]
  }

  oldestFirst(): T[] {
    return this.#items.slice(this.#emptySlots) as T[]
  }

  newestFirst(): T[] {
    return this.oldestFirst().reverse()
  }

  get bytes() {
    return this.#bytes
  }

  get size() {
    return this.#items.length - this.#emptySlots
  }

  /** The number of items dropped because of the limits. */
  get dropped(): number {
    return this.#seq - this.#clearedUpTo - this.size
  }

  /** The seq of the oldest stored item. */
  get oldestSeq(): number {
    return this.#seq - this.size + 1
  }

  /** Drops all items, as if the limits were exceeded. */
  dropAll() {
    this.#items = []
    this.#sizes = []
    this.#emptySlots = 0
    this.#bytes = 0
  }

  clear() {
    this.#clearedUpTo = this.#seq
    this.dropAll()
  }

  #evict() {
    while (this.size > 1 && (this.size > this.maxItems || this.#bytes > this.maxBytes)) {
      this.onDrop(this.#items[this.#emptySlots]!)
      this.#bytes -= this.#sizes[this.#emptySlots]!
      this.#items[this.#emptySlots++] = undefined
    }
    if (this.#emptySlots <= this.maxItems) return
    this.#items = this.#items.slice(this.#emptySlots)
    this.#sizes = this.#sizes.slice(this.#emptySlots)
    this.#emptySlots = 0
  }
}
