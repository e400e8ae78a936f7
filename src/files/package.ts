import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as fromPackage } from '../../package.json' with { type: 'json' }

export const version: string = fromPackage

/** Where the package's own fixtures, scenarios and page are: beside the folder of the bundle, or beside src. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
