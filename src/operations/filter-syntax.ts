import { didYouMean } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'

export interface Token {
  type: 'name' | 'value' | 'sign' | 'end'
  text: string
  at: number
  /** Of a number or a quoted text. */
  value?: string | number
}

/** Bounds the recursion of reading a filter, and of testing an item. */
export const MAX_FILTER_DEPTH = 40

/** Parts of CEL that filters do not support. */
const UNSUPPORTED = new Map([
  ['?', 'the ternary operator ? :'],
  ['[', 'an index [ ]'],
  ['{', 'a map { }'],
  ...[...'+-*/%'].map(sign => [sign, `arithmetic (${sign})`] as const),
])
/** Signs that were probably meant to be doubled. */
const DOUBLED = new Map([...'=&|'].map(sign => [sign, sign + sign]))
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' }

/** A name, a number, a quoted text, or a sign. */
const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d[\w.]*)|("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')|(&&|\|\||[=!<>]=|\S|$))/suy

export const failAt = (at: number, why: string): never =>
  fail('bad_filter', { field: 'filter', why: `at character ${at + 1}: ${why}` })

function tokenize(filter: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const [, name, number, quoted, sign] = TOKEN.exec(filter)!
    const text = name ?? number ?? quoted ?? sign!
    const at = TOKEN.lastIndex - text.length
    if (text === '"' || text === "'") failAt(at, 'the text has no end')
    const value = number ? readNumber(number, at) : quoted ? unquote(quoted, at) : undefined
    const type = name ? 'name' : value !== undefined ? 'value' : text ? 'sign' : 'end'
    tokens.push({ type, text, at, value })
    if (type === 'end') return tokens
  }
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

/** The tokens of a filter, read one by one. */
export class Tokens {
  readonly #tokens: Token[]
  #at = 0
  depth = 0

  constructor(filter: string) {
    this.#tokens = tokenize(filter)
  }

  get next(): Token {
    return this.#tokens[this.#at]!
  }

  /** Where what was read ends. */
  get end(): number {
    const { at, text } = this.#tokens[this.#at - 1]!
    return at + text.length
  }

  read(): Token {
    return this.#tokens[this.#at++]!
  }

  /** Reads the next token if it is this sign. */
  take(sign: string): Token | undefined {
    return this.next.text === sign ? this.read() : undefined
  }

  expect(sign: string) {
    if (!this.take(sign)) this.failUnexpected(this.next, sign)
  }

  readName(): Token {
    return this.next.type === 'name' ? this.read() : this.failUnexpected(this.next, 'a name')
  }

  failUnexpected({ type, text, at }: Token, expected = 'a value'): never {
    if (type === 'end') return failAt(at, `it ends where ${expected} is expected`)
    if (UNSUPPORTED.has(text)) return failAt(at, `${UNSUPPORTED.get(text)} is not part of filters`)
    return failAt(at, `${shorten(text, 60)} is unexpected.${didYouMean(DOUBLED.get(text))}`)
  }

  /** Reads something that is inside the token before it. */
  nested<T>(read: () => T): T {
    this.checkDepth(++this.depth)
    const found = read()
    this.depth--
    return found
  }

  checkDepth(depth: number) {
    if (depth > MAX_FILTER_DEPTH)
      failAt(this.#tokens[this.#at - 1]!.at, `it is nested deeper than ${MAX_FILTER_DEPTH} levels`)
  }
}
