/**
 * What a module may hold on to: results that follow from the argument alone, so that nobody can tell whether they were
 * remembered. Anything else belongs to a simulator, of which a process may have several.
 */

/** The result of the first call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The results for the latest keys, at most so many. */
export function remembering<V>(max: number, of: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>()
  return key => {
    if (known.has(key)) return known.get(key)!
    const value = of(key)
    if (known.size >= max) known.delete(known.keys().next().value!)
    known.set(key, value)
    return value
  }
}

/** The results for objects, as long as these live. */
export function rememberingFor<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  return key => {
    const found = known.get(key) ?? { value: of(key) }
    known.set(key, found)
    return found.value
  }
}
