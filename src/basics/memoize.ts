/**
 * The only caches allowed at module level: their results depend only on the arguments. Any other state belongs to a
 * simulator, because a process may run several.
 */

/** A value that is computed on first use. */
export function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** The function with a cache by its argument, which it does not keep alive. */
export function memoizeBy<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return key => {
    let value = known.get(key)
    if (value === undefined) {
      value = compute(key)
      known.set(key, value)
    }
    return value
  }
}

/** The function with a cache of up to `max` results. Several arguments must not contain line breaks. */
export function memoize<K extends string[], V>(max: number, compute: (...args: K) => V): (...args: K) => V {
  const known = new Map<string, V>()
  return (...args) => {
    const key = args.join('\n')
    if (known.has(key)) return known.get(key)!
    const value = compute(...args)
    if (known.size >= max) known.delete(known.keys().next().value!)
    known.set(key, value)
    return value
  }
}
