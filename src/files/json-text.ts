import type { JSONVisitor } from 'jsonc-parser'
import { FileError, fileError, type TextProblem } from './file-error.ts'

/** Parses a JSON text, or throws its first mistake. */
export async function parseJsonText(source: string, file: string): Promise<{ value: unknown; tree?: undefined }> {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  try {
    return { value: JSON.parse(text) }
  } catch {
    await throwMistake(text, file)
    throw fileError(file, 'not valid JSON')
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
 * Throws if a member occurs twice in an object: JSON.parse silently takes the last. A text that has no more names than
 * its value has members has no such member, and is not searched.
 */
export async function checkRepeated(text: string, value: unknown, file: string) {
  if (countNames(text) > countMembers(value)) await throwMistake(text, file)
}

/** Throws where a text stops being JSON, or has a member twice. JSON.parse does not always tell the position. */
async function throwMistake(text: string, file: string) {
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
      if (objects.at(-1)!.has(name)) note(line, character, `"${name}" is there twice`)
      objects.at(-1)!.add(name)
    },
    onError(code, offset, _length, line, character) {
      if (found) return
      const words = printParseErrorCode(code).replace(/(?<=.)[A-Z]/g, letter => ` ${letter}`)
      const isExtraComma = text.slice(0, offset).trimEnd().endsWith(',') && /[\]}]/.test(text[offset] ?? '')
      const why = isExtraComma ? `a comma before ${text[offset]}; remove it` : words.toLowerCase()
      note(line, character, `not valid JSON: ${why}`)
    },
  }
  try {
    visit(text, visitor, { disallowComments: true })
  } catch {
    // Nested too deep for this parser: report what it found before.
  }
  if (found) throw new FileError(file, [found])
}

/** Node loads it as a CommonJS module, our bundle does not. */
async function loadJsonc() {
  const loaded: { default?: typeof import('jsonc-parser') } & typeof import('jsonc-parser') = await import(
    'jsonc-parser'
  )
  return loaded.default ?? loaded
}
