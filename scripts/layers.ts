import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A folder of `src/`, or `index.ts`. */
export interface Folder {
  name: string
  /** Its description in CONTRIBUTING.md. */
  about: string
  /** The other folders it imports from, types included. */
  imports: ReadonlySet<string>
  /** One more than the highest layer that it imports from. */
  layer: number
}

export interface Source {
  /** Path below `src/`. */
  file: string
  folder: string
  lines: number
  /** Written by a script, so its lines do not count. */
  generated: boolean
  /** Without comments. */
  text: string
  imports: { from: string; type: boolean; folder: string | undefined }[]
}

const IMPORT = /\b(?:import|export)\s+(type\s)?[^'"()]*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

export const readSources = (root: string): Source[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /\.tsx?$/.test(file))
    .map(file => {
      const whole = readFileSync(join(root, 'src', file), 'utf8')
      const text = whole.replace(COMMENT, '')
      const imports = Array.from(text.matchAll(IMPORT), ([, type, named, sideEffect]) => {
        const from = (named ?? sideEffect)!
        return { from, type: type !== undefined, folder: folderOf(file, from) }
      })
      const generated = whole.startsWith('// Generated ')
      return { file, folder: file.split('/')[0]!, lines: whole.split('\n').length - 1, generated, text, imports }
    })

/** The folder of a relative import, or undefined for packages and files outside src. */
function folderOf(file: string, from: string): string | undefined {
  const target = posix.join(dirname(file), from)
  return from.startsWith('.') && !target.startsWith('..') ? target.split('/')[0] : undefined
}

/** The folders in the order listed in CONTRIBUTING.md. Each imports only from folders listed before it. */
export function readLayers(root: string, sources = readSources(root)): Folder[] {
  const list = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {4}([\w.-]+)\/? {2,}(\S.*)$/gm)
  const layers = new Map<string, number>()
  return Array.from(list, ([, name, about]) => {
    const own = sources.filter(({ folder }) => folder === name)
    const folders = own.flatMap(({ imports }) => imports.flatMap(({ folder }) => folder ?? []))
    const imports = new Set(folders.filter(folder => folder !== name))
    const layer = 1 + Math.max(0, ...Array.from(imports, other => layers.get(other) ?? 0))
    layers.set(name!, layer)
    return { name: name!, about: about!, imports, layer }
  })
}

const LINE_WIDTH = 110

/** The folders by layer, highest first, followed by their totals. */
export function drawLayers(folders: readonly Folder[]): string {
  const layers = Math.max(...folders.map(({ layer }) => layer))
  const imports = folders.reduce((sum, { imports }) => sum + imports.size, 0)
  const labelWidth = Math.max(...folders.map(({ name }) => name.length)) + 7
  const lines = Array.from({ length: layers }, (_, i) => layers - i).flatMap(layer =>
    folders
      .filter(folder => folder.layer === layer)
      .flatMap(({ name, about }, i) => {
        const label = `${i === 0 ? String(layer).padStart(2) : '  '}  ${name}${name.endsWith('.ts') ? '' : '/'}`
        return wrap(about, LINE_WIDTH - labelWidth).map(
          (text, line) => (line === 0 ? label : '').padEnd(labelWidth) + text,
        )
      }),
  )
  const totals = `Totals: ${folders.length} folders in ${layers} layers, with ${imports} imports between folders.`
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
