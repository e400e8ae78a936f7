import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, launch, root } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'

const support = (name: string) => JSON.stringify(join(root, 'test/support', name))

/** A test that starts a process and makes a folder, tells their names, and cleans up neither. */
const LEAVES = `
  import { spawn } from 'node:child_process'
  import { mkdtempSync, writeFileSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { it } from 'vitest'
  it('leaves', async () => {
    const cwd = mkdtempSync(tmpdir() + '/edgesim-forgotten-')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
      cwd,
      env: process.env.BARE ? {} : { ...process.env, EDGESIM_STARTED_BY: 'leaves.test.mjs' },
    })
    child.unref()
    writeFileSync('pid', String(child.pid))
    if (process.env.WAITS) await new Promise(() => {})
  }, 600_000)`

/** A run of those tests, and the process they left. */
function runLeaving(env: Record<string, string> = {}) {
  const folder = folderWith({
    'vitest.config.mjs': `export default { test: { globalSetup: [${support('run.ts')}], setupFiles: [${support('setup.ts')}] } }`,
    'leaves.test.mjs': LEAVES,
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
  return { ...run, temp, pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')) }
}

/** Those of ours: vitest has some of its own. */
const foldersIn = (temp: string) => readdirSync(temp).filter(name => name.startsWith('edgesim-'))

/** One that has ended may stay listed until somebody asks for its exit code, but it has no command any more. */
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''

describe.runIf(process.platform === 'linux')('What tests leave behind', () => {
  it('fails the run by name, and is removed', async () => {
    const { ended, pid, temp } = runLeaving()
    const { code, out, err } = await ended
    expect(out).toMatch(/Tests {2}1 passed/)
    expect(code).toBe(1)
    expect(err).toContain(
      `The tests left behind:\n  leaves.test.mjs: process ${pid()}, ${process.execPath} -e setInterval`,
    )
    expect(err).toMatch(/\n {2}the folder edgesim-forgotten-/)
    await expect.poll(() => isAlive(pid())).toBe(false)
    expect(foldersIn(temp)).toEqual([])
  })

  it('is found by the folder it is in where it has no environment', async () => {
    const { ended, pid } = runLeaving({ BARE: '1' })
    expect((await ended).err).toContain(`a test: process ${pid()}, ${process.execPath} -e setInterval`)
    await expect.poll(() => isAlive(pid())).toBe(false)
  })

  it('is removed too when the run is killed', async () => {
    const { child, ended, pid, temp } = runLeaving({ WAITS: '1' })
    await eventually(pid)
    expect(isAlive(pid())).toBe(true)
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => isAlive(pid())).toBe(false)
    await expect.poll(() => foldersIn(temp)).toEqual([])
  })
})
