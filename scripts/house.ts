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

const IMPORT = /\b(?:import|export)\s+[^'"()]*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** The rooms in the order of CONTRIBUTING's list, in which a room imports only from rooms above it. */
export function readHouse(root: string): Room[] {
  const list = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {4}([\w.-]+)\/? {2,}(\S.*)$/gm)
  const floors = new Map<string, number>()
  return Array.from(list, ([, name, about]) => {
    const imports = importsOf(root, name!)
    const floor = 1 + Math.max(0, ...Array.from(imports, other => floors.get(other) ?? 0))
    floors.set(name!, floor)
    return { name: name!, about: about!, imports, floor }
  })
}

function importsOf(root: string, room: string): Set<string> {
  const files = room.endsWith('.ts')
    ? [room]
    : readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }).map(file => posix.join(room, file))
  const rooms = files
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(file => {
      const text = readFileSync(join(root, 'src', file), 'utf8').replace(COMMENT, '')
      return Array.from(text.matchAll(IMPORT), ([, from, alone]) => (from ?? alone)!)
        .filter(from => from.startsWith('.'))
        .map(from => posix.join(dirname(file), from))
        .filter(target => !target.startsWith('..'))
        .map(target => target.split('/')[0]!)
    })
  return new Set(rooms.filter(other => other !== room))
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
