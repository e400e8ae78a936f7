import { expect, it } from 'vitest'
import { startServer } from '../client.ts'

const server = await startServer()
const clock = { now: '2026-01-01T00:00:00Z', frozen: true }
const under = (more: Record<string, unknown> = {}) =>
  server.under({ name: 'test', clock, rules: [{ name: 'lag', ...more, fault: { type: 'stale-reads', delay: '2s' } }] })

it('The fault stale-reads shows the state of some time ago on the clock of the sandbox', async () => {
  const client = await under()
  await client.advance('1h')
  const made = await client.send('POST', '/api_keys', { body: { description: 'new' } })
  expect(made.status).toBe(201)
  const path = `/api_keys/${made.body.id}`
  expect((await client.send('GET', path)).status).toBe(404)
  expect((await client.send('GET', '/api_keys')).body.keys).toHaveLength(3)
  await client.advance('1999ms')
  expect((await client.send('GET', path)).status).toBe(404)
  await client.advance('1ms')
  expect((await client.send('GET', path)).body.description).toBe('new')
  expect((await client.send('GET', '/api_keys')).body.keys).toHaveLength(4)
})

it('The fault stale-reads shows the state before updates and deletes', async () => {
  const client = await under()
  await client.advance('1h')
  await client.send('PATCH', '/api_keys/ak_ci', { body: { description: 'changed' } })
  await client.advance('1s')
  expect((await client.send('DELETE', '/api_keys/ak_ci')).status).toBe(204)
  const seen = async () => {
    const { status, body } = await client.send('GET', '/api_keys/ak_ci')
    return [status, body.description]
  }
  expect(await seen()).toEqual([200, undefined])
  await client.advance('1s')
  expect(await seen()).toEqual([200, 'changed'])
  await client.advance('1s')
  expect((await seen())[0]).toBe(404)
})

it('The fault stale-reads does not affect writes', async () => {
  const client = await under()
  await client.advance('1h')
  await client.send('DELETE', '/api_keys/ak_ci')
  expect((await client.send('PATCH', '/api_keys/ak_ci', { body: { description: 'x' } })).status).toBe(404)
  // A token is checked against the present, too.
  expect((await client.send('GET', '/api_keys', { token: client.token.replace('admin', 'ci') })).status).toBe(401)
  expect(await client.counts()).toEqual([[2, 0]])
})

it('The fault stale-reads mentions a frozen clock in its explanation', async () => {
  const client = await under({ when: { operation: 'list_api_keys' } })
  await client.send('GET', '/api_keys')
  const { explanation } = await client.entry()
  expect(explanation!.text).toMatch(/"lag" of the scenario "test": reads see the state of 2s ago/)
  expect(explanation!.text).toMatch(/clock stands at 2026-01-01T00:00:00Z/)
})
