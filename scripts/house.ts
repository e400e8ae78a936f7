import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A folder of `src/`, or `index.ts`. */
export interface Room {
  name: string
  /** What CONTRIBUTING says about it. */
  about: string
  /** The other rooms it imports from, types included. */
  imports: ReadonlySet<string>
  /** One more than the highest floor that it imports from. */
  floor: number
}

export interface Source {
  /** Below `src/`. */
  file: string
  room: string
  lines: number
  /** Made by a script: its lines do not count. */
  generated: boolean
  /** Without comments. */
  text: string
  imports: { from: string; type: boolean; room: string | undefined }[]
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
      const imports = Array.from(text.matchAll(IMPORT), ([, type, named, alone]) => {
        const from = (named ?? alone)!
        return { from, type: type !== undefined, room: roomOf(file, from) }
      })
      const generated = whole.startsWith('// Generated ')
      return { file, room: file.split('/')[0]!, lines: whole.split('\n').length - 1, generated, text, imports }
    })

/** The room of a relative import; undefined for packages and for files outside of src. */
function roomOf(file: string, from: string): string | undefined {
  const target = posix.join(dirname(file), from)
  return from.startsWith('.') && !target.startsWith('..') ? target.split('/')[0] : undefined
}

/** The rooms in the order of CONTRIBUTING's list, in which a room imports only from rooms above it. */
export function readHouse(root: string, sources = readSources(root)): Room[] {
  const list = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {4}([\w.-]+)\/? {2,}(\S.*)$/gm)
  const floors = new Map<string, number>()
  return Array.from(list, ([, name, about]) => {
    const own = sources.filter(({ room }) => room === name)
    const rooms = own.flatMap(({ imports }) => imports.flatMap(({ room }) => room ?? []))
    const imports = new Set(rooms.filter(room => room !== name))
    const floor = 1 + Math.max(0, ...Array.from(imports, other => floors.get(other) ?? 0))
    floors.set(name!, floor)
    return { name: name!, about: about!, imports, floor }
  })
}

const LINE_WIDTH = 110

/** The rooms floor by floor, the highest first, and how many there are. */
export function drawHouse(rooms: readonly Room[]): string {
  const floors = Math.max(...rooms.map(({ floor }) => floor))
  const arrows = rooms.reduce((sum, { imports }) => sum + imports.size, 0)
  const labelWidth = Math.max(...rooms.map(({ name }) => name.length)) + 7
  const lines = Array.from({ length: floors }, (_, i) => floors - i).flatMap(floor =>
    rooms
      .filter(room => room.floor === floor)
      .flatMap(({ name, about }, i) => {
        const label = `${i === 0 ? String(floor).padStart(2) : '  '}  ${name}${name.endsWith('.ts') ? '' : '/'}`
        return wrap(about, LINE_WIDTH - labelWidth).map(
          (text, line) => (line === 0 ? label : '').padEnd(labelWidth) + text,
        )
      }),
  )
  const figures = `${rooms.length} rooms on ${floors} floors, with ${arrows} imports from one room to another`
  return ['', '```text', ...lines, '```', '', `There are ${figures}.`].join('\n')
}

/** Lines of at most that many characters, broken between words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
