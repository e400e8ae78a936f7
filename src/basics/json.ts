/** True for an object that is neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parsed value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value with each string in it replaced, including field names. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(each => mapTexts(each, replace))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [replace(name), mapTexts(each, replace)]))
}

/** A deeply nested value that parses may still overflow the stack when it is serialized. */
export const MAX_DEPTH = 20

/** The nesting depth of lists and objects; stops at one level past `max`. */
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

/** The estimated length of a list's items as JSON, in characters. Measures about 50 items of a long list. */
export function estimateLength(list: readonly unknown[]): number {
  const step = Math.max(1, Math.floor(list.length / SAMPLES))
  let [sum, count] = [0, 0]
  for (let i = 0; i < list.length; i += step, count++) sum += JSON.stringify(list[i]).length
  return count === 0 ? 0 : Math.round((sum / count) * list.length)
}
