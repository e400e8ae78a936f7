const BITS = 5
/** The slots of a node. */
const WIDTH = 2 ** BITS

/** Values in a leaf, child nodes in other nodes. Slots can be empty, but a node never is. */
type Node = readonly unknown[]

type Found<V> = (number: number, one: V | undefined, other: V | undefined) => void

/**
 * Values by number, in ascending order from 0. Immutable: `set` and `delete` return a new map that shares nearly all
 * nodes with this one. So copies are free, and maps with a common past are quick to compare.
 */
export class NumberMap<V> {
  readonly size: number
  readonly #root: Node | undefined
  readonly #height: number

  private constructor(size: number, root: Node | undefined, height: number) {
    this.size = size
    this.#root = root
    this.#height = height
  }

  static of<V>(values: readonly V[], numberOf: (i: number) => number = i => i): NumberMap<V> {
    const last = values.reduce((max, _, i) => Math.max(max, numberOf(i)), 0)
    const height = heightFor(last)
    const root: unknown[] = []
    for (const [i, value] of values.entries()) {
      let node = root
      for (let level = height - 1; level > 0; level--) {
        const slot = slotOf(numberOf(i), level)
        node[slot] ??= []
        node = node[slot] as unknown[]
      }
      node[slotOf(numberOf(i), 0)] = value
    }
    return new NumberMap<V>(values.length, values.length > 0 ? root : undefined, height)
  }

  get(number: number): V | undefined {
    if (number >= WIDTH ** this.#height) return undefined
    let node = this.#root
    for (let level = this.#height - 1; level > 0; level--) node = node?.[slotOf(number, level)] as Node | undefined
    return node?.[slotOf(number, 0)] as V | undefined
  }

  set(number: number, value: V): NumberMap<V> {
    const height = Math.max(this.#height, heightFor(number))
    const root = write(this.#raised(height), height - 1, number, value)
    return new NumberMap<V>(this.size + (this.get(number) === undefined ? 1 : 0), root, height)
  }

  delete(number: number): NumberMap<V> {
    if (this.get(number) === undefined) return this
    return new NumberMap<V>(this.size - 1, write(this.#root, this.#height - 1, number, undefined), this.#height)
  }

  /** The values after a number. */
  ascending(after = -1): Generator<V> {
    return this.#walk(after + 1, 1)
  }

  /** The values before a number, in descending order. */
  descending(before = WIDTH ** this.#height): Generator<V> {
    return this.#walk(before - 1, -1)
  }

  /** Calls `found` for all numbers with different values. Skips shared nodes. */
  compare(other: NumberMap<V>, found: Found<V>) {
    const height = Math.max(this.#height, other.#height)
    compare(this.#raised(height), other.#raised(height), height - 1, 0, found as Found<unknown>)
  }

  *#walk(start: number, step: 1 | -1): Generator<V> {
    let from = start
    while (from >= 0) {
      const found = leafFrom(this.#root, this.#height - 1, 0, from, step)
      if (!found) return
      const { leaf, first } = found
      for (let slot = clamp(from - first); slot >= 0 && slot < WIDTH; slot += step) {
        const value = leaf[slot]
        if (value !== undefined) yield value as V
      }
      from = step > 0 ? first + WIDTH : first - 1
    }
  }

  #raised(height: number): Node | undefined {
    let root = this.#root
    for (let level = this.#height; root && level < height; level++) root = [root]
    return root
  }
}

const slotOf = (number: number, level: number) => (number >>> (level * BITS)) & (WIDTH - 1)

const clamp = (slot: number) => Math.max(0, Math.min(slot, WIDTH - 1))

function heightFor(number: number): number {
  let height = 1
  while (number >= WIDTH ** height) height++
  return height
}

/** A copy of the node with another value. Undefined if it becomes empty. */
function write(node: Node | undefined, level: number, number: number, value: unknown): Node | undefined {
  const copy = node ? node.slice() : []
  const slot = slotOf(number, level)
  copy[slot] = level === 0 ? value : write(copy[slot] as Node | undefined, level - 1, number, value)
  return copy[slot] !== undefined || copy.some(each => each !== undefined) ? copy : undefined
}

/** The first leaf in a direction, starting at the leaf of a number, and the number of its first slot. */
function leafFrom(
  node: Node | undefined,
  level: number,
  first: number,
  from: number,
  step: 1 | -1,
): { leaf: Node; first: number } | undefined {
  const width = WIDTH ** level
  if (!node || (step > 0 && from >= first + WIDTH * width)) return undefined
  if (level === 0) return { leaf: node, first }
  for (let slot = clamp(Math.floor((from - first) / width)); slot >= 0 && slot < WIDTH; slot += step) {
    const found = leafFrom(node[slot] as Node | undefined, level - 1, first + slot * width, from, step)
    if (found) return found
  }
  return undefined
}

function compare(one: unknown, other: unknown, level: number, first: number, found: Found<unknown>) {
  if (one === other) return
  if (level < 0) return found(first, one, other)
  for (let slot = 0; slot < WIDTH; slot++)
    compare((one as Node)?.[slot], (other as Node)?.[slot], level - 1, first + slot * WIDTH ** level, found)
}
