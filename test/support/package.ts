import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, vi } from 'vitest'
import { folderWith, launch, root } from './cli.ts'

const isWindows = process.platform === 'win32'
export const npm = [isWindows ? 'npm.cmd' : 'npm']

/** Nothing is asked of a registry: there is nothing to get. */
export const QUIET = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

/** Runs to its end, which must be a good one. */
export async function run(command: string[], args: string[], cwd: string, env: Record<string, string> = {}) {
  const { code, out, err } = await launch(args, { command, cwd, env }).ended
  expect(code, `${command.join(' ')} ${args.join(' ')}\n${out}${err}`).toBe(0)
  return out
}

/** The tarball that npm would publish. */
export const tarball = () =>
  vi.waitFor(() => join(inject('packed'), readdirSync(inject('packed'))[0]!), { timeout: 45_000 })

/** A project that has the packed package and, of our own packages, those named. */
export async function projectWith(packages: string[] = []): Promise<string> {
  const folder = folderWith({ 'package.json': { private: true, type: 'module' } })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'edgesim'), { recursive: true })
  await run(['tar'], ['-xzf', await tarball(), '-C', join(modules, 'edgesim'), '--strip-components', '1'], folder)
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  return folder
}

/** How to run a program of an installed package. */
export const program = (folder: string, file: string) => [process.execPath, join(folder, 'node_modules', file)]

export function write(folder: string, files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
