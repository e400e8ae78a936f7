import { shorten } from '../words/flaw.ts'
import { isObject } from '../words/is-object.ts'

/** Characters of JSON that a result may have: an agent reads all of it. */
const MOST_CHARACTERS = 20_000

/** How many items of a list and characters of a text are left, in turn, until it is short enough. */
const STEPS: [items: number, characters: number][] = [
  [100, 4000],
  [50, 2000],
  [20, 1000],
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
    const leftOut: string[] = []
    const cut = trim(value, '', { items, characters, leftOut })
    if (JSON.stringify(cut ?? null).length <= MOST_CHARACTERS) return { value: cut, leftOut }
  }
  const { length } = JSON.stringify(value)
  return { value: {}, leftOut: [`all of it: it has ${length} characters, and only ${MOST_CHARACTERS} are shown`] }
}

interface Limits {
  items: number
  characters: number
  leftOut: string[]
}

function trim(value: unknown, path: string, limits: Limits): unknown {
  const { items, characters, leftOut } = limits
  if (typeof value === 'string') {
    if (value.length <= characters) return value
    leftOut.push(`${path}: the first ${characters} of ${value.length} characters are shown`)
    return shorten(value, characters)
  }
  if (Array.isArray(value)) {
    if (value.length > items) leftOut.push(`${path}: ${items} of ${value.length} are shown`)
    return value.slice(0, items).map((each, i) => trim(each, `${path}[${i}]`, limits))
  }
  if (!isObject(value)) return value
  const members = Object.entries(value)
  if (members.length > items) leftOut.push(`${path || 'members'}: ${items} of ${members.length} are shown`)
  return Object.fromEntries(
    members.slice(0, items).map(([name, each]) => [name, trim(each, path ? `${path}.${name}` : name, limits)]),
  )
}
