import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import { packageFolder } from './package.ts'

const ENDINGS = ['.yaml', '.yml', '.json']

/** Files that are found by name, never by path: only those in the given folders. */
export class NamedFiles {
  constructor(readonly folders: string[]) {}

  /** The path of a file, or undefined. A name that could lead out of the folders is not found. */
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

  /** Like `find`, but fails with the names that exist. */
  get(what: string, name: string): string {
    const names = this.names()
    const exists = `There are: ${names.join(', ')}.`
    return (
      this.find(name) ??
      fail('not_found', { what: `${what} "${name.slice(0, 80)}"`, nearest: nearest(name, names), exists })
    )
  }

  /** A text that changes when the file does. It does not read the file. */
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

/** Fixtures or scenarios by name: those in the user's folder, then those of the package. */
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

/** The path of a file in a folder. A link that leads out of the folder is not followed. */
function inside(folder: string, file: string): string | undefined {
  try {
    const real = realpathSync(join(folder, file))
    return dirname(real) === realpathSync(folder) ? real : undefined
  } catch {
    return undefined
  }
}
