import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toTest } from '../../../src/dashboard/snippets/javascript.ts'
import { sendableOf } from '../../../src/dashboard/snippets/sendable.ts'
import type { SandboxToken } from '../../../src/dashboard/state/simulator.ts'
import type { ListedEntry } from '../../../src/dashboard/types.ts'
import { joinToken } from '../../../src/engine/token.ts'
import { writeFiles } from '../../support/afterwards.ts'
import { launch, program, projectWith, startEdgesim } from '../../support/as-process.ts'
import { PATIENT } from '../../support/long.ts'

const folder = await projectWith(['vitest'])
const vitest = (files: string[], env: Record<string, string> = {}, cwd = folder) =>
  launch(['run', ...PATIENT, ...files, '--no-color'], {
    command: program(folder, 'vitest/vitest.mjs'),
    cwd,
    env,
  }).ended

const CALL = `
  const call = (sandbox, path, init = {}) => fetch(sandbox.url + path, {
    ...init,
    headers: { authorization: 'Bearer ' + sandbox.token, 'service-version': '2', 'content-type': 'application/json' },
  })`

/** Two runs wait for each other's requests to the default sandbox. */
const BESIDE = `
  let met = 0
  const untilBoth = async edgesim => {
    met += 2
    await call(edgesim, '/api_keys')
    while ((await edgesim.default.requests()).length < met) await new Promise(resolve => setTimeout(resolve, 10))
  }`

writeFiles(folder, {
  'apart.test.js': `
    import { expect } from 'vitest'
    import { test } from 'edgesim/vitest'
    ${CALL}
    const seen = []
    for (const name of ['one', 'two', 'two']) test.concurrent(name, async ({ sandbox }) => {
      seen.push(sandbox.name)
      expect((await call(sandbox, '/api_keys', { method: 'POST', body: '{}' })).status).toBe(201)
      const { keys } = await (await call(sandbox, '/api_keys')).json()
      expect(keys).toHaveLength(process.env.EDGESIM_URL ? 4 : 2)
      await expect(sandbox).toHaveReceived({ operation: 'create_api_key', count: 1 })
    })
    test('each had its own', ({ edgesim }) => {
      expect(new Set(seen).size).toBe(3)
      console.log('served by ' + edgesim.url)
    })`,
  'beside.test.js': `
    import { expect } from 'vitest'
    import { test } from 'edgesim/vitest'
    ${CALL}
    ${BESIDE}
    test('keeps what it made while another run does the same', async ({ sandbox, edgesim }) => {
      const { id } = await (await call(sandbox, '/api_keys', { method: 'POST', body: '{}' })).json()
      await untilBoth(edgesim)
      expect((await call(sandbox, '/api_keys/' + id)).status).toBe(200)
      await untilBoth(edgesim)
    }, 60_000)`,
  'fails.test.js': `
    import { expect } from 'vitest'
    import { test } from 'edgesim/vitest'
    ${CALL}
    test('passes', async ({ sandbox }) => { await call(sandbox, '/api_keys/ak_admin') })
    test('fails', async ({ sandbox }) => {
      await call(sandbox, '/api_keys')
      const { status } = await call(sandbox, '/api_keys', { method: 'POST', body: '{"descripton":"x"}' })
      expect(status).toBe(201)
    })
    test('fails with a hard-coded token', async ({ sandbox, edgesim }) => {
      await call({ url: sandbox.url, token: 'my_token' }, '/api_keys')
      await call({ url: sandbox.url, token: 'wrong' }, '/api_keys')
      await call({ url: sandbox.url, token: 'my_token' }, '/api_keys')
      expect(await sandbox.requests()).toHaveLength(3)
    })
    test('fails in a browser', async ({ sandbox }) => {
      const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' }
      expect((await fetch(sandbox.url + '/api_keys', { method: 'OPTIONS', headers })).status).toBe(204)
    })`,
  'repeats.test.js': `
    import { describe, expect } from 'vitest'
    import { test } from 'edgesim/vitest'
    ${CALL}
    describe('A group', () => {
      for (const title of ['The first test!', 'Another: with ünicode']) test(title, async ({ sandbox }) => {
        const { id } = await (await call(sandbox, '/api_keys', { method: 'POST', body: '{}' })).json()
        console.log('drew ' + sandbox.name + ' ' + id)
        expect(sandbox.token).toBe('my_token~' + sandbox.name)
      })
    })`,
  'seeded/vitest.config.js': `export default { test: { provide: { edgesimOptions: { seed: 5, fixture: 'fixture.json' } } } }`,
  'configured/edgesim.config.json': '{ "fixture": "own", "fixturesDir": ".." }',
  'configured/own.test.js': `
    import { test } from 'edgesim/vitest'
    test('prints', ({ sandbox }) => console.log('token ' + sandbox.token.split('~')[0]))`,
  'reset.yaml': 'rules: [{ name: "a reset", when: { method: DELETE }, fault: { type: reset } }]',
  'own.json':
    '{ "users": [{ "id": "usr_me" }], "api_keys": [{ "id": "ak_own", "owner_id": "usr_me", "token": "own" }] }',
  'fixture.json':
    '{ "users": [{ "id": "usr_me", "admin": true }], "api_keys": [{ "id": "ak_mine", "token": "my_token" }] }',
})

describe.concurrent('edgesim/vitest', () => {
  it('cleans up the simulator at EDGESIM_URL, even during another run', async () => {
    const { ready } = await startEdgesim()
    const run = () => vitest(['apart.test.js', 'beside.test.js'], { EDGESIM_URL: ready.url })
    for (const { code, out, err } of await Promise.all([run(), run()])) {
      expect(code, out + err).toBe(0)
      expect(out).toContain(`served by ${ready.url}`)
    }
    const { sandboxes } = await (await fetch(`${ready.url}/_sim/sandboxes`)).json()
    expect(sandboxes).toMatchObject([{ name: 'default', requests: 4 }])
  })

  it('tells edgesim exec which tests failed', async () => {
    const command = [...program(folder, 'vitest/vitest.mjs'), 'run', ...PATIENT, 'fails.test.js', '--no-color']
    const { err } = await launch(['exec', '--', ...command], { cwd: folder }).ended
    expect(err).toMatch(
      /\nedgesim: 5 requests failed:\nsandbox fails-\w+ \(failed test\):\n {2}400 POST \/api_keys {2}.*\nsandbox default:\n/,
    )
  })

  it('sends the configured fixture to the simulator at EDGESIM_URL', async () => {
    const { ready } = await startEdgesim()
    const { out } = await vitest(['own.test.js'], { EDGESIM_URL: ready.url }, join(folder, 'configured'))
    expect(out).toContain('token own')
  })

  it('runs the tests that the dashboard generates from requests', async () => {
    const { ready, call } = await startEdgesim(['--scenario', join(folder, 'reset.yaml')])
    await call('POST', '/api_keys', { description: 'it\'s "quoted" `é` \\ \n\u2028' })
    await call('GET', '/api_keys', undefined, { token: 'sim_member~other' })
    await call('GET', `/api_keys/ak_\${x}`, undefined, { token: 'sim_admin~other' })
    await call('PATCH', '/api_keys/ak_ci', undefined, { token: null, raw: 'no JSON' })
    await call('DELETE', '/api_keys/ak_ci').catch(() => {})
    for (const name of ['default', 'other']) {
      const { tokens: all, token: own } = (await call('GET', `/_sim/sandboxes/${name}`)).body
      const tokens = all.map((each: SandboxToken) => ({ ...each, token: joinToken({ secret: each.token, name }) }))
      const { requests } = (await call('GET', `/_sim/sandboxes/${name}/requests`)).body
      requests.forEach((entry: ListedEntry, i: number) => {
        const sendable = sendableOf(entry, tokens)!
        const code = toTest(sendable, { ...entry, body: entry.response?.body }, own)

        writeFiles(folder, { [`generated/${name}-${i}.test.js`]: code })
      })
    }
    const { code, out, err } = await vitest(['generated'], { EDGESIM_URL: ready.url })
    expect(code, out + err).toBe(0)
    expect(out).toMatch(/Tests +5 passed/)
  })

  it('names sandboxes after tests, repeats random values, and prints the requests of a failed test', async () => {
    const run = async (...files: string[]) => {
      const { code, out, err } = await vitest([...files, '--config', 'seeded/vitest.config.js', '--root', '.'])
      return { code, printed: out + err, drawn: out.match(/drew .*/g) }
    }
    const { code, printed, drawn } = await run('repeats.test.js', 'apart.test.js', 'fails.test.js')
    expect(code).toBe(1)
    expect(printed).toMatch(/3 failed \| 7 passed/)
    expect(printed).toMatch(/served by http:\/\/127\.0\.0\.1:\d+/)
    expect(printed).toMatch(
      /edgesim: Requests of this test \(sandbox [\w-]+\):\n {2}200 GET \/api_keys\n {2}400 POST \/api_keys {2}.*descripton/,
    )
    expect(printed).toMatch(
      /edgesim: No requests reached the sandbox .*\. Rejected before they reached a sandbox, newest last:\n.*, http:\/\/localhost:5173\..*\n.* cors: \['ORIGIN'\]/,
    )
    expect(printed).toMatch(
      /edgesim: No requests reached the sandbox fails-with-a-hard-coded-token-\w+\. In the meantime, 3 requests reached the sandbox default, 2 with the token my_token, 1 without a valid token\. Does the client use sandbox\.token\?/,
    )
    expect(printed).not.toContain('ak_admin')
    expect(drawn).toEqual([
      expect.stringMatching(/^drew the-first-test-[0-9a-f]{10} ak_\w{27}$/),
      expect.stringMatching(/^drew another-with-nicode-[0-9a-f]{10} ak_\w{27}$/),
    ])
    expect(await run('repeats.test.js')).toMatchObject({ code: 0, drawn })
  })
})
