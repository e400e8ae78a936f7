import { didYouMean, nearest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { counted } from '../basics/text.ts'
import { fail } from '../contract/errors.ts'

/** A part of a filter, and where it stands in the text. */
export type Node = { at: number; end: number } & (
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: Node[] }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Node; name: string; nameAt: number }
  /** What a method is called on is the first of its arguments. */
  | { kind: 'call'; name: string; args: Node[] }
  | { kind: 'not'; of: Node }
  | { kind: 'any' | 'all'; parts: Node[] }
  | { kind: 'compare'; operator: string; operatorAt: number; left: Node; right: Node }
)

/** How deep a filter may be nested: reading and asking go as deep. */
const DEEPEST = 40

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', 'in']
/** How many arguments each takes; methods beside what they are called on. */
const FUNCTIONS = { size: 1, timestamp: 1 }
const METHODS = { size: 0, startsWith: 1, endsWith: 1, contains: 1, add: 1, subtract: 1 }
const ALLOWED = [
  ...Object.keys(FUNCTIONS).map(name => `${name}(x)`),
  ...Object.entries(METHODS).map(([name, count]) => `x.${name}(${count === 0 ? '' : 'y'})`),
].join(', ')

/** What CEL has and filters have not. */
const LEFT_OUT = new Map([
  ['?', 'the ternary operator ? :'],
  ['[', 'an index [ ]'],
  ['{', 'a map { }'],
  ...[...'+-*/%'].map(sign => [sign, `arithmetic (${sign})`] as const),
])
const MEANT = new Map([...'=&|'].map(sign => [sign, sign + sign]))
const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' }

interface Token {
  type: 'name' | 'number' | 'text' | 'sign' | 'end'
  text: string
  at: number
}

/** A name, a number, a text in quotes, or a sign. */
const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d[\w.]*)|("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')|(&&|\|\||[=!<>]=|\S|$))/suy

export const refuse = (at: number, why: string): never =>
  fail('bad_filter', { field: 'filter', why: `at character ${at + 1}: ${why}` })

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const [, name, number, quoted, sign] = TOKEN.exec(text)!
    const word = name ?? number ?? quoted ?? sign!
    const at = TOKEN.lastIndex - word.length
    if (word === '"' || word === "'") refuse(at, 'the text has no end')
    const type = name ? 'name' : number ? 'number' : quoted ? 'text' : word ? 'sign' : 'end'
    tokens.push({ type, text: word, at })
    if (type === 'end') return tokens
  }
}

/** Reads a filter, in time and memory that grow with its length alone. docs/api.md 10.8. */
export function parseFilter(text: string): Node {
  const tokens = tokensOf(text)
  let next = 0
  let depth = 0
  const peek = () => tokens[next]!
  const end = () => tokens[next - 1]!.at + tokens[next - 1]!.text.length

  function take(sign: string): Token | undefined {
    return peek().text === sign ? tokens[next++] : undefined
  }

  function expect(sign: string) {
    if (!take(sign)) unexpected(sign)
  }

  function unexpected(expected = 'a value'): never {
    const { type, text: word, at } = peek()
    if (type === 'end') return refuse(at, `it ends where ${expected} is expected`)
    if (LEFT_OUT.has(word)) return refuse(at, `${LEFT_OUT.get(word)} is not part of filters`)
    return refuse(at, `${shorten(word, 60)} is unexpected.${didYouMean(MEANT.get(word))}`)
  }

  function nested<T>(read: () => T): T {
    if (++depth > DEEPEST) refuse(tokens[next - 1]!.at, `it is nested deeper than ${DEEPEST} levels`)
    const found = read()
    depth--
    return found
  }

  const either = () => joined('||', 'any', both)
  const both = () => joined('&&', 'all', comparison)

  function joined(sign: string, kind: 'any' | 'all', part: () => Node): Node {
    const parts = [part()]
    while (take(sign)) parts.push(part())
    return parts.length === 1 ? parts[0]! : { kind, parts, at: parts[0]!.at, end: end() }
  }

  function comparison(): Node {
    const left = single()
    const { text: operator, at: operatorAt } = peek()
    if (!COMPARISONS.includes(operator)) return left
    next++
    const right = single()
    if (COMPARISONS.includes(peek().text))
      refuse(peek().at, 'a comparison of a comparison is not part of filters. Join two with && or ||')
    return { kind: 'compare', operator, operatorAt, left, right, at: left.at, end: end() }
  }

  function single(): Node {
    const not = take('!')
    if (not) return nested(() => ({ kind: 'not', of: single(), at: not.at, end: end() }))
    let node = primary()
    for (let links = depth; take('.'); ) {
      if (++links > DEEPEST) refuse(end() - 1, `it is nested deeper than ${DEEPEST} levels`)
      const { type, text: name, at: nameAt } = peek()
      if (type !== 'name') unexpected('a name')
      next++
      const method = take('(') && argumentsOf(name, nameAt, METHODS, node)
      const where = { at: node.at, end: end() }
      node = method
        ? { kind: 'call', name, args: [node, ...method], ...where }
        : { kind: 'member', of: node, name, nameAt, ...where }
    }
    return node
  }

  function argumentsOf(name: string, at: number, known: Record<string, number>, of?: Node): Node[] {
    if (!Object.hasOwn(known, name)) {
      const called = of?.kind === 'name' && of.name !== 'obj' ? `${of.name}.${name}` : name
      const hint = didYouMean(nearest(name, Object.keys(known)))
      refuse(at, `the function ${shorten(called, 60)} is not part of filters.${hint} Allowed: ${ALLOWED}`)
    }
    const found = nested(() => items(')'))
    if (found.length !== known[name])
      refuse(at, `${name} takes ${counted(known[name]!, 'argument')}, not ${found.length}`)
    return found
  }

  function items(close: string): Node[] {
    const found: Node[] = []
    if (take(close)) return found
    do found.push(either())
    while (take(','))
    expect(close)
    return found
  }

  function primary(): Node {
    const { type, text: word, at } = peek()
    next++
    if (type === 'text') return { kind: 'value', value: unquote(word, at), at, end: end() }
    if (type === 'number') return { kind: 'value', value: readNumber(word, at), at, end: end() }
    if (word === '-' && peek().type === 'number') {
      const { text: digits } = tokens[next++]!
      return { kind: 'value', value: -readNumber(digits, at), at, end: end() }
    }
    if (word === '[') return nested(() => ({ kind: 'list', items: items(']'), at, end: end() }))
    if (word === '(') {
      const inner = nested(either)
      expect(')')
      return { ...inner, at, end: end() }
    }
    if (type !== 'name' || word === 'in') {
      next--
      unexpected()
    }
    if (WORDS.has(word)) return { kind: 'value', value: WORDS.get(word)!, at, end: end() }
    if (!take('(')) return { kind: 'name', name: word, at, end: end() }
    return { kind: 'call', name: word, args: argumentsOf(word, at, FUNCTIONS), at, end: end() }
  }

  const whole = either()
  if (peek().type !== 'end') unexpected()
  return whole
}

function readNumber(digits: string, at: number): number {
  if (!/^\d+(\.\d+)?$/.test(digits)) refuse(at, `${shorten(digits, 60)} is not a number like 12 or 1.5`)
  return Number(digits)
}

const unquote = (quoted: string, at: number) =>
  quoted.slice(1, -1).replace(/\\(u[\da-fA-F]{4}|.)/gsu, (whole, name: string): string => {
    if (name.length === 5) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    return ESCAPES[name] ?? refuse(at, `${whole} is not an escape. Allowed: \\" \\' \\\\ \\n \\r \\t \\u0000`)
  })
