/** An object with members: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deeper than anything that is meant: what parses may still be too deep to be written again. */
export const MAX_DEPTH = 20

/** How deep lists and objects are nested; looks no further than one past `most`. */
export function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (most < 0) return 1
  let deepest = 0
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    deepest = Math.max(deepest, depthOf(inner, most - 1))
    if (deepest > most) break
  }
  return deepest + 1
}
