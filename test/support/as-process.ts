import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, vi } from 'vitest'
import { afterwards, folderWith, root, whoRuns } from './afterwards.ts'
import { callsOf } from './http.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether tests of this project may start processes. */
    processes: boolean
  }
}

export const bin = join(root, 'bin/edgesim.js')

/** True in `npm run test:binary`, where tests start the executable in place of the package. */
export const BINARY = process.env.EDGESIM_BINARY !== undefined

export const EDGESIM = BINARY ? [join(root, process.env.EDGESIM_BINARY!)] : [process.execPath, bin]

/** The executable must work without a writable home or a PATH. */
const POOR: Record<string, string> = BINARY ? { PATH: '', HOME: '/proc' } : {}

export interface SpawnOptions {
  env?: Record<string, string>
  cwd?: string
  /** Default: the edgesim command. */
  command?: string[]
}

/** The environment without variables that affect the child. */
export const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(EDGESIM_|NODE_|VITEST|npm_)/i.test(name)))

/** npm needs the certificates that a proxy of the registry may require. */
function forCommand(command: string[]): NodeJS.ProcessEnv {
  if (command === EDGESIM) return POOR
  const { NODE_EXTRA_CA_CERTS } = process.env
  return command === npm && NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}
}

/** Killed if the worker ends during a test. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(child => void child.kill('SIGKILL')))

export function mustBeProcessTest() {
  if (!inject('processes')) throw new Error(`${whoRuns()} starts a process. Rename its file to *.process.test.ts.`)
}

/** Starts a process that is killed after the test. */
export function launch(args: string[], { env = {}, cwd, command = EDGESIM }: SpawnOptions = {}) {
  mustBeProcessTest()
  const [program, ...before] = command
  const child = spawn(program!, [...before, ...args], {
    cwd,
    env: { ...cleanEnvironment(), ...forCommand(command), EDGESIM_STARTED_BY: whoRuns(), ...env },
  })
  running.add(child)
  const printed = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    printed.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    printed.err += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...printed }))
  ended.catch(() => {})
  const exited = new Promise(resolve => child.once('exit', resolve).once('error', resolve))
  afterwards(async () => {
    child.kill('SIGKILL')
    await exited
    running.delete(child)
    // A killed process can't remove its folder.
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith(`edgesim-${child.pid}-`)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  })

  /** Waits for matching output. Throws if the process ends first. */
  async function until(pattern: RegExp): Promise<string> {
    const early = ended.then(({ code, err }) => {
      throw new Error(`ended with ${code} before printing ${pattern}: ${printed.out}${err}`)
    })
    early.catch(() => {})
    while (!pattern.test(printed.out)) await Promise.race([once(child.stdout, 'data'), early])
    return printed.out
  }

  return { child, printed, ended, until }
}

/** Runs edgesim to its end. */
export const edgesim = (args: string[], options?: SpawnOptions) => launch(args, options).ended

/** Starts edgesim on a free port and waits until it is ready. */
export async function startEdgesim(args: string[] = [], options?: SpawnOptions) {
  const process = launch([...args, '--port', '0', '--log', 'json'], options)
  const [line] = (await process.until(/\n/)).split('\n')
  const ready = JSON.parse(line!)
  return {
    ...process,
    ready,
    ...callsOf({ ...ready, headers: { connection: 'close' } }),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      process.child.kill(signal)
      return process.ended
    },
  }
}

export const npm = process.platform === 'win32' ? ['cmd', '/c', 'npm'] : ['npm']

/** Keeps npm offline. */
export const QUIET = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

/** Runs a command that must succeed. */
export async function run(command: string[], args: string[], cwd: string, env: Record<string, string> = {}) {
  const { code, out, err } = await launch(args, { command, cwd, env }).ended
  expect(code, `${command.join(' ')} ${args.join(' ')}\n${out}${err}`).toBe(0)
  return out
}

/** The tarball that npm would publish. */
export const tarball = () =>
  vi.waitFor(() => join(inject('packed'), readdirSync(inject('packed'))[0]!), { timeout: 120_000 })

/** A project with the packed edgesim, and links to these installed packages. */
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

/** The command that runs a file of an installed package. */
export const program = (folder: string, file: string) => [process.execPath, join(folder, 'node_modules', file)]
