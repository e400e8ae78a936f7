import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { launch } from '../support/as-process.ts'

const support = (name: string) => JSON.stringify(join(root, 'test/support', name))

/** A test that leaves a folder and two processes, one without environment variables, and stores their PIDs. */
const LEAVES = `
  import { spawn } from 'node:child_process'
  import { mkdtempSync, writeFileSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { expect, it } from 'vitest'
  it('leaves', async () => {
    const cwd = mkdtempSync(tmpdir() + '/edgesim-forgotten-')
    const pids = [{ ...process.env, EDGESIM_STARTED_BY: 'leaves.test.mjs' }, {}].map(env => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', cwd, env })
      child.unref()
      return child.pid
    })
    expect(pids).toHaveLength(2)
    writeFileSync('pids', JSON.stringify(pids))
    if (process.env.WAITS) await new Promise(() => {})
  }, 600_000)`

function runLeaving(env: Record<string, string> = {}, files: Record<string, string> = { 'leaves.test.mjs': LEAVES }) {
  const folder = folderWith({
    'vitest.config.mjs': `export default { test: { isolate: false, globalSetup: [${support('run.ts')}], setupFiles: [${support('setup.ts')}] } }`,
    ...files,
  })
  const temp = folderWith()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'), 'junction')
  const command = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs')]
  const run = launch(['run', '--no-color'], {
    command,
    cwd: folder,
    env: { TMPDIR: temp, TEMP: temp, TMP: temp, EDGESIM_SWEEP_MS: '200', ...env },
  })
  return { ...run, temp, pids: (): number[] => JSON.parse(readFileSync(join(folder, 'pids'), 'utf8')) }
}

/** Without vitest's folders. */
const foldersIn = (temp: string) => readdirSync(temp).filter(name => name.startsWith('edgesim-'))

/** An ended process may be listed until it is reaped, but without a command line. */
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''

describe.runIf(process.platform === 'linux')('A process or folder that a test leaves behind', () => {
  it('fails the run by name, and is removed', async () => {
    const { ended, pids, temp } = runLeaving()
    const { code, out, err } = await ended
    expect(out).toMatch(/Tests {2}1 passed/)
    expect(code).toBe(1)
    const [named, bare] = pids()
    const command = `${process.execPath} -e setInterval`
    expect(err).toContain('The tests left behind:\n')
    expect(err).toContain(`  leaves.test.mjs: process ${named}, ${command}`)
    // Found by its folder.
    expect(err).toContain(`  a test: process ${bare}, ${command}`)
    expect(err).toMatch(/\n {2}the folder edgesim-forgotten-/)
    await expect.poll(() => pids().some(isAlive)).toBe(false)
    expect(foldersIn(temp)).toEqual([])
  })

  it('is removed if the run is killed', async () => {
    const { child, ended, pids, temp } = runLeaving({ WAITS: '1' })
    await expect.poll(() => pids().every(isAlive)).toBe(true)
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => pids().some(isAlive)).toBe(false)
    await expect.poll(() => foldersIn(temp)).toEqual([])
  })
})

/** The files of a run share a process. */
describe('A test file', () => {
  it.each([
    [
      'that changes the environment fails',
      'process.env.LEFT = "1"',
      1,
      /changing\.test\.mjs has changed the environment/,
    ],
    ['that changes the folder fails', 'process.chdir("node_modules")', 1, /mjs has changed the working directory/],
    ['restores the variables that it stubbed', 'vi.stubEnv("SHELL", "other")', 0, /Tests {2}1 passed/],
  ])('%s', async (_, change, exit, message) => {
    const test = `import { it, vi } from 'vitest'; it('changes', () => { ${change} })`
    const { code, out, err } = await runLeaving({}, { 'changing.test.mjs': test }).ended
    expect({ code, said: out + err }).toEqual({ code: exit, said: expect.stringMatching(message) })
  })
})
