import { parseDuration } from '../basics/duration.ts'
import { suggest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { contains } from '../basics/text.ts'
import { parseTime, TIME } from '../schema/index.ts'
import type { Kind, Members } from './filter-members.ts'
import { failAt, type Node, parseFilter } from './filter-syntax.ts'

type Item = Record<string, unknown>
type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>

/** A checked part of a filter: reading it cannot fail, whatever the item. */
interface Part {
  node: Node
  kind: Kind
  /** A value that is not set is undefined, or an empty text. Times are in milliseconds. */
  read: (item: Item) => unknown
  /** The value, if it is the same for every item. */
  constant?: unknown
}

/**
 * Compiles a filter to a test of an item in the form of an answer; docs/api.md 10.8. Every mistake in a filter is found
 * here. Testing an item takes time linear in the length of the filter.
 */
export function compileFilter(text: string, members: Members, now: () => string): (item: Item) => boolean {
  const { read } = new Compiler(text, members, now).condition(parseFilter(text))
  return item => read(item) as boolean
}

const NAMES = {
  text: 'a text',
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
const constantOf = (node: Node, kind: Kind, constant: unknown): Part => ({ node, kind, constant, read: () => constant })

/** For texts, numbers and times. Undefined is neither less nor greater than anything. */
const COMPARISONS: Record<string, (a: never, b: never) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const SEARCHES: Record<string, (text: string, sought: string) => boolean> = {
  startsWith: (text, sought) => text.startsWith(sought),
  endsWith: (text, sought) => text.endsWith(sought),
  contains,
}

class Compiler {
  constructor(
    readonly text: string,
    readonly members: Members,
    readonly now: () => string,
  ) {}

  condition(node: Node): Part {
    const part = this.#compile(node)
    if (part.kind === 'boolean') return part
    return failAt(node.at, `${this.#source(part)} is ${nameOf(part.kind)}: true or false is expected`)
  }

  #compile(node: Node): Part {
    switch (node.kind) {
      case 'value':
        return this.#value(node)
      case 'list':
        return constantOf(
          node,
          'list',
          node.items.map(item => this.#listItem(item)),
        )
      case 'name':
        return node.name === 'obj' ? { node, kind: this.members, read: item => item } : this.#failUnknown(node)
      case 'member':
        return node.of.kind === 'name' && node.of.name === 'time' ? this.#time(node) : this.#member(node)
      case 'call':
        return this.#call(node)
      case 'not': {
        const { read } = this.condition(node.of)
        return { node, kind: 'boolean', read: item => !read(item) }
      }
      case 'any':
      case 'all': {
        const parts = node.parts.map(part => this.condition(part).read)
        const test = node.kind === 'any' ? 'some' : 'every'
        return { node, kind: 'boolean', read: item => parts[test](read => read(item)) }
      }
      case 'compare':
        return node.operator === 'in' ? this.#isIn(node) : this.#compare(node)
    }
  }

  #value(node: NodeOf<'value'>): Part {
    const { value } = node
    if (value === null) return constantOf(node, 'null', undefined)
    const kinds = { string: 'text', number: 'number', boolean: 'boolean' } as const
    return constantOf(node, kinds[typeof value as keyof typeof kinds], value)
  }

  #listItem(node: Node): Part {
    if (node.kind === 'list') failAt(node.at, 'a list in a list is not part of filters')
    const item = this.#compile(node)
    if (!isConstant(item)) failAt(node.at, `a list holds constant values only; ${this.#source(item)} is not one`)
    return item
  }

  #time(node: NodeOf<'member'>): Part {
    return node.name === 'now' ? constantOf(node, 'text', this.now()) : this.#failUnknown(node)
  }

  #failUnknown(node: Node): never {
    return failAt(node.at, `there is no ${this.#source({ node })}. Known: obj, and time.now as in timestamp(time.now)`)
  }

  #member(node: NodeOf<'member'>): Part {
    const { name, nameAt } = node
    const of = this.#compile(node.of)
    if (typeof of.kind === 'string')
      return failAt(nameAt, `${this.#source(of)} is ${nameOf(of.kind)}: it has no members`)
    if (!Object.hasOwn(of.kind, name)) {
      const known = Object.keys(of.kind)
      return failAt(nameAt, `there is no ${this.#source({ node })}.${suggest(name, known)}`)
    }
    const kind = of.kind[name]!
    const get = (item: Item) => (of.read(item) as Item | undefined)?.[name] ?? undefined
    if (isText(kind)) return { node, kind, read: item => get(item) ?? '' }
    return { node, kind, read: kind === 'time' ? item => toTime(get(item)) : get }
  }

  #call(node: NodeOf<'call'>): Part {
    const [first, second] = node.args.map(arg => this.#compile(arg)) as [Part, Part]
    switch (node.name) {
      case 'size':
        return this.#size(node, first)
      case 'timestamp':
        return first.kind === 'time' ? first : this.#timestamp(first)
      case 'add':
        return this.#shift(node, first, second, 1)
      case 'subtract':
        return this.#shift(node, first, second, -1)
      default:
        return this.#search(node, first, second)
    }
  }

  #size(node: Node, { read, ...of }: Part): Part {
    if (of.kind === 'list') return { node, kind: 'number', read: item => (read(item) as unknown[] | undefined)?.length }
    if (isText(of.kind)) return { node, kind: 'number', read: item => countCharacters(read(item) as string) }
    return failAt(of.node.at, `size works on texts and lists; ${this.#source(of)} is ${nameOf(of.kind)}`)
  }

  #timestamp({ node, constant }: Part): Part {
    if (typeof constant !== 'string') return failAt(node.at, 'timestamp takes a text in quotes, or time.now')
    const time = parseTime(constant)
    return time === undefined ? failAt(node.at, `it must be ${TIME}`) : constantOf(node, 'time', time)
  }

  #shift(node: NodeOf<'call'>, from: Part, by: Part, sign: 1 | -1): Part {
    if (from.kind !== 'time' || !isConstant(from))
      failAt(node.at, `${node.name} works on timestamp(…) only, and not on ${this.#source(from)}`)
    const ms = by.kind === 'text' ? parseDuration(String(by.constant)) : undefined
    if (ms === undefined) return failAt(by.node.at, 'it must be a duration like 90s, 30m, 24h or 7d')
    return constantOf(node, 'time', (from.constant as number) + sign * ms)
  }

  #search(node: NodeOf<'call'>, { read, ...of }: Part, sought: Part): Part {
    const { name } = node
    if (of.kind === 'id') failAt(node.at, `${name} is not available on ids. Compare ${this.#source(of)} with == or in`)
    if (of.kind !== 'text') failAt(node.at, `${name} works on texts; ${this.#source(of)} is ${nameOf(of.kind)}`)
    const text = sought.constant
    if (typeof text !== 'string') return failAt(sought.node.at, `${name} takes a text in quotes`)
    const search = SEARCHES[name]!
    return { node, kind: 'boolean', read: item => search(read(item) as string, text) }
  }

  #compare(node: NodeOf<'compare'>): Part {
    const { operator, operatorAt } = node
    const sides = [this.#compile(node.left), this.#compile(node.right)] as const
    const unordered = sides.find(({ kind }) => !isText(kind) && kind !== 'time' && kind !== 'number')
    if (unordered && !['==', '!='].includes(operator))
      failAt(operatorAt, `${this.#source(unordered)} can only be compared with == and !=`)
    const holds = COMPARISONS[operator]!
    const [left, right] = this.#align(...sides, operatorAt)
    return { node, kind: 'boolean', read: item => holds(left.read(item) as never, right.read(item) as never) }
  }

  #isIn(node: NodeOf<'compare'>): Part {
    const [left, right] = [this.#compile(node.left), this.#compile(node.right)]
    if (isConstant(left)) failAt(left.node.at, 'the left side of in must be a member of obj')
    if (right.node.kind !== 'list') failAt(right.node.at, 'in takes a list in brackets, such as ["a", "b"]')
    const items = right.constant as Part[]
    const values = new Set(items.map(item => this.#align(left, item, item.node.at)[1].constant))
    return { node, kind: 'boolean', read: item => values.has(left.read(item)) }
  }

  /** Makes two sides comparable: a text beside a time becomes a time, and null the unset value of the other side. */
  #align(one: Part, other: Part, at: number): [one: Part, other: Part] {
    if (one.kind === 'null') return [unsetOf(other.kind, one.node), other]
    if (other.kind === 'null') return [one, unsetOf(one.kind, other.node)]
    for (const part of [one, other]) {
      const comparable = part.kind === 'list' ? 'size()' : typeof part.kind === 'string' ? undefined : 'members'
      if (comparable)
        failAt(at, `${this.#source(part)} is ${nameOf(part.kind)}: only null and its ${comparable} can be compared`)
    }
    if (one.kind === other.kind || (isText(one.kind) && isText(other.kind))) return [one, other]
    if (one.kind === 'time' && other.kind === 'text' && isConstant(other)) return [one, this.#timestamp(other)]
    if (other.kind === 'time' && one.kind === 'text' && isConstant(one)) return [this.#timestamp(one), other]
    const sides = [one, other].map(part => `${this.#source(part)} is ${nameOf(part.kind)}`)
    return failAt(at, `${sides.join(' and ')}: they cannot be compared`)
  }

  #source = ({ node }: Pick<Part, 'node'>) => shorten(this.text.slice(node.at, node.end), 60)
}

const toTime = (text: unknown) => (text === undefined ? undefined : Date.parse(text as string))
const unsetOf = (kind: Kind, node: Node) => constantOf(node, kind, isText(kind) ? '' : undefined)

/** CEL counts code points. Most texts have no surrogate pairs, and then the length is the count. */
const countCharacters = (text: string) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length)
