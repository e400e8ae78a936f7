import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/index.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { BINARY, launch, startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0 && spawnSync('sh', ['-c', ':']).status === 0

describe.concurrent('edgesim start', () => {
  it('prints the address, the fixture, the tokens, and a curl command for the shell', async () => {
    const out = await launch(['start', '--port', '0', '--vendor', 'ngrok']).until(/curl .*\n/)
    expect(out).toMatch(/^edgesim listens on (http:\/\/127\.0\.0\.1:\d+)$/m)
    expect(out).toMatch(/^fixture: default$/m)
    expect(out).toMatch(/^tokens: sim_admin \(usr_admin, admin\), sim_member \(usr_member\), sim_ci \(bot_ci\)$/m)
    const command = /curl -H "Authorization: ([^"]+)" -H "Ngrok-Version: ([^"]+)" "([^"]+)"/
    const [, authorization, version, url] = command.exec(out)!
    const response = await fetch(url!, { headers: { authorization: authorization!, 'ngrok-version': version! } })
    expect((await response.json()).keys).toHaveLength(3)
    if (!hasCurl) return
    const line = /^ *(curl .*)$/m.exec(out)![1]!
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, NO_PROXY: '*' } })
    expect(JSON.parse(stdout).keys).toHaveLength(3)
  })

  it.skipIf(!ALL || BINARY)('responds to the health check without loading the control plane', async () => {
    const chunks = join(root, 'dist/program')
    const isControl = (name: string) => readFileSync(join(chunks, name), 'utf8').includes('Server-sent events')
    const [control] = readdirSync(chunks).filter(name => name.endsWith('.cjs') && isControl(name))
    const { ready, stop } = await startEdgesim([], { env: { NODE_DEBUG: 'module' } })
    expect((await fetch(`${ready.url}/_sim/health`)).status).toBe(200)
    const { err } = await stop()
    expect(err).toContain('dist/program/start-')
    expect(err).not.toContain(control)
  })

  it('prints a ready line, then JSON lines, with --log json', async () => {
    const { ready, child, call, until } = await startEdgesim()
    expect(ready).toMatchObject({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      token: 'sim_admin',
      tokens: ['sim_admin', 'sim_member', 'sim_ci'],
      fixture: 'default',
      pid: child.pid,
    })
    expect(ready).not.toHaveProperty('other_urls')
    expect((await call('GET', '/api_keys/ak_admin')).status).toBe(200)
    const line = (await until(/"event":"request".*\n/)).split('\n')[1]!
    expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/api_keys/ak_admin', status: 200 })
  })

  it.runIf(ALL)('prints nothing with --log silent', async () => {
    const folder = folderWith({ 'mine.json': '{}' })
    const { child, ended } = launch(['mine.json', '--port', '0', '--log', 'silent', '--db', 'db.json'], { cwd: folder })
    for await (const { filename } of watch(folder)) if (filename === 'db.json') break
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, out: '', err: '' })
  })

  it.runIf(ALL)('adds an admin to a fixture without a usable key, and reports it', async () => {
    const folder = folderWith({ 'mine.json': { ip_policies: [{ id: 'ipp_one' }] } })
    const { ready, call, until } = await startEdgesim(['mine.json'], { cwd: folder })
    expect(ready.token).toBe('sim_admin')
    expect((await call('GET', '/api_keys')).status).toBe(200)
    const [, notice] = (await until(/"event":"notice".*\n/)).split('\n')
    expect(JSON.parse(notice!).msg).toMatch(/No API key in the fixture has a token\. .*usr_admin.*sim_admin/)
  })

  it.each([
    ['a remote address', '192.0.2.1', /^192\.0\.2\.1 is not an address of this machine/],
    // Too long for a DNS lookup.
    ['an invalid name', `${'a'.repeat(64)}.invalid`, /^Unknown host a{64}\.invalid/],
  ])('reports that it cannot listen on %s', async (_, host, message) => {
    await expect(startSimulator({ host, controlToken: 'secret' })).rejects.toThrow(message)
  })

  it('reads a configuration file, including the fixture', async () => {
    const config = { fixture: 'mine.yaml', vendor: 'ngrok' }
    const yaml = 'users: [{ id: usr_me, admin: true }]\napi_keys:\n  - { id: ak_me, token: mine }\n'
    const { ready } = await startEdgesim([], { cwd: folderWith({ 'edgesim.config.json': config, 'mine.yaml': yaml }) })
    expect(ready).toMatchObject({ token: 'mine', vendor: 'ngrok', fixture: 'mine.yaml' })
  })
})
