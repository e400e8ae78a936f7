import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A folder of `src/`, a folder inside it, or `index.ts`. */
export interface Folder {
  /** Such as `engine` or `engine/state`. */
  name: string
  /** Its description in CONTRIBUTING.md. */
  about: string
  /** The other folders of the same level that it imports from, types included. */
  imports: ReadonlySet<string>
  /** One more than the highest layer that it imports from. */
  layer: number
}

export interface Source {
  /** Path below `src/`. */
  file: string
  /** The first part of the path. */
  top: string
  /** The first two parts of the path, such as `engine/state`, or one part for a file directly in a top folder. */
  folder: string
  /** Without comments. */
  text: string
  /** `file` is the imported file below `src/`, or undefined for a package. */
  imports: { from: string; type: boolean; file: string | undefined }[]
}

const IMPORT = /\b(?:import|export)\s+(type\s)?[^'"()]*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

export const topOf = (file: string): string => file.split('/')[0]!

export const folderOf = (file: string): string => {
  const parts = file.split('/')
  return parts.length > 2 ? `${parts[0]}/${parts[1]}` : parts[0]!
}

export const readSources = (root: string): Source[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /\.tsx?$/.test(file))
    .map(file => {
      const whole = readFileSync(join(root, 'src', file), 'utf8')
      const text = whole.replace(COMMENT, '')
      const imports = Array.from(text.matchAll(IMPORT), ([, type, named, sideEffect]) => {
        const from = (named ?? sideEffect)!
        return { from, type: type !== undefined, file: importedFile(file, from) }
      })
      return { file, top: topOf(file), folder: folderOf(file), text, imports }
    })

/** The file of a relative import, or undefined for packages and files outside src. */
function importedFile(file: string, from: string): string | undefined {
  const target = posix.join(dirname(file), from)
  return from.startsWith('.') && !target.startsWith('..') ? target : undefined
}

/** The folders in the order listed in CONTRIBUTING.md, each followed by the folders inside it. */
export function readFolders(root: string, sources = readSources(root)): Folder[] {
  const list = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {4}( {2})?([\w.-]+)\/? {2,}(\S.*)$/gm)
  const layers = new Map<string, number>()
  let top = ''
  return Array.from(list, ([, inner, last, about]) => {
    const name = inner ? `${top}/${last}` : last!
    if (!inner) top = name
    const level = inner ? folderOf : topOf
    const own = sources.filter(({ file }) => level(file) === name)
    const imported = own.flatMap(({ imports }) => imports.flatMap(({ file }) => (file ? level(file) : [])))
    const imports = new Set(imported.filter(other => other !== name))
    const layer = 1 + Math.max(0, ...Array.from(imports, other => layers.get(other) ?? 0))
    layers.set(name, layer)
    return { name, about: about!, imports, layer }
  })
}

const LINE_WIDTH = 110

/** The top folders by layer, highest first, followed by the totals of both levels. */
export function drawLayers(folders: readonly Folder[]): string {
  const tops = folders.filter(({ name }) => !name.includes('/'))
  const layers = Math.max(...tops.map(({ layer }) => layer))
  const labelWidth = Math.max(...tops.map(({ name }) => name.length)) + 7
  const lines = Array.from({ length: layers }, (_, i) => layers - i).flatMap(layer =>
    tops
      .filter(folder => folder.layer === layer)
      .flatMap(({ name, about }, i) => {
        const label = `${i === 0 ? String(layer).padStart(2) : '  '}  ${name}${name.endsWith('.ts') ? '' : '/'}`
        return wrap(about, LINE_WIDTH - labelWidth).map(
          (text, line) => (line === 0 ? label : '').padEnd(labelWidth) + text,
        )
      }),
  )
  const imports = tops.reduce((sum, { imports }) => sum + imports.size, 0)
  const totals = `Totals: ${tops.length} entries in ${layers} layers, with ${imports} imports between them.`
  return ['', '```text', ...lines, '```', '', totals].join('\n')
}

/** Splits the text between words into lines of up to `width` characters. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
