/** The cost of compiling a regular expression, estimated from its text. */
export interface PatternCost {
  /** Estimated number of instructions, before any of them are shared. */
  size: number
  /** Number of characters compared to build its classes. */
  characters: number
}

const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?[imsU-]*\)|\((?:\?(?:P?<\w*>|[imsU-]*:))?|\{\d+(?:,\d*)?\}|[\s\S]/gu
const CHARACTER = /\\x\{([0-9a-f]*)\}|\\x([0-9a-f]{2})|\\?([\s\S])/giu
const IGNORES_CASE = /\(\?[imsU-]*i/
const UNICODE_CLASS = /\\p/gi

/** The first and the last character that has another case. */
const [FIRST_CASED, LAST_CASED] = [0x41, 0x1e943]
/** Building a class like `\pL` costs about as much as comparing this many characters. */
export const UNICODE_CLASS_CHARACTERS = 5_000

/**
 * The library compares each character of a range under `(?i)` and copies repeated parts, so a short pattern may take it
 * seconds.
 */
export function costOf(pattern: string): PatternCost {
  const ignoresCase = IGNORES_CASE.test(pattern)
  let characters = UNICODE_CLASS_CHARACTERS * (pattern.match(UNICODE_CLASS)?.length ?? 0)
  /** The sizes of the open groups, then of the innermost group's complete parts and its last part. */
  const open: number[] = []
  let [size, last] = [0, 0]
  const add = (part: number) => {
    size += last
    last = part
  }
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token.length > 1 && token.startsWith('[')) {
      if (ignoresCase) characters += charactersOf(token)
      add(1)
    } else if (token.startsWith('(')) {
      if (token.endsWith(')')) continue
      open.push(size + last)
      size = last = 0
    } else if (token === ')') {
      // A capture takes two instructions.
      last += size + 2
      size = open.pop() ?? 0
    } else if (token.startsWith('{') && token.length > 1) last *= Math.max(1, ...token.match(/\d+/g)!.map(Number))
    else if (token.startsWith('\\Q')) add(token.length)
    else if ('*+?|'.includes(token)) last++
    else add(1)
  }
  return { size: open.reduce((sum, each) => sum + each, size + last), characters }
}

/** Counts the characters in a class's ranges that may have another case. */
function charactersOf(text: string): number {
  const points = Array.from(text.matchAll(CHARACTER), ([, long, short, plain]) =>
    plain === undefined ? Number.parseInt(long ?? short!, 16) : plain.codePointAt(0)!,
  )
  let sum = 0
  for (let i = 1; i < points.length - 1; i++)
    if (points[i] === 0x2d)
      sum += Math.max(0, Math.min(points[i + 1]!, LAST_CASED) - Math.max(points[i - 1]!, FIRST_CASED) + 1)
  return sum
}
