import { didYouMean } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'

export interface Token {
  type: 'name' | 'value' | 'sign' | 'end'
  text: string
  at: number
  /** The value of a number or a quoted string. */
  value?: string | number
}

/** Limits the recursion of parsing a filter, and of testing an item. */
export const MAX_FILTER_DEPTH = 40

/** Parts of CEL that filters do not support. */
const UNSUPPORTED = new Map([
  ['?', 'the ternary operator ? :'],
  ['[', 'an index [ ]'],
  ['{', 'a map { }'],
  ...[...'+-*/%'].map(sign => [sign, `arithmetic (${sign})`] as const),
])
/** Signs that are probably meant to be doubled. */
const DOUBLED = new Map([...'=&|'].map(sign => [sign, sign + sign]))
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' }

/** A name, a number, a quoted string, or a sign. */
const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d[\w.]*)|("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')|(&&|\|\||[=!<>]=|\S|$))/suy

/** Its message is the place and the reason. */
export class FilterMistake extends Error {}

export const failAt = (at: number, why: string): never => {
  throw new FilterMistake(`at character ${at + 1}: ${why}`)
}

function tokenize(filter: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const [, name, number, quoted, sign] = TOKEN.exec(filter)!
    const text = name ?? number ?? quoted ?? sign!
    const at = TOKEN.lastIndex - text.length
    if (text === '"' || text === "'") failAt(at, 'the string has no closing quote')
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

/** Reads the tokens of a filter. */
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

  /** The end of the last token. */
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
    if (type === 'end') return failAt(at, `the expression ends, but ${expected} is expected`)
    if (UNSUPPORTED.has(text)) return failAt(at, `filters do not support ${UNSUPPORTED.get(text)}`)
    return failAt(at, `${shorten(text, 60)} is unexpected.${didYouMean(DOUBLED.get(text))}`)
  }

  /** Reads a part that is nested in the previous token. */
  nested<T>(read: () => T): T {
    this.checkDepth(++this.depth)
    const found = read()
    this.depth--
    return found
  }

  checkDepth(depth: number) {
    if (depth > MAX_FILTER_DEPTH)
      failAt(this.#tokens[this.#at - 1]!.at, `the expression is nested deeper than ${MAX_FILTER_DEPTH} levels`)
  }
}
