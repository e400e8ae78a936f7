import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator } from 'edgesim'

const sim = await startSimulator({ clock: '2026-01-01T00:00:00Z', seed: 1 })
after(() => sim.close())

test('a key keeps the time it was made at', async () => {
  const sandbox = await sim.sandbox()
  const headers = {
    authorization: `Bearer ${sandbox.token}`,
    'service-version': '2',
    'content-type': 'application/json',
  }
  const created = await fetch(`${sandbox.url}/api_keys`, { method: 'POST', headers, body: '{"description":"first"}' })
  const key = await created.json()
  assert.equal(key.created_at, '2026-01-01T00:00:00Z')

  await sandbox.clock.advance('24h')
  const later = await fetch(key.uri, { method: 'PATCH', headers, body: '{"description":"renamed"}' })
  assert.deepEqual(await later.json(), { ...key, description: 'renamed', token: null })
})
