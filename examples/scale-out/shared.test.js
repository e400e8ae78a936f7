import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { connect } from 'edgesim'

/** A real shared simulator runs all the time; suites get its address and control token from their environment. */
const controlToken = 'secret'
const shared = spawn(process.execPath, ['start.js', '--simulators', '2', '--port', '0'], {
  env: { ...process.env, EDGESIM_CONTROL_TOKEN: controlToken },
  stdio: ['ignore', 'pipe', 'inherit'],
})
after(async () => {
  shared.kill()
  await once(shared, 'exit')
})

async function addressOf({ stdout }) {
  for await (const line of createInterface(stdout)) {
    const url = /listens on (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('start.js ended before it printed its address')
}

test('sandboxes are spread over the simulators, and each stays where it is', async () => {
  const sim = await connect(await addressOf(shared), { controlToken })
  const instances = new Set()
  for (let i = 0; i < 20; i++) {
    const sandbox = await sim.sandbox(`team-${i}`)
    const headers = { authorization: `Bearer ${sandbox.token}`, 'service-version': '2' }
    const answer = await fetch(`${sandbox.url}/api_keys`, { headers })
    assert.equal(answer.status, 200)
    instances.add(answer.headers.get('edgesim-instance'))
    // The control plane of the sandbox is in the simulator that got its requests.
    await sandbox.verify({ operation: 'list_api_keys', count: 1 })
    await sandbox.drop()
  }
  assert.equal(instances.size, 2)
})
