import { readFile } from 'node:fs/promises'
import type { ParseError } from 'jsonc-parser'
import type { Document as YamlDocument } from 'yaml'
import { fail } from '../errors.ts'
import { depthOf, MAX_DEPTH } from '../words/depth.ts'
import type { Path } from '../words/flaw.ts'
import { MOST_PROBLEMS, type Place, parseYamlText } from './yaml-text.ts'

/** What is wrong in a file, where, in one line: `file:line:column: …`. */
export class FileError extends Error {
  constructor(
    readonly file: string,
    readonly problems: Place[],
  ) {
    super(problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'))
    this.name = 'FileError'
  }
}

export type Format = 'json' | 'yaml'

/** A parsed file that still knows where each value stood. */
export interface SourceDocument {
  file: string
  value: unknown
  /**
   * Throws a FileError with the position of each problem. Positions need a second, slower parser, so they are looked up
   * only here.
   */
  refuse(problems: { path: Path; message: string }[]): Promise<never>
}

export const formatOf = (file: string): Format => (/\.ya?ml$/i.test(file) ? 'yaml' : 'json')

const TROUBLES: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'there is no permission to read it',
}
/** How such a text begins. */
const UTF16 = new Set(['fffe', 'feff'])

export async function readDocument(file: string): Promise<SourceDocument> {
  const refuse = (message: string) => new FileError(file, [{ line: 1, column: 1, message }])
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(`cannot be read: ${TROUBLES[code!] ?? message}`)
  }
  if (bytes.length === 0) throw refuse('is empty')
  if (UTF16.has(bytes.toString('hex', 0, 2))) throw refuse('is in UTF-16; save it as UTF-8')
  return parseDocument(bytes.toString('utf8'), file)
}

/** A value from a request or from code: it has no lines, so problems are reported by path. */
export function inlineDocument(value: unknown, what: string): SourceDocument {
  return {
    file: 'inline',
    value,
    async refuse(problems) {
      const why = problems.slice(0, 10).map(({ message }) => message)
      fail('bad_request', { why: `The ${what} is not valid: ${why.join('; ')}` })
    },
  }
}

export async function parseDocument(text: string, file: string, format = formatOf(file)): Promise<SourceDocument> {
  const value = await (format === 'json' ? parseJson(text, file) : parseYaml(text, file))
  return {
    file,
    value,
    async refuse(problems) {
      const { parseDocument, LineCounter } = await import('yaml')
      const lines = new LineCounter()
      const tree = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false })
      const places = problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
        const { line, col } = lines.linePos(offsetOf(tree, path))
        return { line: line || 1, column: col || 1, message }
      })
      throw new FileError(file, places)
    },
  }
}

async function parseJson(source: string, file: string): Promise<unknown> {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileError(file, [await findMistake(text)])
  }
  checkDepth(value, file)
  const repeated = countNames(text) > countMembers(value) ? await findRepeated(text) : undefined
  if (repeated) throw new FileError(file, [repeated])
  return value
}

/** How many names of members a text of JSON has: strings before a colon. */
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

/** JSON.parse takes the last of members with one name, and says nothing. */
async function findRepeated(text: string): Promise<Place | undefined> {
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

/** Where a text stops being JSON: JSON.parse does not always say. */
async function findMistake(text: string): Promise<Place> {
  const { parse, printParseErrorCode } = await loadJsonc()
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch {
    // Nested too deep for that parser, too: what it found before is said.
  }
  const { offset, error } = errors[0] ?? { offset: 0, error: 1 }
  const isSurplus = /,\s*$/.test(text.slice(0, offset)) && /[\]}]/.test(text[offset] ?? '')
  if (isSurplus)
    return { ...placeIn(text, offset), message: `not valid JSON: a comma before ${text[offset]}; remove it` }
  const why = printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase()
  return { ...placeIn(text, offset), message: `not valid JSON: ${why}` }
}

/** For Node it is a CommonJS module, in our bundle it is not. */
async function loadJsonc() {
  const loaded: { default?: typeof import('jsonc-parser') } & typeof import('jsonc-parser') = await import(
    'jsonc-parser'
  )
  return loaded.default ?? loaded
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  const parsed = await parseYamlText(text)
  if ('problems' in parsed) throw new FileError(file, parsed.problems)
  checkDepth(parsed.value, file)
  return parsed.value
}

function checkDepth(value: unknown, file: string) {
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) throw tooDeep(file)
}

const tooDeep = (file: string) =>
  new FileError(file, [{ line: 1, column: 1, message: `nested deeper than ${MAX_DEPTH} levels` }])

/** The parts of a YAML node that are needed to find a position. */
interface Node {
  range?: [number, number, number]
  value?: unknown
  items?: (Node & { key?: Node; value?: Node })[]
}

/** Where the value at that path begins; for a member that has no place, the member's own name. */
function offsetOf(tree: YamlDocument.Parsed, path: Path): number {
  let node = tree.contents as Node | undefined
  let offset: number = node?.range?.[0] ?? 0
  for (const step of path) {
    const items = node?.items
    if (!items) break
    if (typeof step === 'number') node = items[step]
    else {
      const pair = items.find(item => item.key?.value === step)
      if (!pair) break
      offset = pair.key?.range?.[0] ?? offset
      node = pair.value
      continue
    }
    offset = node?.range?.[0] ?? offset
  }
  return offset
}
