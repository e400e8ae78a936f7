/** True for an object with members: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value with each text in it replaced, the names of members too. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(each => mapTexts(each, replace))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [replace(name), mapTexts(each, replace)]))
}

/** Limit the depth of JSON: a value that parses may still overflow the stack when it is written. */
export const MAX_DEPTH = 20

/** How deep lists and objects are nested; stops at one level past `max`. */
export function depthOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (max < 0) return 1
  let deepest = 0
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    deepest = Math.max(deepest, depthOf(inner, max - 1))
    if (deepest > max) break
  }
  return deepest + 1
}

const SAMPLES = 50

/** About how long the items of a list are as JSON, in characters. Of a long list, only about 50 are measured. */
export function estimateLength(list: readonly unknown[]): number {
  const step = Math.max(1, Math.floor(list.length / SAMPLES))
  let [sum, count] = [0, 0]
  for (let i = 0; i < list.length; i += step, count++) sum += JSON.stringify(list[i]).length
  return count === 0 ? 0 : Math.round((sum / count) * list.length)
}
