import { isObject } from '../basics/json.ts'
import { shorten } from '../basics/problem.ts'

/** Characters of JSON in a result of a tool: an agent reads all of it. */
export const MAX_RESULT_CHARACTERS = 20_000
/** Characters of the short text before the JSON. */
export const MAX_SUMMARY_CHARACTERS = 2_000
/** Members of an object in a result, and characters of their names. Records have fewer. */
const MAX_OBJECT_MEMBERS = 100
const MAX_NAME_CHARACTERS = 100
/** Of one message that the client of `edgesim mcp` sends. */
export const MAX_MESSAGE_MB = 10

/** Of a list and a text that are kept whole, if the result is short enough. Otherwise both are reduced in steps. */
const MAX_ITEMS = 100
const CHARACTERS_PER_ITEM = 40

/** Trims a value to MAX_RESULT_CHARACTERS of JSON. `leftOut` has clauses that say what is missing. */
export function bounded(value: unknown): { value: unknown; leftOut: string[] } {
  for (let items = MAX_ITEMS; items > 1; items = Math.floor(items * 0.7)) {
    const trimmed = trim(value, items, items * CHARACTERS_PER_ITEM)
    if (JSON.stringify(trimmed.value ?? null).length <= MAX_RESULT_CHARACTERS) return trimmed
  }
  return { value: {}, leftOut: [`all of it, since it has ${JSON.stringify(value).length} characters`] }
}

function trim(value: unknown, maxItems: number, maxCharacters: number) {
  /** By path, which all items of a list share: the longest value that was trimmed there, and the clause about it. */
  const trimmed = new Map<string, { length: number; clause: string }>()
  const note = (path: string, length: number, clause: string) => {
    const place = shorten(path, MAX_NAME_CHARACTERS)
    if (length > (trimmed.get(place)?.length ?? 0)) trimmed.set(place, { length, clause })
  }
  const visit = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') {
      const cut = shorten(value, maxCharacters)
      if (cut !== value) note(path, value.length, `the first ${maxCharacters} of ${value.length} characters`)
      return cut
    }
    if (Array.isArray(value)) {
      const kept = value.slice(0, maxItems)
      if (kept.length < value.length) note(path, value.length, `${kept.length} of ${value.length}`)
      return kept.map(each => visit(each, `${path}[]`))
    }
    if (!isObject(value)) return value
    const members = Object.entries(value)
    const kept = members.slice(0, MAX_OBJECT_MEMBERS)
    if (kept.length < members.length) note(path, members.length, `${kept.length} of ${members.length} members`)
    return Object.fromEntries(
      kept.map(([given, each]) => {
        const name = shorten(given, MAX_NAME_CHARACTERS)
        return [name, visit(each, path ? `${path}.${name}` : name)]
      }),
    )
  }
  const shown = visit(value, '')
  const leftOut = Array.from(trimmed, ([path, { clause }]) => `of ${path || 'it'}, ${clause} are shown`)
  return { value: shown, leftOut }
}
