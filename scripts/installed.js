import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import spawn from 'cross-spawn'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command to its end, including .cmd files on Windows. Throws if it fails. */
export function run(program, args, options) {
  const { status, error, stdout } = spawn.sync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    encoding: 'utf8',
    ...options,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return stdout
}

/** Packs the build and installs it in an empty folder, without a registry. Returns the folder. */
export function installIn(folder) {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const [tarball] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`], { cwd: folder })
  return join(folder, 'node_modules', 'edgesim')
}
