import { describe, expect, it } from 'vitest'
import { writeFiles } from '../../support/afterwards.ts'
import { launch, program, projectWith } from '../../support/as-process.ts'
import { LONG, LONG_MS, PATIENT } from '../../support/long.ts'
import { nginx } from './proxies.ts'
import { CONTROL_TOKEN, simulatorAt, startShared } from './shared.ts'

const HEADERS = `{ authorization: 'Bearer ' + sandbox.token, 'service-version': '2' }`

/** Test suites for a separate simulator. Each test prints the process that served it. */
const SUITES = {
  vitest: {
    packages: ['vitest'],
    command: ['vitest/vitest.mjs', 'run', '--no-color', ...PATIENT],
    file: 'keys.test.js',
    text: `
      import { expect } from 'vitest'
      import { test } from 'edgesim/vitest'
      for (let i = 0; i < 24; i++) test.concurrent('test ' + i, async ({ sandbox }) => {
        await sandbox.snapshot('clean')
        const response = await fetch(sandbox.url + '/api_keys', { method: 'POST', headers: ${HEADERS} })
        expect(response.status).toBe(201)
        console.log('in process ' + response.headers.get('edgesim-instance'))
        await sandbox.verify({ operation: 'create_api_key', count: 1 })
        expect((await sandbox.state()).api_keys).toHaveLength(4)
        await sandbox.restore('clean')
        expect((await sandbox.state()).api_keys).toHaveLength(3)
      })`,
  },
  playwright: {
    packages: ['@playwright/test'],
    command: ['@playwright/test/cli.js', 'test', '--workers', '2', '--reporter', 'line', '--timeout', '300000'],
    file: 'keys.spec.js',
    text: `
      import { expect } from '@playwright/test'
      import { test } from 'edgesim/playwright'
      for (let i = 0; i < 24; i++) test('test ' + i, async ({ request, sandbox }) => {
        const response = await request.post(sandbox.url + '/api_keys', { headers: ${HEADERS} })
        expect(response.status()).toBe(201)
        console.log('in process ' + response.headers()['edgesim-instance'])
        await sandbox.verify({ operation: 'create_api_key', count: 1 })
      })`,
  },
}

describe.skipIf(!nginx)('A test suite with a shared simulator', { timeout: LONG_MS }, () => {
  it.each(LONG ? (['vitest', 'playwright'] as const) : (['vitest'] as const))('passes unchanged: %s', async runner => {
    const { packages, command, file, text } = SUITES[runner]
    const { url, processes } = await startShared()
    const folder = await projectWith(packages)
    writeFiles(folder, { [file]: text })
    const [script, ...args] = command
    const env = { EDGESIM_URL: url, EDGESIM_CONTROL_TOKEN: CONTROL_TOKEN }
    const { code, out, err } = await launch(args, { command: program(folder, script!), cwd: folder, env }).ended
    expect(code, out + err).toBe(0)
    const simulators = await Promise.all([...processes().keys()].map(simulatorAt))
    const used = new Set([...out.matchAll(/in process (\w+)/g)].map(([, instance]) => instance))
    expect([...used].sort()).toEqual(simulators.map(({ instance }) => instance).sort())
    for (const { sandboxes } of simulators) expect(sandboxes).toMatchObject([{ name: 'default', requests: 0 }])
  })
})
