import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as packageVersion } from '../../package.json' with { type: 'json' }

export const version: string = packageVersion

/** The folder of package.json, with the package's own fixtures, scenarios and page. Works in the bundle and in src. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
