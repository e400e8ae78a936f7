import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, launch, root } from '../support/cli.ts'

const isWindows = process.platform === 'win32'
const npm = [isWindows ? 'npm.cmd' : 'npm']
const npx = [isWindows ? 'npx.cmd' : 'npx']
const QUIET = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']

async function run(command: string[], args: string[], cwd: string) {
  const { code, out, err } = await launch(args, { command, cwd }).ended
  expect(code, err).toBe(0)
  return out
}

describe('The package', async () => {
  const folder = folderWith()
  await run(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const tarball = join(folder, readdirSync(folder)[0]!)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await run(npm, ['install', ...QUIET, tarball], folder)
  const installed = join(folder, 'node_modules/edgesim')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))

  it('is at most 1.5 MB', () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(1.5 * 1024 * 1024)
  })

  it('brings no other package with it and runs nothing when installed', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual(['edgesim'])
    for (const kind of ['dependencies', 'optionalDependencies']) expect(manifest[kind] ?? {}).toEqual({})
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts ?? {}).not.toHaveProperty(script)
  })

  it('holds what its users need, and not its sources', () => {
    for (const path of ['bin/edgesim.js', 'dist/cli.js', 'fixtures/default.json', 'fixtures/fixture.schema.json'])
      expect(existsSync(join(installed, path)), path).toBe(true)
    for (const path of ['src', 'test', 'scripts', 'node_modules'])
      expect(existsSync(join(installed, path)), path).toBe(false)
  })

  it('exports only files it has', () => {
    const targets = Object.values<string | { default: string }>(manifest.exports)
    for (const target of targets.map(each => (typeof each === 'string' ? each : each.default)))
      expect(existsSync(join(installed, target)), target).toBe(true)
  })

  it('serves a fixture of one’s own through npx', async () => {
    const users = [{ id: 'usr_me', admin: true }]
    writeFileSync(
      join(folder, 'my-fixture.json'),
      JSON.stringify({ users, api_keys: [{ id: 'ak_mine', token: 'my_token' }] }),
    )
    const { until, ended } = launch(['edgesim', 'my-fixture.json', '--port', '0', '--log', 'json'], {
      command: npx,
      cwd: folder,
    })
    const ready = JSON.parse((await until(/\n/)).split('\n')[0]!)
    try {
      const headers = { authorization: 'Bearer my_token', 'service-version': '2', connection: 'close' }
      const answer = await fetch(`${ready.url}/api_keys`, { headers })
      expect((await answer.json()).keys).toMatchObject([{ id: 'ak_mine', owner_id: 'usr_me' }])
    } finally {
      process.kill(ready.pid, 'SIGTERM')
    }
    expect((await ended).code).toBe(0)
  })

  it('can be imported', async () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { startSimulator } from 'edgesim'
       const simulator = await startSimulator({ fixture: { users: [{ id: 'usr_me' }] } })
       console.log((await fetch(simulator.url + '/_sim/health')).status, simulator.token)
       await simulator.close()`,
    )
    expect(await run([process.execPath], ['use.mjs'], folder)).toBe('200 sim_admin\n')
  })
})
