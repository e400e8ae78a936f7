import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'bin/edgesim.js')

interface SpawnOptions {
  env?: Record<string, string>
  cwd?: string
  /** Instead of the command line of this package. */
  command?: string[]
}

/** The environment without what would change how the child behaves. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(EDGESIM_|NODE_|VITEST|npm_)/i.test(name)))

const atEnd: (() => unknown)[] = []
afterAll(() => Promise.all(atEnd.map(finish => finish())))

/** A child process that does not outlive the tests of its file. */
export function launch(args: string[], { env = {}, cwd, command = [process.execPath, bin] }: SpawnOptions = {}) {
  const [program, ...before] = command
  const child = spawn(program!, [...before, ...args], { cwd, env: { ...cleanEnvironment(), ...env } })
  const printed = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    printed.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    printed.err += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...printed }))
  atEnd.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    return ended
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

/** A folder that is gone after the tests of the file, with these files in it. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-'))
  atEnd.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return folder
}
