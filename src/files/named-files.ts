import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import { packageFolder } from './package.ts'

const ENDINGS = ['.yaml', '.yml', '.json']

/** Files that are asked for by name and never by path: those of a few folders, and nothing outside of them. */
export class NamedFiles {
  constructor(readonly folders: string[]) {}

  /** The path of a file, or undefined; names that could lead out of the folders are unknown. */
  find(name: string): string | undefined {
    if (!NAME.test(name)) return undefined
    for (const folder of this.folders) {
      for (const ending of ENDINGS) {
        const path = inside(folder, name + ending)
        if (path) return path
      }
    }
    return undefined
  }

  /** Like `find`, but fails with the known names. */
  get(what: string, name: string): string {
    const names = this.names()
    const exists = `There are: ${names.join(', ')}.`
    return (
      this.find(name) ??
      fail('not_found', { what: `${what} "${name.slice(0, 80)}"`, nearest: nearest(name, names), exists })
    )
  }

  /** Changes when the file does, and is known without reading it. */
  stampOf(name: string): string {
    const file = this.find(name)
    const found = file && statSync(file, { throwIfNoEntry: false })
    return found ? `${file} ${found.ino} ${found.mtimeMs} ${found.size}` : ''
  }

  names(): string[] {
    const names = this.folders.flatMap(folder => filesIn(folder).flatMap(file => nameOf(file) ?? []))
    return [...new Set(names)].sort()
  }
}

/** The files that can be given by name: those of the user's folder and of the package. */
export const namedFiles = (kind: 'fixtures' | 'scenarios', folder: string | undefined) =>
  new NamedFiles([folder ?? [], join(packageFolder(), kind)].flat())

function nameOf(file: string): string | undefined {
  const ending = ENDINGS.find(each => file.endsWith(each))
  const name = ending && !file.endsWith('.schema.json') ? file.slice(0, -ending.length) : ''
  return NAME.test(name) ? name : undefined
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A link that leads out of the folder is not followed. */
function inside(folder: string, file: string): string | undefined {
  try {
    const real = realpathSync(join(folder, file))
    return dirname(real) === realpathSync(folder) ? real : undefined
  } catch {
    return undefined
  }
}
