import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { afterwards, root, whoRuns } from './afterwards.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the tests of the project may start processes. */
    processes: boolean
  }
}

export { root }

export const bin = join(root, 'bin/edgesim.js')

export interface SpawnOptions {
  env?: Record<string, string>
  cwd?: string
  /** Instead of the command line of this package. */
  command?: string[]
}

/** The environment without what would change how the child behaves. */
export const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(EDGESIM_|NODE_|VITEST|npm_)/i.test(name)))

/** Those that run now: none of them survives a worker that is ended in the middle of a test. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(child => void child.kill('SIGKILL')))

/** A child process that does not outlive its test. */
export function launch(args: string[], { env = {}, cwd, command = [process.execPath, bin] }: SpawnOptions = {}) {
  if (!inject('processes'))
    throw new Error(
      `${whoRuns()} starts a process: name its file *.process.test.ts, so that npm run test:quick leaves it out`,
    )
  const [program, ...before] = command
  const child = spawn(program!, [...before, ...args], {
    cwd,
    env: { ...cleanEnvironment(), EDGESIM_STARTED_BY: whoRuns(), ...env },
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
    // One that was killed could not remove its folder; the next simulator would, but there may be none.
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith(`edgesim-${child.pid}-`)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  })

  /** What was printed, as soon as it holds that; an early end is a failure. */
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

/** Runs to its end. */
export const edgesim = (args: string[], options?: SpawnOptions) => launch(args, options).ended

/** Starts on any free port and waits for the line that says it is ready. */
export async function startEdgesim(args: string[] = [], options?: SpawnOptions) {
  const process = launch([...args, '--port', '0', '--log', 'json'], options)
  const [line] = (await process.until(/\n/)).split('\n')
  const ready = JSON.parse(line!)
  return {
    ...process,
    ready,
    call: (path: string, init?: RequestInit & { token?: string }) => callApi(ready.url, path, { ...init }, ready),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      process.child.kill(signal)
      return process.ended
    },
  }
}

async function callApi(
  url: string,
  path: string,
  init: RequestInit & { token?: string },
  ready: { token: string; vendor: string },
) {
  const response = await fetch(url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${init.token ?? ready.token}`,
      [`${ready.vendor}-version`]: '2',
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      connection: 'close',
    },
  })
  return { status: response.status, body: await response.json() }
}

/** A folder with these files in it, gone after the test. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return folder
}
