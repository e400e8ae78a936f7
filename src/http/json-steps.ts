import { depthOf } from '../basics/json.ts'
import type { Steps } from '../basics/slices.ts'

/** Values of at most this length are parsed at once. */
const SHORT_LENGTH = 32 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125]

/** The text is not JSON: JSON.parse then says why. */
class Unexpected extends Error {}
class TooDeep extends Error {}

export interface ParsedJson {
  value: unknown
  /** How deep it is nested; `maxDepth + 1` if it is deeper than `maxDepth`. */
  depth: number
}

/**
 * Parses JSON as `JSON.parse` does, but in steps: a body of 60 MB would block all other requests for half a second.
 * Throws a SyntaxError.
 */
export function* parseSteps(text: string, maxDepth: number): Steps<ParsedJson> {
  if (text.length > SHORT_LENGTH) {
    const scanner = new Scanner(text, maxDepth)
    try {
      const value = yield* scanner.text()
      return { value, depth: scanner.depth }
    } catch (error) {
      if (error instanceof TooDeep) return { value: undefined, depth: maxDepth + 1 }
      if (!(error instanceof Unexpected)) throw error
    }
  }
  const value = JSON.parse(text)
  return { value, depth: depthOf(value, maxDepth) }
}

class Scanner {
  depth = 0
  #at = 0
  #sinceStep = 0

  constructor(
    readonly json: string,
    readonly maxDepth: number,
  ) {}

  *text(): Steps<unknown> {
    const value = yield* this.#value(0)
    this.#skipSpace()
    if (this.#at < this.json.length) throw new Unexpected()
    return value
  }

  *#value(level: number): Steps<unknown> {
    this.#skipSpace()
    const end = this.#endIfShort()
    if (end !== undefined) {
      const value = this.#parse(end)
      this.depth = Math.max(this.depth, level + depthOf(value, this.maxDepth - level))
      if (this.#sinceStep > SHORT_LENGTH) {
        this.#sinceStep = 0
        yield
      }
      return value
    }
    if (level >= this.maxDepth) throw new TooDeep()
    this.depth = Math.max(this.depth, level + 1)
    const code = this.json.charCodeAt(this.#at)
    if (code === OPEN) return yield* this.#object(level)
    if (code === OPEN_LIST) return yield* this.#list(level)
    return this.#parse(this.#endOfString(this.#at))
  }

  *#list(level: number): Steps<unknown[]> {
    const list: unknown[] = []
    this.#at++
    if (this.#skipIf(CLOSE_LIST)) return list
    do list.push(yield* this.#value(level + 1))
    while (this.#skipIf(COMMA))
    if (!this.#skipIf(CLOSE_LIST)) throw new Unexpected()
    return list
  }

  *#object(level: number): Steps<Record<string, unknown>> {
    const object: Record<string, unknown> = {}
    this.#at++
    if (this.#skipIf(CLOSE)) return object
    do {
      this.#skipSpace()
      const name = this.#parse(this.#endOfString(this.#at)) as string
      if (!this.#skipIf(COLON)) throw new Unexpected()
      const value = yield* this.#value(level + 1)
      if (name !== '__proto__') object[name] = value
      else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
    } while (this.#skipIf(COMMA))
    if (!this.#skipIf(CLOSE)) throw new Unexpected()
    return object
  }

  #parse(end: number): unknown {
    const json = this.json.slice(this.#at, end)
    this.#sinceStep += json.length
    this.#at = end
    try {
      return JSON.parse(json)
    } catch {
      throw new Unexpected()
    }
  }

  /** Where the value that begins here ends; undefined if it is long. */
  #endIfShort(): number | undefined {
    const { json } = this
    const longAt = this.#at + SHORT_LENGTH
    let open = 0
    let at = this.#at
    for (; at < json.length; ) {
      if (at > longAt) return undefined
      const code = json.charCodeAt(at)
      if (code === QUOTE) at = this.#endOfString(at)
      else if (code === OPEN || code === OPEN_LIST) {
        open++
        at++
      } else if (code === CLOSE || code === CLOSE_LIST) {
        if (open === 0) break
        open--
        at++
      } else if (code === COMMA && open === 0) break
      else at++
    }
    return at
  }

  #endOfString(start: number): number {
    const { json } = this
    if (json.charCodeAt(start) !== QUOTE) throw new Unexpected()
    for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
      let escapes = 0
      while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
      if (escapes % 2 === 0) return end + 1
    }
    throw new Unexpected()
  }

  #skipSpace() {
    while (isSpace(this.json.charCodeAt(this.#at))) this.#at++
  }

  /** Goes on behind that character if it is the next. */
  #skipIf(code: number): boolean {
    this.#skipSpace()
    if (this.json.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9
