import { formatPath, type Path } from './problem.ts'

/**
 * Limits for the parts of a JSON text, checked before it is parsed: a short text may take long to parse, check and report.
 */
export interface Lengths {
  /** Total number of values: lists, objects and their content. */
  values: number
  /** Items of a list. */
  list: number
  /** Fields of an object. */
  members: number
  /** Bytes of a string. */
  text: number
  /** Nesting of lists and objects. */
  depth: number
  /** Other limits below a field with one of these names, which contains a state. */
  state?: { names: readonly string[]; lengths: Lengths }
}

export interface TooLong {
  what: 'values' | 'list' | 'members' | 'text' | 'depth'
  path: Path
  most: number
}

const UNITS = { values: 'values', list: 'items', members: 'fields', text: 'bytes', depth: 'levels' }

export function describeTooLong({ what, path, most }: TooLong, whole = 'body'): string {
  const where = path.length > 0 ? `"${formatPath(path)}" in the ${whole}` : `The ${whole}`
  return `${where} exceeds the limit of ${most} ${UNITS[what]}. Nothing was changed. Send less at a time`
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Below this level, names have no effect on the limits. */
const DEEPEST_STATE = 3

/** Scans JSON for the first part that is too long, without building a value. The parser checks the syntax. */
export function findTooLong(bytes: Uint8Array, lengths: Lengths): TooLong | undefined {
  const open = new Open(bytes)
  let allowed = lengths
  let values = 0
  /** Inside a state: its level, and the number of values outside. */
  let state = { depth: 0, outside: 0 }
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      const end = endOfText(bytes, i, allowed.text)
      if (end - i - 1 > allowed.text) return open.tooLong('text', allowed, i)
      i = end
    } else if (byte === COMMA) {
      values++
      if (open.count() >= allowed[open.kind]) return open.tooLong(open.kind, allowed)
    } else if (byte === LIST || byte === OBJECT) {
      values++
      open.enter(i)
      if (open.depth > allowed.depth) return { what: 'depth', path: open.path(), most: allowed.depth }
      if (allowed.state && open.depth <= DEEPEST_STATE && allowed.state.names.includes(nameBefore(bytes, i) ?? '')) {
        state = { depth: open.depth, outside: values }
        values = 0
        allowed = allowed.state.lengths
      }
    } else if (byte === LIST_END || byte === OBJECT_END) {
      if (open.depth === state.depth && allowed !== lengths) {
        allowed = lengths
        values = state.outside
      }
      open.leave()
    }
    if (values > allowed.values) return { what: 'values', path: [], most: allowed.values }
  }
  return undefined
}

/** The open lists and objects at a position. */
class Open {
  depth = 0
  /** By level: where it begins, and the items or fields before the position. */
  readonly #starts: number[] = [0]
  readonly #counts: number[] = [0]

  constructor(readonly bytes: Uint8Array) {}

  get kind(): 'list' | 'members' {
    return this.bytes[this.#starts[this.depth]!] === LIST ? 'list' : 'members'
  }

  count = () => ++this.#counts[this.depth]!

  enter(start: number) {
    this.depth++
    this.#starts[this.depth] = start
    this.#counts[this.depth] = 0
  }

  /** The parser reports surplus closing brackets. */
  leave() {
    if (this.depth > 0) this.depth--
  }

  /** The path of the innermost list or object, or of a string in it. */
  path(text?: number): Path {
    const starts = [...this.#starts.slice(2, this.depth + 1), ...(text === undefined || this.depth === 0 ? [] : [text])]
    return starts.map((start, i) => nameBefore(this.bytes, start) ?? this.#counts[i + 1]!)
  }

  tooLong = (what: 'list' | 'members' | 'text', lengths: Lengths, text?: number): TooLong => ({
    what,
    path: this.path(text),
    most: lengths[what],
  })
}

/** The position of the closing quote, or a later one if the string is too long. */
function endOfText(bytes: Uint8Array, start: number, most: number): number {
  let i = start + 1
  while (i <= start + 1 + most && bytes[i] !== QUOTE && i < bytes.length) i += bytes[i] === BACKSLASH ? 2 : 1
  return i
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const MAX_NAME_BYTES = 200

/** The name of the field with the value at `start`; undefined for a list item. */
function nameBefore(bytes: Uint8Array, start: number): string | undefined {
  const before = (from: number) => {
    let i = from - 1
    while (isSpace(bytes[i])) i--
    return i
  }
  const colon = before(start)
  if (bytes[colon] !== COLON) return undefined
  const end = before(colon)
  let begin = end - 1
  while (begin > end - MAX_NAME_BYTES && (bytes[begin] !== QUOTE || bytes[begin - 1] === BACKSLASH)) begin--
  return new TextDecoder().decode(bytes.subarray(begin + 1, end))
}
