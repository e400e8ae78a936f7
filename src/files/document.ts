import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Document as YamlDocument } from 'yaml'
import { depthOf, MAX_DEPTH } from '../basics/json.ts'
import type { Path } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import { FileError, refuse } from './file-error.ts'
import { findRepeated, parseJsonText } from './json-text.ts'
import { MOST_PROBLEMS, type ParsedYaml, parseYamlText } from './yaml-text.ts'

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

const formatOf = (file: string): Format => (/\.ya?ml$/i.test(file) ? 'yaml' : 'json')

const TROUBLES: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'there is no permission to read it',
}
/** How such a text begins. */
const UTF16 = new Set(['fffe', 'feff'])

/** Instead of a file: what is piped in. It can be read once only, and is kept for who asks again. */
export const STDIN = '-'
let piped: Promise<Buffer> | undefined
const readStdin = () => (piped ??= buffer(process.stdin))

export async function readBytes(file: string): Promise<Buffer> {
  try {
    return await (file === STDIN ? readStdin() : readFile(file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(file, `cannot be read: ${TROUBLES[code!] ?? message}`)
  }
}

export async function readDocument(file: string): Promise<SourceDocument> {
  const bytes = await readBytes(file)
  const name = file === STDIN ? 'stdin' : file
  if (bytes.length === 0) throw refuse(name, 'is empty')
  if (UTF16.has(bytes.toString('hex', 0, 2))) throw refuse(name, 'is in UTF-16; save it as UTF-8')
  const text = bytes.toString('utf8')
  // Without a name that tells the format, it is JSON if it begins like JSON.
  return parseDocument(text, name, file !== STDIN ? formatOf(file) : /^\ufeff?\s*[{[]/.test(text) ? 'json' : 'yaml')
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
  const parsed = await parse(text, file, format)
  return {
    file,
    value: parsed.value,
    async refuse(problems) {
      const { tree, lines } = 'tree' in parsed ? parsed : await positionsIn(text)
      const places = problems.map(({ path, message }) => {
        const { line, col } = lines.linePos(offsetOf(tree, path))
        return { line: line || 1, column: col || 1, message }
      })
      places.sort((a, b) => a.line - b.line || a.column - b.column)
      throw new FileError(file, places.slice(0, MOST_PROBLEMS))
    },
  }
}

/** JSON is YAML, too. */
async function positionsIn(text: string) {
  const { parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  return { tree: parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false }), lines }
}

async function parse(text: string, file: string, format: Format): Promise<{ value: unknown } | ParsedYaml> {
  const parsed = await (format === 'json' ? parseJsonText(text) : parseYamlText(text))
  if ('problems' in parsed) throw new FileError(file, parsed.problems)
  checkDepth(parsed.value, file)
  const repeated = format === 'json' ? await findRepeated(text, parsed.value) : undefined
  if (repeated) throw new FileError(file, [repeated])
  return parsed
}

function checkDepth(value: unknown, file: string) {
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) throw refuse(file, `nested deeper than ${MAX_DEPTH} levels`)
}

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
