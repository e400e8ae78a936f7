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

/** Items of a list and characters of a text that are kept. The first step that makes a result short enough is used. */
const TRIM_STEPS: [items: number, characters: number][] = [
  [100, 4000],
  [70, 2800],
  [50, 2000],
  [35, 1400],
  [20, 1000],
  [14, 700],
  [10, 500],
  [5, 200],
  [2, 100],
]

export interface Bounded {
  value: unknown
  /** Clauses that say what was left out. */
  leftOut: string[]
}

/** Trims a value to MAX_RESULT_CHARACTERS of JSON. */
export function bounded(value: unknown): Bounded {
  for (const [items, characters] of TRIM_STEPS) {
    const trimmer = new Trimmer(items, characters)
    const shown = trimmer.trim(value, '')
    if (JSON.stringify(shown ?? null).length <= MAX_RESULT_CHARACTERS)
      return { value: shown, leftOut: trimmer.leftOut() }
  }
  return { value: {}, leftOut: [`all of it, since it has ${JSON.stringify(value).length} characters`] }
}

class Trimmer {
  /** By path, which all items of a list share: the longest value that was trimmed there, and the clause about it. */
  readonly #leftOut = new Map<string, { length: number; clause: string }>()

  constructor(
    readonly items: number,
    readonly characters: number,
  ) {}

  trim(value: unknown, path: string): unknown {
    if (typeof value === 'string') {
      const cut = shorten(value, this.characters)
      if (cut !== value) this.#note(path, value.length, `the first ${this.characters} of ${value.length} characters`)
      return cut
    }
    if (Array.isArray(value)) {
      const kept = value.slice(0, this.items)
      if (kept.length < value.length) this.#note(path, value.length, `${kept.length} of ${value.length}`)
      return kept.map(each => this.trim(each, `${path}[]`))
    }
    if (!isObject(value)) return value
    const members = Object.entries(value)
    const kept = members.slice(0, MAX_OBJECT_MEMBERS)
    if (kept.length < members.length) this.#note(path, members.length, `${kept.length} of ${members.length} members`)
    return Object.fromEntries(
      kept.map(([given, each]) => {
        const name = shorten(given, MAX_NAME_CHARACTERS)
        return [name, this.trim(each, path ? `${path}.${name}` : name)]
      }),
    )
  }

  leftOut = () => Array.from(this.#leftOut, ([path, { clause }]) => `of ${path || 'it'}, ${clause} are shown`)

  #note(path: string, length: number, clause: string) {
    const place = shorten(path, MAX_NAME_CHARACTERS)
    if (length > (this.#leftOut.get(place)?.length ?? 0)) this.#leftOut.set(place, { length, clause })
  }
}
