/**
 * The one kind of cache that a module may have: of results that follow from the arguments alone, so that no caller can
 * tell whether they were cached. Any other state belongs to a simulator, and a process may run several.
 */

/** A value that is computed when it is first needed. */
export function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** The function with a cache of its latest results, at most `max`. Of several arguments, none may have a line break. */
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
