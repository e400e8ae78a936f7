import { dirname } from 'node:path'
import type { Document as YamlDocument } from 'yaml'
import { depthOf, MAX_DEPTH } from '../../basics/json.ts'
import { once } from '../../basics/memoize.ts'
import type { Path } from '../../basics/problem.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import { FileError, fileError } from './file-error.ts'
import { checkRepeated, parseJsonText } from './json-text.ts'
import { distribution, OWN } from './package.ts'
import { MAX_DOCUMENT_MB, readBytesOf, tooLarge } from './read-file.ts'
import { MAX_REPORTED, parseYamlText } from './yaml-text.ts'

type Format = 'json' | 'yaml' | 'yaml in a body'

export interface FileProblem {
  path: Path
  message: string
}

/** A parsed file that can report problems with their positions. */
export interface SourceDocument {
  file: string
  value: unknown
  /** The directory of a file. */
  folder?: string
  /** Throws a FileError with the position of each problem. Finding positions needs a slower parser. */
  fail(problems: FileProblem[]): Promise<never>
}

const formatOf = (file: string): Format => (/\.ya?ml$/i.test(file) ? 'yaml' : 'json')

const WHY_UNREADABLE: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'permission denied',
}
/** Why a file is unreadable: in plain words for common errors, or the system's message. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return WHY_UNREADABLE[code!] ?? message
}

/** Byte order marks. */
const UTF16 = new Set(['fffe', 'feff'])

/** Means stdin in place of a file. Stdin can be read only once, so its content is cached. */
export const STDIN = '-'
const readStdin = once(async () => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_DOCUMENT_MB * 1024 * 1024) throw tooLarge(MAX_DOCUMENT_MB)
  }
  return Buffer.concat(chunks)
})

export async function readBytes(file: string, mostMb = MAX_DOCUMENT_MB): Promise<Buffer> {
  try {
    if (file.startsWith(OWN)) return distribution.read(file.slice(OWN.length))
    if (file !== STDIN) return readBytesOf(file, mostMb)
    return await readStdin()
  } catch (error) {
    throw fileError(file, `cannot read the file: ${whyUnreadable(error)}`)
  }
}

export async function readDocument(file: string): Promise<SourceDocument> {
  const bytes = await readBytes(file)
  const name = file === STDIN ? 'stdin' : file
  if (bytes.length === 0) throw fileError(name, 'the file is empty')
  if (UTF16.has(bytes.toString('hex', 0, 2))) throw fileError(name, 'the file is in UTF-16. Save it as UTF-8')
  const text = bytes.toString('utf8')
  // Stdin has no file extension: it is JSON if it begins like JSON.
  if (file === STDIN) return parseDocument(text, name, /^\ufeff?\s*[{[]/.test(text) ? 'json' : 'yaml')
  const document = await parseDocument(text, name, formatOf(file))
  return file.startsWith(OWN) ? document : { ...document, folder: dirname(file) }
}

/** A value from a request or from code. It has no lines, so problems are reported by path. */
export function inlineDocument(value: unknown, what: string): SourceDocument {
  return {
    file: 'inline',
    value,
    async fail(problems) {
      const why = problems.slice(0, 10).map(({ message }) => message)
      fail(errors.bad_request, { why: `Invalid ${what}: ${why.join('; ')}` })
    },
  }
}

export async function parseDocument(text: string, file: string, format = formatOf(file)): Promise<SourceDocument> {
  const isBody = format === 'yaml in a body'
  const parsed = await (format === 'json' ? parseJsonText(text, file) : parseYamlText(text, file, isBody))
  const { value } = parsed
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) throw fileError(file, `nested deeper than ${MAX_DEPTH} levels`)
  if (format === 'json') await checkRepeated(text, value, file)
  return {
    file,
    value,
    async fail(problems) {
      const { tree, lines } = parsed.tree ? parsed : await positionsIn(text)
      const places = problems.map(({ path, message }) => {
        const { line, col } = lines.linePos(offsetOf(tree, path))
        return { line: line || 1, column: col || 1, message }
      })
      places.sort((a, b) => a.line - b.line || a.column - b.column)
      throw new FileError(file, places.slice(0, MAX_REPORTED))
    },
  }
}

/** Finds positions in JSON with the YAML parser: JSON is also YAML. */
async function positionsIn(text: string) {
  const { parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  return { tree: parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false }), lines }
}

/** The fields of a YAML node that are needed to find a position. */
interface Node {
  range?: [number, number, number]
  items?: (Node & { key?: Node & { value: unknown } })[]
}

/** Where the value at that path begins; for a field of an object, where its name begins. */
function offsetOf(tree: YamlDocument.Parsed, path: Path): number {
  const parent = tree.getIn(path.slice(0, -1), true) as Node | undefined
  const last = path.at(-1)
  const node =
    typeof last === 'number' ? parent?.items?.[last] : parent?.items?.find(item => item.key?.value === last)?.key
  // A missing field is reported at its parent.
  if (path.length > 0) return node?.range?.[0] ?? offsetOf(tree, path.slice(0, -1))
  return tree.contents?.range[0] ?? 0
}
