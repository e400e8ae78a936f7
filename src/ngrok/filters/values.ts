import { parseDuration } from '../../basics/duration.ts'
import { suggest } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { contains } from '../../basics/text.ts'
import { parseTime, TIME } from '../../engine/language/index.ts'
import type { Kind } from './members.ts'
import { failAt, type Token } from './syntax.ts'

type Item = Record<string, unknown>
export type Test = (item: Item) => boolean

/** A place in a filter. */
export interface Place {
  at: number
  source: string
}

/** A checked part of a filter. Reading it never fails. */
export interface Part extends Place {
  kind: Kind
  /** An unset value is undefined or an empty string. Times are in milliseconds. */
  read: (item: Item) => unknown
  /** The value, if it is the same for every item. */
  constant?: unknown
}

export const constantOf = ({ at, source }: Place, kind: Kind, constant: unknown): Part => ({
  ...{ at, source, kind, constant },
  read: () => constant,
})

/** The string or the list that a part of this kind reads. */
const textIn = ({ read }: Part, item: Item) => read(item) as string
const listIn = ({ read }: Part, item: Item) => read(item) as unknown[] | undefined

const NAMES = {
  text: 'a string',
  id: 'an id',
  time: 'a time',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  list: 'a list',
}
const nameOf = (kind: Kind) => (typeof kind === 'string' ? NAMES[kind] : 'an object')
const isText = (kind: Kind) => kind === 'text' || kind === 'id'
const isConstant = (part: Part) => 'constant' in part
const sourceOf = ({ source }: Place) => shorten(source, 60)
/** `obj.id is an id` */
const describe = (part: Part) => `${sourceOf(part)} is ${nameOf(part.kind)}`

/** For strings, numbers and times. Undefined is neither less nor greater than any value. */
const COMPARISONS: Record<string, (a: never, b: never) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}
export const isOperator = (text: string) => text === 'in' || Object.hasOwn(COMPARISONS, text)

export function testOf(part: Part): Test {
  if (part.kind !== 'boolean') failAt(part.at, `${describe(part)}, but true or false is expected`)
  return part.read as Test
}

/** The items of a list in brackets. */
export function checkItems(items: Part[]): Part[] {
  for (const item of items) {
    if (!isConstant(item)) failAt(item.at, `a list can contain only constants, got ${sourceOf(item)}`)
    if (item.kind === 'list') failAt(item.at, 'filters do not support nested lists')
  }
  return items
}

export function memberOf(of: Part, { text: name, at }: Token, place: Place): Part {
  if (typeof of.kind === 'string') return failAt(at, `${describe(of)} and has no fields`)
  if (!Object.hasOwn(of.kind, name))
    return failAt(at, `unknown field ${sourceOf(place)}.${suggest(name, Object.keys(of.kind))}`)
  const kind = of.kind[name]!
  const get = (item: Item) => (of.read(item) as Item | undefined)?.[name] ?? undefined
  if (isText(kind)) return { ...place, kind, read: item => get(item) ?? '' }
  return { ...place, kind, read: kind === 'time' ? item => toTime(get(item)) : get }
}

/** The first argument of a method is its object. */
export const FUNCTIONS: Record<string, (place: Place, of: Part, by: Part) => Part> = {
  size(place, of) {
    const { kind } = of
    if (kind === 'list') return { ...place, kind: 'number', read: item => listIn(of, item)?.length }
    if (isText(kind)) return { ...place, kind: 'number', read: item => countCharacters(textIn(of, item)) }
    return failAt(of.at, `size works on strings and lists, but ${describe(of)}`)
  },
  timestamp: (_, of) => (of.kind === 'time' ? of : toTimestamp(of)),
  add: (place, of, by) => constantOf(place, 'time', timeOf('add', place, of) + durationOf(by)),
  subtract: (place, of, by) => constantOf(place, 'time', timeOf('subtract', place, of) - durationOf(by)),
  startsWith: searching('startsWith', (text, sought) => text.startsWith(sought)),
  endsWith: searching('endsWith', (text, sought) => text.endsWith(sought)),
  contains: searching('contains', contains),
}

function toTimestamp(part: Part): Part {
  if (typeof part.constant !== 'string') return failAt(part.at, 'timestamp takes a string in quotes, or time.now')
  // A day means its beginning, as in a vendor's example.
  const time = parseTime(part.constant.replace(/^(\d{4}-\d\d-\d\d)Z$/i, '$1T00:00:00Z'))
  if (time === undefined) return failAt(part.at, `the time must be ${TIME}, or a day like 2026-01-01Z`)
  return constantOf(part, 'time', time)
}

function timeOf(name: string, { at }: Place, of: Part): number {
  if (of.kind !== 'time' || !isConstant(of)) failAt(at, `${name} works only on timestamp(…), got ${sourceOf(of)}`)
  return of.constant as number
}

const durationOf = ({ at, kind, constant }: Part): number =>
  (kind === 'text' ? parseDuration(String(constant)) : undefined) ??
  failAt(at, 'the duration must be like 90s, 30m, 24h or 7d')

function searching(name: string, content: (text: string, sought: string) => boolean) {
  return (place: Place, of: Part, { at, constant: sought }: Part): Part => {
    if (of.kind === 'id') failAt(place.at, `${name} is not available on ids. Compare ${sourceOf(of)} with == or in`)
    if (of.kind !== 'text') failAt(place.at, `${name} works on strings, but ${describe(of)}`)
    if (typeof sought !== 'string') return failAt(at, `${name} takes a string in quotes`)
    return { ...place, kind: 'boolean', read: item => content(textIn(of, item), sought) }
  }
}

export function compare(one: Part, { text: operator, at }: Token, other: Part): Test {
  if (operator === 'in') return isIn(one, other)
  const unordered = [one, other].find(({ kind }) => !isText(kind) && kind !== 'time' && kind !== 'number')
  if (unordered && !['==', '!='].includes(operator))
    failAt(at, `${sourceOf(unordered)} can only be compared with == and !=`)
  const content = COMPARISONS[operator]!
  const [left, right] = align(one, other, at)
  return item => content(left.read(item) as never, right.read(item) as never)
}

function isIn(left: Part, right: Part): Test {
  if (isConstant(left) && right.kind === 'list' && !isConstant(right)) return isAmong(left, right)
  if (isConstant(left)) failAt(left.at, 'the left side of in must be a field of obj')
  if (right.kind !== 'list' || !isConstant(right)) failAt(right.at, 'in takes a list in brackets, such as ["a", "b"]')
  const values = new Set((right.constant as Part[]).map(item => align(left, item, item.at)[1].constant))
  return item => values.has(left.read(item))
}

/** Whether a list of the item contains a constant string. */
function isAmong({ at, kind, constant }: Part, list: Part): Test {
  if (kind !== 'text') failAt(at, 'the left side of in must be a string in quotes for a list of strings')
  return item => listIn(list, item)?.includes(constant) === true
}

/** Prepares two sides for comparison: converts a string to a time, and null to the other side's unset value. */
function align(one: Part, other: Part, at: number): [one: Part, other: Part] {
  if (isUnset(one, other)) return [toUnset(one, other.kind), unsetIfEmpty(other)]
  if (isUnset(other, one)) return [unsetIfEmpty(one), toUnset(other, one.kind)]
  for (const part of [one, other]) {
    const comparable = part.kind === 'list' ? 'size()' : typeof part.kind === 'string' ? undefined : 'fields'
    if (comparable) failAt(at, `${describe(part)}. Compare it with null, or compare its ${comparable}`)
  }
  if (one.kind === other.kind || (isText(one.kind) && isText(other.kind))) return [one, other]
  if (one.kind === 'time' && other.kind === 'text' && isConstant(other)) return [one, toTimestamp(other)]
  if (other.kind === 'time' && one.kind === 'text' && isConstant(one)) return [toTimestamp(one), other]
  return failAt(at, `${describe(one)} and ${describe(other)}, which cannot be compared`)
}

/** Compared with a list, an empty string equals null. A vendor's example uses both. */
const isUnset = (part: Part, other: Part) => part.kind === 'null' || (other.kind === 'list' && part.constant === '')

/** An empty list counts as unset. */
const unsetIfEmpty = (part: Part): Part =>
  part.kind === 'list' ? { ...part, read: item => (listIn(part, item)!.length > 0 ? true : undefined) } : part

const toTime = (text: unknown) => (text === undefined ? undefined : Date.parse(String(text)))
const toUnset = (part: Part, kind: Kind) => constantOf(part, kind, isText(kind) ? '' : undefined)

/** CEL counts code points. Most strings have no surrogate pairs, so their length is the count. */
const countCharacters = (text: string) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length)
