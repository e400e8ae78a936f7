import type { ParseError } from 'jsonc-parser'
import type { TextProblem } from './file-error.ts'

/** The value of a JSON text, or its problems. */
export async function parseJsonText(source: string): Promise<{ value: unknown } | { problems: TextProblem[] }> {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problems: [await findMistake(text)] }
  }
}

/** How many names of members a JSON text has: strings before a colon. */
function countNames(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) count++
  return count
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  const own = Array.isArray(value) ? 0 : inside.length
  return inside.reduce<number>((sum, each) => sum + countMembers(each), own)
}

/**
 * The first member that occurs twice in an object: JSON.parse silently takes the last. A text that has no more names
 * than its value has members has no such member, and is not searched.
 */
export async function findRepeated(text: string, value: unknown): Promise<TextProblem | undefined> {
  if (countNames(text) <= countMembers(value)) return undefined
  const { visit } = await loadJsonc()
  const objects: Set<string>[] = []
  let found: { name: string; offset: number } | undefined
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(name, offset) {
      const seen = objects.at(-1)!
      if (seen.has(name)) found ??= { name, offset }
      seen.add(name)
    },
  })
  return found && { ...placeIn(text, found.offset), message: `"${found.name}" is there twice` }
}

function placeIn(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

/** Where a text stops being JSON. The message of JSON.parse does not always have a position. */
async function findMistake(text: string): Promise<TextProblem> {
  const { parse, printParseErrorCode } = await loadJsonc()
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch {
    // Nested too deep for this parser: report what it found before.
  }
  const { offset, error } = errors[0] ?? { offset: 0, error: 1 }
  const isExtraComma = /,\s*$/.test(text.slice(0, offset)) && /[\]}]/.test(text[offset] ?? '')
  if (isExtraComma)
    return { ...placeIn(text, offset), message: `not valid JSON: a comma before ${text[offset]}; remove it` }
  const why = printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase()
  return { ...placeIn(text, offset), message: `not valid JSON: ${why}` }
}

/** Node loads it as a CommonJS module, our bundle does not. */
async function loadJsonc() {
  const loaded: { default?: typeof import('jsonc-parser') } & typeof import('jsonc-parser') = await import(
    'jsonc-parser'
  )
  return loaded.default ?? loaded
}
