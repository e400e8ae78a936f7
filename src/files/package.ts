import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as packageVersion } from '../../package.json' with { type: 'json' }

export const version: string = packageVersion

/** How edgesim came to this machine: as a package of npm, or as one executable file. */
export interface Distribution {
  /** What users type to start it, for hints. */
  command: string
  /** The names of its own files in a folder, such as `scenarios`; none if there is no such folder. */
  list(folder: string): string[]
  read(path: string): Buffer
  /** Where other programs find the file; undefined where it is inside the executable. */
  pathOf(path: string): string | undefined
}

const npm: Distribution = {
  command: 'npx edgesim',
  list: folder => (existsSync(inPackage(folder)) ? readdirSync(inPackage(folder)) : []),
  read: path => readFileSync(inPackage(path)),
  pathOf: path => inPackage(path),
}

/** A path in the folder of package.json, in the bundle and in src. */
function inPackage(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, path)
}

export let distribution = npm

export function setDistribution(other: Distribution) {
  distribution = other
}

/** Begins the names of its own files where other names are paths: `edgesim:scenarios/outage.yaml`. */
export const OWN = 'edgesim:'
