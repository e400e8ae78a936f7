import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileCalls } from '../../../src/engine/store/file-calls.ts'
import { tryLock } from '../../../src/engine/store/lock.ts'
import { folderWith, root } from '../../support/afterwards.ts'
import { launch, npm, run } from '../../support/as-process.ts'

const CLIENTS = join(root, 'test/clients')

/** npm writes the first file last, after all packages. */
function areInstalled() {
  const [done, wanted] = ['node_modules/.package-lock.json', 'package-lock.json'].map(
    file => statSync(join(CLIENTS, file), { throwIfNoEntry: false })?.mtimeMs,
  )
  return done !== undefined && done >= wanted!
}

/** Installs missing clients of test/clients, even if other processes do the same. */
export async function installClients() {
  while (!areInstalled()) {
    const lock = tryLock(join(root, 'node_modules/.test-clients.lock'), fileCalls)
    if (!('release' in lock)) {
      await sleep(100)
      continue
    }
    try {
      const args = ['ci', '--prefix', CLIENTS, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
      if (!areInstalled()) await run(npm, args, root)
    } finally {
      lock.release()
    }
  }
}

export const clientPackage = (name: string) => join(CLIENTS, 'node_modules', name)

/** Errors of npm without a registry, or without a package for this machine. */
const NOT_THERE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E404|ETARGET|EBADPLATFORM/

/** A folder with packages from the registry. Undefined if it is unreachable or has none for this machine. */
export async function installed(packages: string[]): Promise<string | undefined> {
  const folder = folderWith({ 'package.json': { private: true } })
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  const { code, out, err } = await launch(args, { command: npm, cwd: folder }).ended
  if (code === 0) return folder
  if (!NOT_THERE.test(err)) throw new Error(`npm ${args.join(' ')}\n${out}${err}`)
  console.log(`${packages.join(' ')} could not be installed: ${/npm error code (\w+)/.exec(err)?.[1] ?? err}`)
  return undefined
}

/** The executable of a platform-specific package. */
async function programOf(name: string, version: string, files: string[]): Promise<string | undefined> {
  const folder = await installed([`${name}@${version}`])
  return folder && files.map(file => join(folder, 'node_modules', name, file)).find(existsSync)
}

const SYSTEM = process.platform === 'win32' ? 'win' : process.platform

export const nodeOf = (version: string) =>
  programOf(`node-${SYSTEM}-${process.arch}`, version, ['bin/node', 'bin/node.exe'])

const { platform, arch } = process

export const bunOf = (version: string) =>
  programOf(`@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`, version, ['bin/bun'])

export const denoOf = (version: string) =>
  programOf(`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, version, ['deno'])
