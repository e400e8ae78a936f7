import { isObject } from '../basics/json.ts'
import { shorten } from '../basics/problem.ts'

/** Characters of JSON that a result may have: an agent reads all of it. */
export const MOST_CHARACTERS = 20_000
/** Members that an object may have, and characters of their names: those of records have few. */
const MOST_MEMBERS = 100
const LONGEST_NAME = 100

/** How many items of a list and characters of a text are left, in turn, until it is short enough. */
const STEPS: [items: number, characters: number][] = [
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
  /** What was left out, in words. */
  leftOut: string[]
}

/** A result that is not too long, and what is missing of it. */
export function bounded(value: unknown): Bounded {
  for (const [items, characters] of STEPS) {
    const cut = new Cut(items, characters)
    const shown = cut.trim(value, '')
    if (JSON.stringify(shown ?? null).length <= MOST_CHARACTERS) return { value: shown, leftOut: cut.told() }
  }
  return { value: {}, leftOut: [`all of it, since it has ${JSON.stringify(value).length} characters`] }
}

class Cut {
  /** By place, of which there is one for all items of a list: the longest that was met, and the words for it. */
  readonly #leftOut = new Map<string, { length: number; words: string }>()

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
    const kept = members.slice(0, MOST_MEMBERS)
    if (kept.length < members.length) this.#note(path, members.length, `${kept.length} of ${members.length} members`)
    return Object.fromEntries(
      kept.map(([given, each]) => {
        const name = shorten(given, LONGEST_NAME)
        return [name, this.trim(each, path ? `${path}.${name}` : name)]
      }),
    )
  }

  told = () => Array.from(this.#leftOut, ([path, { words }]) => `of ${path || 'it'}, ${words} are shown`)

  #note(path: string, length: number, words: string) {
    const place = shorten(path, LONGEST_NAME)
    if (length > (this.#leftOut.get(place)?.length ?? 0)) this.#leftOut.set(place, { length, words })
  }
}
