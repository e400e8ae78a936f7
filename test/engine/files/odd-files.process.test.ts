import { spawnSync } from 'node:child_process'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../../../src/cli/process/watch.ts'
import { folderWith, root } from '../../support/afterwards.ts'
import { launch } from '../../support/as-process.ts'
import { edgesimHere, simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'

/** A folder with a pipe without a writer, and a link to an endless device. */
function oddFiles() {
  const folder = folderWith({ 'plain.json': {} })
  expect(spawnSync('mkfifo', [join(folder, 'pipe.json')]).status).toBe(0)
  symlinkSync('/dev/zero', join(folder, 'zero.json'))
  return folder
}

describe.skipIf(process.platform === 'win32')('A file that is a pipe or a device', () => {
  it.each([
    ['validate', 'FILE'],
    ['start', 'FILE'],
    ['start', '--scenario', 'FILE'],
    ['start', '--assume', 'FILE'],
    ['start', '--tls-cert', 'FILE', '--tls-key', 'FILE'],
    ['start', '--db', 'FILE'],
    ['probe', 'sweep', 'FILE'],
  ])('is not read: edgesim %s %s %s %s', async (...args) => {
    const cwd = oddFiles()
    for (const file of ['pipe.json', 'zero.json']) {
      const given = args.filter(arg => typeof arg === 'string').map(arg => (arg === 'FILE' ? file : arg))
      const { code, out, err } = await edgesimHere(given, { cwd, env: { EDGESIM_API_KEY: 'key' } })
      expect({ code, out }, err).toMatchObject({ code: expect.toBeOneOf([1, 2]), out: '' })
      // Before it reads a database, edgesim locks it. Only root can write next to the device.
      const isDenied = args.includes('--db') && file === 'zero.json' && process.getuid!() !== 0
      expect(err, file).toMatch(isDenied ? /permission denied in \/dev\./ : /it is not a regular file/)
    }
  })

  it('is not read by a request that names it', async () => {
    const { call } = await simulate({ fixturesDir: oddFiles() })
    const named = async (fixture: string) => (await call('PUT', `/_sim/sandboxes/of-${fixture}`, { fixture })).body
    expect(await named('pipe')).toMatchObject({
      status_code: 400,
      msg: expect.stringMatching(/it is not a regular file/),
    })
    // A link to a file outside the folder.
    expect(await named('zero')).toMatchObject({ status_code: 404 })
  })

  it('is not read by --watch', () => {
    const folder = oddFiles()
    const watched = join(folder, 'plain.json')
    const hasChanged = changesOf(watched)
    for (const odd of ['pipe.json', 'zero.json']) {
      renameSync(join(folder, odd), watched)
      expect(hasChanged(), odd).toBe(false)
    }
  })
})

it.runIf(ALL)('Stdin that never ends is read up to a limit', async () => {
  const { child, ended } = launch(['validate', '-'], { cwd: root })
  child.stdin.on('error', () => {})
  const more = () => {
    while (child.stdin.writable && child.stdin.write(Buffer.alloc(1024 * 1024))) {}
  }
  child.stdin.on('drain', more)
  more()
  expect(await ended).toMatchObject({ code: 2, err: expect.stringMatching(/it is larger than 128 MB/) })
})

it('A file over the size limit is not read', async () => {
  const cwd = folderWith()
  writeFileSync(join(cwd, 'cert.pem'), Buffer.alloc(1024 * 1024 + 1))
  const { code, err } = await edgesimHere(['--tls-cert', 'cert.pem', '--tls-key', 'cert.pem'], { cwd })
  expect(err).toMatch(/it is larger than 1 MB/)
  expect(code).not.toBe(0)
})
