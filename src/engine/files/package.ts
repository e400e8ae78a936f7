import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as packageVersion } from '../../../package.json' with { type: 'json' }

export const version: string = packageVersion

/** How edgesim is installed: as an npm package, or as one executable file. */
export interface Distribution {
  /** The command to start it, for hints. */
  command: string
  /** The names of the bundled files in a folder, such as `scenarios`; empty for an unknown folder. */
  list(folder: string): string[]
  read(path: string): Buffer
  /** The file's path, for other processes; undefined inside the executable. */
  pathOf(path: string): string | undefined
}

const npm: Distribution = {
  command: 'npx edgesim',
  list: folder => (existsSync(inPackage(folder)) ? readdirSync(inPackage(folder)) : []),
  read: path => readFileSync(inPackage(path)),
  pathOf: path => inPackage(path),
}

/** A path in the folder of package.json. Works in the bundle and in src. */
function inPackage(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, path)
}

export let distribution = npm

export function setDistribution(other: Distribution) {
  distribution = other
}

/** Prefix of bundled files where other names are paths: `edgesim:scenarios/outage.yaml`. */
export const OWN = 'edgesim:'
