import { isObject } from '../../basics/json.ts'
import { shorten } from '../../basics/problem.ts'

/** Characters of JSON in a tool result, which an agent reads completely. */
export const MAX_RESULT_CHARACTERS = 20_000
/** Characters of the summary before the JSON. */
export const MAX_SUMMARY_CHARACTERS = 2_000
/** Fields of an object in a result, and characters of their names. Records have fewer. */
const MAX_OBJECT_FIELDS = 100
const MAX_NAME_CHARACTERS = 100
/** Size of one message from the client of `edgesim mcp`. */
export const MAX_MESSAGE_MB = 10

/** The length of lists, and of strings per list item. Both are reduced in steps until the result is short enough. */
const MAX_ITEMS = 100
const CHARACTERS_PER_ITEM = 40

/** Trims a value to MAX_RESULT_CHARACTERS of JSON. `truncated` describes the omitted parts. */
export function bounded(value: unknown): { value: unknown; truncated: string[] } {
  for (let items = MAX_ITEMS; items > 1; items = Math.floor(items * 0.7)) {
    const trimmed = trim(value, items, items * CHARACTERS_PER_ITEM)
    if (JSON.stringify(trimmed.value ?? null).length <= MAX_RESULT_CHARACTERS) return trimmed
  }
  return { value: {}, truncated: [`everything (${JSON.stringify(value).length} characters)`] }
}

function trim(value: unknown, maxItems: number, maxCharacters: number) {
  /** The longest trimmed value by path, which all items of a list share. */
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
      const first = value.slice(0, maxItems)
      if (first.length < value.length) note(path, value.length, `${first.length} of ${value.length}`)
      return first.map(each => visit(each, `${path}[]`))
    }
    if (!isObject(value)) return value
    const fields = Object.entries(value)
    const first = fields.slice(0, MAX_OBJECT_FIELDS)
    if (first.length < fields.length) note(path, fields.length, `${first.length} of ${fields.length} fields`)
    return Object.fromEntries(
      first.map(([given, each]) => {
        const name = shorten(given, MAX_NAME_CHARACTERS)
        return [name, visit(each, path ? `${path}.${name}` : name)]
      }),
    )
  }
  const shown = visit(value, '')
  const truncated = Array.from(trimmed, ([path, { clause }]) => `${path || 'result'} (${clause} shown)`)
  return { value: shown, truncated }
}
