import type { JSONVisitor } from 'jsonc-parser'
import { FileError, fileError, type TextProblem } from './file-error.ts'

/** Parses JSON, or throws its first error. */
export async function parseJsonText(source: string, file: string): Promise<{ value: unknown; tree?: undefined }> {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  try {
    return { value: JSON.parse(text) }
  } catch {
    await throwFirstError(text, file)
    throw fileError(file, 'invalid JSON')
  }
}

/** Counts the field names in JSON: strings before a colon. */
function countNames(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) count++
  return count
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  const own = Array.isArray(value) ? 0 : inside.length
  return inside.reduce<number>((sum, each) => sum + countFields(each), own)
}

/**
 * Throws on a duplicate field: JSON.parse silently takes the last one. If the text has no more names than its value has
 * fields, it has no duplicates.
 */
export async function checkRepeated(text: string, value: unknown, file: string) {
  if (countNames(text) > countFields(value)) await throwFirstError(text, file)
}

/** Throws at the first syntax error or duplicate field. JSON.parse does not always report the position. */
async function throwFirstError(text: string, file: string) {
  const { visit, printParseErrorCode } = await loadJsonc()
  const objects: Set<string>[] = []
  let found: TextProblem | undefined
  const note = (line: number, character: number, message: string) => {
    found ??= { line: line + 1, column: character + 1, message }
  }
  const visitor: JSONVisitor = {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(name, _offset, _length, line, character) {
      if (objects.at(-1)!.has(name)) note(line, character, `duplicate field "${name}"`)
      objects.at(-1)!.add(name)
    },
    onError(code, offset, _length, line, character) {
      if (found) return
      const words = printParseErrorCode(code).replace(/(?<=.)[A-Z]/g, letter => ` ${letter}`)
      const isExtraComma = text.slice(0, offset).trimEnd().endsWith(',') && /[\]}]/.test(text[offset] ?? '')
      const why = isExtraComma ? `remove the comma before ${text[offset]}` : words.toLowerCase()
      note(line, character, `invalid JSON: ${why}`)
    },
  }
  try {
    visit(text, visitor, { disallowComments: true })
  } catch {
    // Nested too deep for this parser: report the first error so far.
  }
  if (found) throw new FileError(file, [found])
}

/** Node loads it as a CommonJS module, the bundle does not. */
async function loadJsonc() {
  const loaded: { default?: typeof import('jsonc-parser') } & typeof import('jsonc-parser') = await import(
    'jsonc-parser'
  )
  return loaded.default ?? loaded
}
