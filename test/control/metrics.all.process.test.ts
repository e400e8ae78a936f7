import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { program, projectWith, run, startEdgesim } from '../support/as-process.ts'

const SCRIPT = `
  import { startSimulator } from 'edgesim'
  const sims = [await startSimulator(), await startSimulator()]
  for (const { url } of sims) {
    const response = await fetch(url + '/_sim/metrics', { headers: { connection: 'close' } })
    const text = await response.text()
    console.log(response.status, /^nodejs_eventloop_lag_seconds /m.test(text))
  }
  for (const sim of sims) await sim.close()
`

it('The metrics code is in a separate chunk, and keeps no process alive', async () => {
  const project = await projectWith()
  const said = await run([process.execPath], ['--input-type=module', '-e', SCRIPT], project)
  expect(said).toBe('200 true\n200 true\n')

  const chunks = join(project, 'node_modules/edgesim/dist/program')
  const own = readdirSync(chunks).filter(name => /^metrics-.*\.cjs$/.test(name))
  expect(own).toHaveLength(1)
  rmSync(join(chunks, own[0]!))
  const { call, stop } = await startEdgesim([], { command: program(project, 'edgesim/bin/edgesim.js') })
  expect(await call('GET', '/api_keys')).toMatchObject({ status: 200 })
  expect(await call('GET', '/_sim/info')).toMatchObject({ status: 200 })
  expect(await call('GET', '/_sim/metrics')).toMatchObject({ status: 500 })
  await stop()
})
