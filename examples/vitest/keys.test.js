import { expect, test } from 'edgesim/vitest'

/** The code under test: any client of the API, pointed at an address with a token. */
const createKey = ({ url, token }, description) =>
  fetch(`${url}/api_keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'service-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  })

test('creates a key', async ({ sandbox }) => {
  const answer = await createKey(sandbox, 'created by a test')
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ description: 'created by a test', owner_id: 'usr_admin' })
  const where = { 'body.description': 'created by a test' }
  await expect(sandbox).toHaveReceived({ operation: 'create_api_key', where, count: 1 })
})

test('is told when to try again', async ({ sandbox }) => {
  await sandbox.useScenario({
    rules: [{ when: { calls: '1' }, fault: { type: 'error', status: 503, retry_after: '2s' } }],
  })
  const refused = await createKey(sandbox, 'first try')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await createKey(sandbox, 'second try')).status).toBe(201)
})
