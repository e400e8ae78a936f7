import { Agent } from 'node:http'
import { expect, it } from 'vitest'
import { startServer } from '../client.ts'

const server = await startServer()
const under = (fault: Record<string, unknown>, { underRules } = server) =>
  underRules({ name: 'refused', when: { method: 'POST' }, fault: { type: 'error', ...fault } })

it('The fault error answers instead of carrying the call out', async () => {
  const client = await under({ status: 503, code: 3004, msg: 'Try again later.', retry_after: '1500ms' })
  const before = await client.keys()
  const seen = await client.send('POST', '/api_keys', { body: { description: 'never' } })
  expect(seen).toMatchObject({
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '2' },
    body: { error_code: 'ERR_SERVICE_3004', status_code: 503, msg: 'Try again later.' },
  })
  const { operation_id } = seen.body.details
  expect(seen.headers['edgesim-operation-id']).toBe(operation_id)
  expect(await client.keys()).toEqual(before)
  expect((await client.control('GET', `/requests/${operation_id}`)).body).toMatchObject({
    status: 503,
    change: null,
    request: { body: { description: 'never' } },
    response: { body: { error_code: 'ERR_SERVICE_3004' } },
    explanation: { decided_by: 'rule', text: expect.stringMatching(/"refused" of the scenario "test": error 503/) },
  })
})

it('The fault error has a code of our own, with the status, if none is given', async () => {
  const client = await under({ status: 500 }, await startServer({ vendor: 'acme' }))
  const seen = await client.send('POST', '/api_keys', { headers: { 'acme-version': '2' } })
  expect(seen.body).toMatchObject({ error_code: 'ERR_EDGESIM_500', status_code: 500 })
  expect(seen.body.msg.length).toBeGreaterThan(20)
  expect(seen.headers).not.toHaveProperty('retry-after')
})

it('The fault error with status 401 has WWW-Authenticate', async () => {
  const client = await under({ status: 401, code: 203 })
  expect((await client.send('POST', '/api_keys')).headers['www-authenticate']).toBe('Bearer')
})

it('The fault error does not hide a body that is too large, and ignores one that is not JSON', async () => {
  const client = await under({ status: 503 })
  const large = await client.send('POST', '/api_keys', { body: { metadata: 'x'.repeat(70_000) } })
  expect(large.status).toBe(413)
  const headers = { 'content-type': 'text/plain' }
  const other = await client.send('POST', '/api_keys', { body: 'no object', headers })
  expect(other.status).toBe(503)
  const entry = await client.control('GET', `/requests/${other.body.details.operation_id}`)
  expect(entry.body.request.body).toBe('"no object"')
})

it('The fault error keeps the connection, whatever the body', async () => {
  const client = await under({ status: 500 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const metadata of ['small', 'x'.repeat(60_000)])
    expect((await client.send('POST', '/api_keys', { agent, body: { metadata } })).status).toBe(500)
  expect((await client.send('GET', '/api_keys', { agent })).status).toBe(200)
  agent.destroy()
})
