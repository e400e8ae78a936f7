import { didYouMean, nearest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { counted } from '../basics/text.ts'
import { fail } from '../contract/errors.ts'

/** A part of a filter, with its position in the text. */
export type Node = { at: number; end: number } & (
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: Node[] }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Node; name: string; nameAt: number }
  /** The object that a method is called on is its first argument. */
  | { kind: 'call'; name: string; args: Node[] }
  | { kind: 'not'; of: Node }
  | { kind: 'any' | 'all'; parts: Node[] }
  | { kind: 'compare'; operator: string; operatorAt: number; left: Node; right: Node }
)

/** Bounds the recursion of parsing and evaluation. */
export const MAX_FILTER_DEPTH = 40

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', 'in']
/** Number of arguments; methods without the object that they are called on. */
const FUNCTIONS = { size: 1, timestamp: 1 }
const METHODS = { size: 0, startsWith: 1, endsWith: 1, contains: 1, add: 1, subtract: 1 }
const ALLOWED = [
  ...Object.keys(FUNCTIONS).map(name => `${name}(x)`),
  ...Object.entries(METHODS).map(([name, count]) => `x.${name}(${count === 0 ? '' : 'y'})`),
].join(', ')

/** Parts of CEL that filters do not support. */
const UNSUPPORTED = new Map([
  ['?', 'the ternary operator ? :'],
  ['[', 'an index [ ]'],
  ['{', 'a map { }'],
  ...[...'+-*/%'].map(sign => [sign, `arithmetic (${sign})`] as const),
])
/** Signs that were probably meant to be doubled. */
const DOUBLED = new Map([...'=&|'].map(sign => [sign, sign + sign]))
const LITERALS = new Map([
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

/** A name, a number, a quoted text, or a sign. */
const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d[\w.]*)|("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')|(&&|\|\||[=!<>]=|\S|$))/suy

export const failAt = (at: number, why: string): never =>
  fail('bad_filter', { field: 'filter', why: `at character ${at + 1}: ${why}` })

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const [, name, number, quoted, sign] = TOKEN.exec(text)!
    const word = name ?? number ?? quoted ?? sign!
    const at = TOKEN.lastIndex - word.length
    if (word === '"' || word === "'") failAt(at, 'the text has no end')
    const type = name ? 'name' : number ? 'number' : quoted ? 'text' : word ? 'sign' : 'end'
    tokens.push({ type, text: word, at })
    if (type === 'end') return tokens
  }
}

/** Parses a filter; time and memory are linear in its length. docs/api.md 10.8. */
export function parseFilter(text: string): Node {
  const tokens = tokenize(text)
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
    if (type === 'end') return failAt(at, `it ends where ${expected} is expected`)
    if (UNSUPPORTED.has(word)) return failAt(at, `${UNSUPPORTED.get(word)} is not part of filters`)
    return failAt(at, `${shorten(word, 60)} is unexpected.${didYouMean(DOUBLED.get(word))}`)
  }

  function nested<T>(read: () => T): T {
    if (++depth > MAX_FILTER_DEPTH) failAt(tokens[next - 1]!.at, `it is nested deeper than ${MAX_FILTER_DEPTH} levels`)
    const found = read()
    depth--
    return found
  }

  const parseOr = () => parseChain('||', 'any', parseAnd)
  const parseAnd = () => parseChain('&&', 'all', parseComparison)

  function parseChain(sign: string, kind: 'any' | 'all', part: () => Node): Node {
    const parts = [part()]
    while (take(sign)) parts.push(part())
    return parts.length === 1 ? parts[0]! : { kind, parts, at: parts[0]!.at, end: end() }
  }

  function parseComparison(): Node {
    const left = parseUnary()
    const { text: operator, at: operatorAt } = peek()
    if (!COMPARISONS.includes(operator)) return left
    next++
    const right = parseUnary()
    if (COMPARISONS.includes(peek().text))
      failAt(peek().at, 'a comparison of a comparison is not part of filters. Join two with && or ||')
    return { kind: 'compare', operator, operatorAt, left, right, at: left.at, end: end() }
  }

  function parseUnary(): Node {
    const not = take('!')
    if (not) return nested(() => ({ kind: 'not', of: parseUnary(), at: not.at, end: end() }))
    let node = parsePrimary()
    for (let links = depth; take('.'); ) {
      if (++links > MAX_FILTER_DEPTH) failAt(end() - 1, `it is nested deeper than ${MAX_FILTER_DEPTH} levels`)
      const { type, text: name, at: nameAt } = peek()
      if (type !== 'name') unexpected('a name')
      next++
      const method = take('(') && parseArguments(name, nameAt, METHODS, node)
      const where = { at: node.at, end: end() }
      node = method
        ? { kind: 'call', name, args: [node, ...method], ...where }
        : { kind: 'member', of: node, name, nameAt, ...where }
    }
    return node
  }

  function parseArguments(name: string, at: number, known: Record<string, number>, of?: Node): Node[] {
    if (!Object.hasOwn(known, name)) {
      const called = of?.kind === 'name' && of.name !== 'obj' ? `${of.name}.${name}` : name
      const hint = didYouMean(nearest(name, Object.keys(known)))
      failAt(at, `the function ${shorten(called, 60)} is not part of filters.${hint} Allowed: ${ALLOWED}`)
    }
    const found = nested(() => parseItems(')'))
    if (found.length !== known[name])
      failAt(at, `${name} takes ${counted(known[name]!, 'argument')}, not ${found.length}`)
    return found
  }

  function parseItems(close: string): Node[] {
    const found: Node[] = []
    if (take(close)) return found
    do found.push(parseOr())
    while (take(','))
    expect(close)
    return found
  }

  function parsePrimary(): Node {
    const { type, text: word, at } = peek()
    next++
    if (type === 'text') return { kind: 'value', value: unquote(word, at), at, end: end() }
    if (type === 'number') return { kind: 'value', value: readNumber(word, at), at, end: end() }
    if (word === '-' && peek().type === 'number') {
      const { text: digits } = tokens[next++]!
      return { kind: 'value', value: -readNumber(digits, at), at, end: end() }
    }
    if (word === '[') return nested(() => ({ kind: 'list', items: parseItems(']'), at, end: end() }))
    if (word === '(') {
      const inner = nested(parseOr)
      expect(')')
      return { ...inner, at, end: end() }
    }
    if (type !== 'name' || word === 'in') {
      next--
      unexpected()
    }
    if (LITERALS.has(word)) return { kind: 'value', value: LITERALS.get(word)!, at, end: end() }
    if (!take('(')) return { kind: 'name', name: word, at, end: end() }
    return { kind: 'call', name: word, args: parseArguments(word, at, FUNCTIONS), at, end: end() }
  }

  const whole = parseOr()
  if (peek().type !== 'end') unexpected()
  return whole
}

function readNumber(digits: string, at: number): number {
  if (!/^\d+(\.\d+)?$/.test(digits)) failAt(at, `${shorten(digits, 60)} is not a number like 12 or 1.5`)
  return Number(digits)
}

const unquote = (quoted: string, at: number) =>
  quoted.slice(1, -1).replace(/\\(u[\da-fA-F]{4}|.)/gsu, (whole, name: string): string => {
    if (name.length === 5) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    return ESCAPES[name] ?? failAt(at, `${whole} is not an escape. Allowed: \\" \\' \\\\ \\n \\r \\t \\u0000`)
  })
