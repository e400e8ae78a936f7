import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearest } from '../../basics/nearest.ts'
import { NAME } from '../../contract/names.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import { distribution, OWN } from './package.ts'

const ENDINGS = ['.yaml', '.yml', '.json']

/** Finds fixtures or scenarios by name, never by path: first in the user's folder, then in the package. */
export class NamedFiles {
  constructor(
    readonly kind: 'fixtures' | 'scenarios',
    readonly folder: string | undefined,
  ) {}

  /** The path of a file, or undefined. Finds no file outside the folder. */
  find(name: string): string | undefined {
    if (!NAME.test(name)) return undefined
    const possible = ENDINGS.map(ending => name + ending)
    for (const file of possible) {
      const path = inside(this.folder, file)
      if (path) return path
    }
    const own = distribution.list(this.kind)
    const file = possible.find(each => own.includes(each))
    return file && `${OWN}${this.kind}/${file}`
  }

  /** Like `find`, but fails with a list of the existing names. */
  get(what: string, name: string): string {
    const names = this.names()
    const exists = `Known: ${names.join(', ')}.`
    return (
      this.find(name) ??
      fail(errors.not_found, { what: `${what} "${name.slice(0, 80)}"`, nearest: nearest(name, names), exists })
    )
  }

  /** A string that changes with the file. Does not read the file. */
  stampOf(name: string): string {
    const file = this.find(name)
    const found = file && statSync(file, { throwIfNoEntry: false })
    return `${file} ${found ? [found.ino, found.mtimeMs, found.size] : ''}`
  }

  names(): string[] {
    const files = [...filesIn(this.folder), ...distribution.list(this.kind)]
    return [...new Set(files.flatMap(file => nameOf(file) ?? []))].sort()
  }
}

function nameOf(file: string): string | undefined {
  const ending = ENDINGS.find(each => file.endsWith(each))
  const name = ending && !file.endsWith('.schema.json') ? file.slice(0, -ending.length) : ''
  return NAME.test(name) ? name : undefined
}

function filesIn(folder: string | undefined): string[] {
  try {
    return folder === undefined ? [] : readdirSync(folder)
  } catch {
    return []
  }
}

/** The path of a file in a folder. Ignores links to files outside the folder. */
function inside(folder: string | undefined, file: string): string | undefined {
  if (folder === undefined) return undefined
  try {
    const real = realpathSync(join(folder, file))
    return dirname(real) === realpathSync(folder) ? real : undefined
  } catch {
    return undefined
  }
}
