import { describe, expect, it } from 'vitest'
import { writeFiles } from '../../support/afterwards.ts'
import { launch, program, projectWith, startEdgesim } from '../../support/as-process.ts'
import { LONG } from '../../support/long.ts'

const folder = await projectWith(['@playwright/test'])
const playwright = (files: string[], env: Record<string, string> = {}, results = files[0]) =>
  launch(['test', ...files, '--reporter', 'line', '--output', `results-${results}`], {
    command: program(folder, '@playwright/test/cli.js'),
    cwd: folder,
    env,
  }).ended

const CALL = `
  import { expect, test } from 'edgesim/playwright'
  const call = (request, sandbox, method, path, data) => request.fetch(sandbox.url + path, {
    method, data, headers: { authorization: 'Bearer ' + sandbox.token, 'service-version': '2' },
  })`

writeFiles(folder, {
  'apart.spec.js': `
    ${CALL}
    for (const name of ['one', 'two']) test(name, async ({ request, sandbox, edgesim }) => {
      expect((await call(request, sandbox, 'POST', '/api_keys', {})).status()).toBe(201)
      expect((await (await call(request, sandbox, 'GET', '/api_keys')).json()).keys).toHaveLength(4)
      await expect(sandbox).toHaveReceived({ operation: 'create_api_key', count: 1 })
      await expect(sandbox).not.toHaveReceived({ operation: 'delete_api_key' })
      console.log('served by ' + edgesim.url)
    })
    let met = 0
    /** Two runs wait for each other, by what both have asked of the default sandbox. */
    const untilBoth = async (request, edgesim) => {
      met += ${LONG ? 2 : 1}
      await call(request, edgesim, 'GET', '/api_keys')
      await expect.poll(async () => (await edgesim.default.requests()).length >= met, { timeout: 120_000 }).toBe(true)
    }
    test('keeps what it made while another run does the same', async ({ request, sandbox, edgesim }) => {
      test.setTimeout(300_000)
      const { id } = await (await call(request, sandbox, 'POST', '/api_keys', {})).json()
      await untilBoth(request, edgesim)
      expect((await call(request, sandbox, 'GET', '/api_keys/' + id)).status()).toBe(200)
      await untilBoth(request, edgesim)
    })`,
  'fails.spec.js': `
    ${CALL}
    test('fails', async ({ request, sandbox }) => {
      await call(request, sandbox, 'DELETE', '/api_keys/ak_nobody')
      await expect(sandbox).toHaveReceived({ operation: 'get_api_key' })
    })
    // Playwright starts a new worker after each failure, so npm test tries this with vitest only.
    if (${LONG}) test('fails in a browser', async ({ request, sandbox }) => {
      const headers = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }
      expect((await request.get(sandbox.url + '/api_keys', { headers })).status()).toBe(200)
    })
    test('is expected to fail', async ({ request, sandbox }) => {
      test.fail()
      expect((await call(request, sandbox, 'GET', '/api_keys/ak_somebody')).status()).toBe(200)
    })`,
  'options.spec.js': `
    ${CALL}
    test.use({ edgesimOptions: { fixture: 'empty' } })
    test('own fixture', async ({ request, sandbox }) => {
      expect((await (await call(request, sandbox, 'GET', '/api_keys')).json()).keys).toHaveLength(1)
    })`,
})

describe.concurrent('edgesim/playwright', () => {
  // npm test covers two runs with one simulator in vitest, which shares this code.
  it.skipIf(!LONG)('gives every test its own sandbox at EDGESIM_URL, even during another run', async () => {
    const { ready } = await startEdgesim()
    const run = (results: string) => playwright(['apart.spec.js'], { EDGESIM_URL: ready.url }, results)
    for (const { code, out, err } of await Promise.all(['one', 'other'].map(run))) {
      expect(code, out + err).toBe(0)
      expect(out).toContain(`served by ${ready.url}`)
    }
    const { sandboxes } = await (await fetch(`${ready.url}/_sim/sandboxes`)).json()
    expect(sandboxes).toMatchObject([{ name: 'default', requests: 4 }])
  })

  it('starts a simulator per worker, and prints the requests of a failed test', async () => {
    const { code, out, err } = await playwright([
      'fails.spec.js',
      'options.spec.js',
      ...(LONG ? [] : ['apart.spec.js']),
    ])
    expect(code).toBe(1)
    const printed = out + err
    expect(printed).toMatch(LONG ? /2 failed\n(.*fails.*\n){2} +2 passed/ : /1 failed\n.*fails.*\n +5 passed/)
    expect(printed).toMatch(
      /Closest:\s+DELETE \/api_keys\/ak_nobody \(op_\w+\): operation must be "get_api_key", got "delete_api_key"/,
    )
    expect(printed).toMatch(/Requests of this test \(sandbox [\w-]+\):\n {2}404 DELETE \/api_keys\/ak_nobody {2}\S.*/)
    if (LONG)
      expect(printed).toMatch(
        /No requests reached the sandbox .*\. Rejected before they reached a sandbox, newest last:\n.*, http:\/\/localhost:5173 .*\n.* cors: \['ORIGIN'\]/,
      )
    expect(printed).toContain('attachment #1: edgesim requests (text/plain)')
    expect(printed).not.toContain('ak_somebody')
  })
})
