import { parseDuration } from '../basics/duration.ts'
import { suggest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { contains } from '../basics/text.ts'
import { parseTime, TIME } from '../schema/index.ts'
import type { Kind, Members } from './filter-members.ts'
import { type Node, parseFilter, refuse } from './filter-syntax.ts'

type Item = Record<string, unknown>
type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>

/** A part of a filter that was checked: whatever the item, reading it cannot fail. */
interface Part {
  node: Node
  kind: Kind
  /** Undefined where there is nothing, but for texts: these are empty then. Times are milliseconds. */
  read: (item: Item) => unknown
  /** The value, where it is the same for every item. */
  constant?: unknown
}

/**
 * docs/api.md 10.8: whether a filter chooses an item, which is as answers show it. All that can be wrong with a filter is
 * found here. Asking it of an item takes time in proportion to its length.
 */
export function compileFilter(text: string, members: Members, now: () => string): (item: Item) => boolean {
  const { read } = new Compiler(text, members, now).truth(parseFilter(text))
  return item => read(item) as boolean
}

const NAMES = {
  text: 'a text',
  id: 'an id',
  time: 'a time',
  number: 'a number',
  truth: 'true or false',
  null: 'null',
  list: 'a list',
}
const nameOf = (kind: Kind) => (typeof kind === 'string' ? NAMES[kind] : 'an object')
const isText = (kind: Kind) => kind === 'text' || kind === 'id'
const isConstant = (part: Part) => 'constant' in part
const constantOf = (node: Node, kind: Kind, constant: unknown): Part => ({ node, kind, constant, read: () => constant })

/** Of texts, numbers and times. Nothing comes before or after undefined. */
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

  truth(node: Node): Part {
    const part = this.#compile(node)
    if (part.kind === 'truth') return part
    return refuse(node.at, `${this.#say(part)} is ${nameOf(part.kind)}: true or false is expected`)
  }

  #compile(node: Node): Part {
    switch (node.kind) {
      case 'value':
        return this.#value(node)
      case 'list':
        return constantOf(
          node,
          'list',
          node.items.map(item => this.#item(item)),
        )
      case 'name':
        return node.name === 'obj' ? { node, kind: this.members, read: item => item } : this.#unknown(node)
      case 'member':
        return node.of.kind === 'name' && node.of.name === 'time' ? this.#time(node) : this.#member(node)
      case 'call':
        return this.#call(node)
      case 'not': {
        const { read } = this.truth(node.of)
        return { node, kind: 'truth', read: item => !read(item) }
      }
      case 'any':
      case 'all': {
        const parts = node.parts.map(part => this.truth(part).read)
        const test = node.kind === 'any' ? 'some' : 'every'
        return { node, kind: 'truth', read: item => parts[test](read => read(item)) }
      }
      case 'compare':
        return node.operator === 'in' ? this.#among(node) : this.#compare(node)
    }
  }

  #value(node: NodeOf<'value'>): Part {
    const { value } = node
    if (value === null) return constantOf(node, 'null', undefined)
    const kinds = { string: 'text', number: 'number', boolean: 'truth' } as const
    return constantOf(node, kinds[typeof value as keyof typeof kinds], value)
  }

  #item(node: Node): Part {
    if (node.kind === 'list') refuse(node.at, 'a list in a list is not part of filters')
    const item = this.#compile(node)
    if (!isConstant(item)) refuse(node.at, `a list holds values only; ${this.#say(item)} is none`)
    return item
  }

  #time(node: NodeOf<'member'>): Part {
    return node.name === 'now' ? constantOf(node, 'text', this.now()) : this.#unknown(node)
  }

  #unknown(node: Node): never {
    return refuse(node.at, `there is no ${this.#say({ node })}. Known: obj, and time.now as in timestamp(time.now)`)
  }

  #member(node: NodeOf<'member'>): Part {
    const { name, nameAt } = node
    const of = this.#compile(node.of)
    if (typeof of.kind === 'string') return refuse(nameAt, `${this.#say(of)} is ${nameOf(of.kind)}: it has no members`)
    if (!Object.hasOwn(of.kind, name)) {
      const known = Object.keys(of.kind)
      return refuse(nameAt, `there is no ${this.#say({ node })}.${suggest(name, known)}`)
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
        return this.#moved(node, first, second, 1)
      case 'subtract':
        return this.#moved(node, first, second, -1)
      default:
        return this.#search(node, first, second)
    }
  }

  #size(node: Node, { read, ...of }: Part): Part {
    if (of.kind === 'list') return { node, kind: 'number', read: item => (read(item) as unknown[] | undefined)?.length }
    if (isText(of.kind)) return { node, kind: 'number', read: item => countCharacters(read(item) as string) }
    return refuse(of.node.at, `size works on texts and lists; ${this.#say(of)} is ${nameOf(of.kind)}`)
  }

  /** A text as a time. */
  #timestamp({ node, constant }: Part): Part {
    if (typeof constant !== 'string') return refuse(node.at, 'timestamp takes a text in quotes, or time.now')
    const time = parseTime(constant)
    return time === undefined ? refuse(node.at, `it must be ${TIME}`) : constantOf(node, 'time', time)
  }

  #moved(node: NodeOf<'call'>, from: Part, by: Part, sign: 1 | -1): Part {
    if (from.kind !== 'time' || !isConstant(from))
      refuse(node.at, `${node.name} works on timestamp(…) only, and not on ${this.#say(from)}`)
    const ms = by.kind === 'text' ? parseDuration(String(by.constant)) : undefined
    if (ms === undefined) return refuse(by.node.at, 'it must be a duration like 90s, 30m, 24h or 7d')
    return constantOf(node, 'time', (from.constant as number) + sign * ms)
  }

  #search(node: NodeOf<'call'>, { read, ...of }: Part, sought: Part): Part {
    const { name } = node
    if (of.kind === 'id') refuse(node.at, `${name} is not available on ids. Compare ${this.#say(of)} with == or in`)
    if (of.kind !== 'text') refuse(node.at, `${name} works on texts; ${this.#say(of)} is ${nameOf(of.kind)}`)
    const text = sought.constant
    if (typeof text !== 'string') return refuse(sought.node.at, `${name} takes a text in quotes`)
    const search = SEARCHES[name]!
    return { node, kind: 'truth', read: item => search(read(item) as string, text) }
  }

  #compare(node: NodeOf<'compare'>): Part {
    const { operator, operatorAt } = node
    const sides = [this.#compile(node.left), this.#compile(node.right)] as const
    const unordered = sides.find(({ kind }) => !isText(kind) && kind !== 'time' && kind !== 'number')
    if (unordered && !['==', '!='].includes(operator))
      refuse(operatorAt, `${this.#say(unordered)} can only be compared with == and !=`)
    const holds = COMPARISONS[operator]!
    const [left, right] = this.#agree(...sides, operatorAt)
    return { node, kind: 'truth', read: item => holds(left.read(item) as never, right.read(item) as never) }
  }

  #among(node: NodeOf<'compare'>): Part {
    const [left, right] = [this.#compile(node.left), this.#compile(node.right)]
    if (isConstant(left)) refuse(left.node.at, 'the left side of in must be a member of obj')
    if (right.node.kind !== 'list') refuse(right.node.at, 'in takes a list in brackets, such as ["a", "b"]')
    const items = right.constant as Part[]
    const values = new Set(items.map(item => this.#agree(left, item, item.node.at)[1].constant))
    return { node, kind: 'truth', read: item => values.has(left.read(item)) }
  }

  /** Two sides that can be compared: a text beside a time becomes one, and null what the other is where it is not set. */
  #agree(one: Part, other: Part, at: number): [one: Part, other: Part] {
    if (one.kind === 'null') return [unsetOf(other.kind, one.node), other]
    if (other.kind === 'null') return [one, unsetOf(one.kind, other.node)]
    for (const part of [one, other]) {
      const comparable = part.kind === 'list' ? 'size()' : typeof part.kind === 'string' ? undefined : 'members'
      if (comparable)
        refuse(at, `${this.#say(part)} is ${nameOf(part.kind)}: only null and its ${comparable} can be compared`)
    }
    if (one.kind === other.kind || (isText(one.kind) && isText(other.kind))) return [one, other]
    if (one.kind === 'time' && other.kind === 'text' && isConstant(other)) return [one, this.#timestamp(other)]
    if (other.kind === 'time' && one.kind === 'text' && isConstant(one)) return [this.#timestamp(one), other]
    const sides = [one, other].map(part => `${this.#say(part)} is ${nameOf(part.kind)}`)
    return refuse(at, `${sides.join(' and ')}: they cannot be compared`)
  }

  #say = ({ node }: Pick<Part, 'node'>) => shorten(this.text.slice(node.at, node.end), 60)
}

const toTime = (text: unknown) => (text === undefined ? undefined : Date.parse(text as string))
const unsetOf = (kind: Kind, node: Node) => constantOf(node, kind, isText(kind) ? '' : undefined)

/** As CEL counts them: what takes two units is one. Most texts have none of these, which is told at once. */
const countCharacters = (text: string) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length)
