import { describe, expect, it } from 'vitest'
import { writeFiles } from '../../support/afterwards.ts'
import { launch, program, projectWith } from '../../support/as-process.ts'
import { LONG_MS, PATIENT } from '../../support/long.ts'
import { nginx } from './proxies.ts'
import { CONTROL_TOKEN, simulatorAt, startShared } from './shared.ts'

/** A test suite for a separate simulator. Each test prints the process that served it. */
const SUITE = `
  import { expect } from 'vitest'
  import { test } from 'edgesim/vitest'
  for (let i = 0; i < 24; i++) test.concurrent('test ' + i, async ({ sandbox }) => {
    await sandbox.snapshot('clean')
    const headers = { authorization: 'Bearer ' + sandbox.token, 'service-version': '2' }
    const response = await fetch(sandbox.url + '/api_keys', { method: 'POST', headers })
    expect(response.status).toBe(201)
    console.log('in process ' + response.headers.get('edgesim-instance'))
    await sandbox.verify({ operation: 'create_api_key', count: 1 })
    expect((await sandbox.state()).api_keys).toHaveLength(4)
    await sandbox.restore('clean')
    expect((await sandbox.state()).api_keys).toHaveLength(3)
  })`

describe.skipIf(!nginx)('A test suite with a shared simulator', { timeout: LONG_MS }, () => {
  it('passes unchanged', async () => {
    const { url, processes } = await startShared()
    const cwd = await projectWith(['vitest'])
    writeFiles(cwd, { 'keys.test.js': SUITE })
    const env = { EDGESIM_URL: url, EDGESIM_CONTROL_TOKEN: CONTROL_TOKEN }
    const command = program(cwd, 'vitest/vitest.mjs')
    const { code, out, err } = await launch(['run', '--no-color', ...PATIENT], { command, cwd, env }).ended
    expect(code, out + err).toBe(0)
    const simulators = await Promise.all([...processes().keys()].map(simulatorAt))
    const used = new Set([...out.matchAll(/in process (\w+)/g)].map(([, instance]) => instance))
    expect([...used].sort()).toEqual(simulators.map(({ instance }) => instance).sort())
    for (const { sandboxes } of simulators) expect(sandboxes).toMatchObject([{ name: 'default', requests: 0 }])
  })
})
