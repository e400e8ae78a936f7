import { expect, test } from 'edgesim/playwright'

const headers = ({ token }) => ({ authorization: `Bearer ${token}`, 'service-version': '2' })

test('a deleted key is gone', async ({ request, sandbox }) => {
  const created = await request.post(`${sandbox.url}/api_keys`, {
    headers: headers(sandbox),
    data: { description: 'short-lived' },
  })
  const { uri } = await created.json()
  await request.delete(uri, { headers: headers(sandbox) })
  expect((await request.get(uri, { headers: headers(sandbox) })).status()).toBe(404)
})

test('a test sees only what it made itself', async ({ request, sandbox }) => {
  const answer = await request.get(`${sandbox.url}/api_keys`, { headers: headers(sandbox) })
  expect((await answer.json()).keys).toHaveLength(1)
})
