import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith } from '../../support/afterwards.ts'
import { launch, npm } from '../../support/as-process.ts'

/** What npm says where there is no registry, or no such package for this machine. */
const NOT_THERE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E404|ETARGET|EBADPLATFORM/

/** A folder with packages from the registry; undefined if it cannot be reached or has none for this machine. */
export async function installed(packages: string[]): Promise<string | undefined> {
  const folder = folderWith({ 'package.json': { private: true } })
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  const { code, out, err } = await launch(args, { command: npm, cwd: folder }).ended
  if (code === 0) return folder
  if (!NOT_THERE.test(err)) throw new Error(`npm ${args.join(' ')}\n${out}${err}`)
  console.log(`${packages.join(' ')} could not be installed: ${/npm error code (\w+)/.exec(err)?.[1] ?? err}`)
  return undefined
}

/** A program of a package that is for this machine only. */
async function programOf(name: string, version: string, files: string[]): Promise<string | undefined> {
  const folder = await installed([`${name}@${version}`])
  return folder && files.map(file => join(folder, 'node_modules', name, file)).find(existsSync)
}

const SYSTEM = process.platform === 'win32' ? 'win' : process.platform

export const nodeOf = (version: string) =>
  programOf(`node-${SYSTEM}-${process.arch}`, version, ['bin/node', 'bin/node.exe'])

export const bunOf = (version: string) =>
  programOf(`@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`, version, [
    'bin/bun',
  ])

export const denoOf = (version: string) =>
  programOf(`@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`, version, [
    'deno',
  ])
