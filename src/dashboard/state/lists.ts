/** The items by key, in the order of their first items. Map.groupBy needs a newer browser. */
export function groupBy<T, K>(list: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

export const sumOf = <T>(list: readonly T[], value: (each: T) => number) =>
  list.reduce((sum, each) => sum + value(each), 0)

/** Computes each value once. Items with equal values remain in their order. */
export function sorted<T>(list: readonly T[], value: (each: T) => string | number, descending = false): T[] {
  const [less, more] = descending ? [1, -1] : [-1, 1]
  const keyed = list.map(each => ({ each, key: value(each) }))
  return keyed.sort((a, b) => (a.key < b.key ? less : a.key > b.key ? more : 0)).map(({ each }) => each)
}

/** Whether the text contains all words, in any order and case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  const wanted = words.toLowerCase().split(/\s+/)
  return wanted.every(word => lower.includes(word))
}
