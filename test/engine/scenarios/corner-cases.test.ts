import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/contract/journal-entry.ts'
import { ALL } from '../../support/long.ts'
import { bytesOf, forEach, pooledClient, type RawCall, talk } from '../../support/raw-http.ts'
import { type Client, startServer } from './client.ts'

const server = await startServer()

async function sendMany(times: number, call: RawCall) {
  const plain = pooledClient(server.port)
  await forEach(Array(times).keys(), 16, async () => void (await plain.send(call)))
  plain.close()
}

describe('stale-reads', () => {
  const rules = [{ when: { method: 'GET' }, fault: { type: 'stale-reads', delay: '1h' } }]
  const clock = { now: '2030-01-01T00:00:00Z', frozen: true }

  const ways: [string, (client: Client) => Promise<unknown>][] = [
    ['the journal is emptied', client => client.control('DELETE', '/requests')],
    [
      'the journal has dropped the writes',
      ({ token }) => sendMany(1_001, { method: 'DELETE', path: '/api_keys/ak_none', token }),
    ],
  ]
  it.each(ALL ? ways : ways.slice(0, 1))('shows the old state if %s', async (_, forget) => {
    const client = await server.under({ clock, rules })
    const old = await listed(client)
    await client.control('PUT', '/clock', { advance: '2h' })
    await client.send('POST', '/api_keys', { body: { description: 'one' } })
    await forget(client)
    await client.send('POST', '/api_keys', { body: { description: 'two' } })
    expect(await listed(client)).toEqual(old)
    await client.control('PUT', '/clock', { advance: '61m' })
    expect(await listed(client)).toHaveLength(old.length + 2)
  })

  it('reports how far back it could read', async () => {
    const client = await server.under({ clock })
    await client.control('PUT', '/clock', { advance: '2h' })
    // Old changes are dropped in batches.
    await sendMany(300, { method: 'POST', path: '/api_keys', token: client.token })
    await client.control('DELETE', '/requests')
    await client.send('POST', '/api_keys')
    await client.control('PUT', '/scenario', { rules })
    await client.send('GET', '/api_keys')
    const { warnings } = await client.entry()
    expect(warnings).toEqual([
      expect.stringMatching(/^The state from 1h ago is no longer stored\. It read the state at 20/),
    ])
  })
})

const listed = async (client: Client): Promise<unknown[]> =>
  (await client.send('GET', '/api_keys')).body.keys.map(({ description }: { description?: string }) => description)

it('A waiting request preserves its assumptions if the scenario changes', async () => {
  const client = await server.under({ rules: [{ latency: '1s' }], assume: { unknown_field: 'ignore' } })
  const waiting = client.send('POST', '/api_keys', { body: { colour: 'red' } })
  await expect.poll(client.counts).toEqual([[1, 1]])
  await client.control('PUT', '/scenario', { assume: { unknown_field: 'reject' } })
  expect((await waiting).status).toBe(201)
  expect((await client.send('POST', '/api_keys', { body: { colour: 'red' } })).status).toBe(400)
})

it.each([
  ['reset', { type: 'reset' }],
  ['lost-reply', { type: 'lost-reply' }],
  ['garbage', { type: 'garbage', what: 'http' }],
  ['truncate', { type: 'truncate' }],
  ['hang', { type: 'hang', for: '1ms' }],
])('A fault on the second of two pipelined requests waits for the first response: %s', async (_, fault) => {
  const client = await server.under({
    rules: [
      { when: { operation: 'list_api_keys' }, latency: '100ms' },
      { when: { operation: 'list_ip_restrictions' }, fault },
    ],
  })
  const request = (path: string) => bytesOf(server.port, { path, token: client.token }).toString()
  const both = request('/api_keys') + request('/ip_restrictions')
  const { said } = await talk(server.port, both, { end: false })
  expect(said).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"keys":\[[\s\S]*"next_page_uri":null\}/)
  const entries = (await client.control('GET', '/requests')).body.requests
  expect(entries.map(({ path, status }: JournalEntry) => [path, status])).toContainEqual(['/api_keys', 200])
})

it.each([
  { type: 'lost-reply' },
  { type: 'truncate' },
  { type: 'garbage' },
  { type: 'slow-body', bytes_per_second: 100_000 },
])('The effect of a fault on a rejected call is explained with the rejection, not as executed: %o', async fault => {
  const client = await server.under({ rules: [{ when: { method: 'POST' }, fault }] })
  await client.send('POST', '/api_keys', { body: { description: 7 } })
  const { explanation, rules, change } = await client.entry()
  expect({ change, fired: rules[0]!.fired }).toEqual({ change: null, fired: true })
  expect(`${explanation!.text} ${rules[0]!.effect}`).not.toContain('Executed')
  expect(explanation!.text).toMatch(/Rejected \(invalid_value\): "description" must be a string/)
})

it('A latency with after: true applies after the write, so the write remains if the client gives up', async () => {
  const latency = { min: '1h', max: '1h', after: true }
  const client = await server.under({ rules: [{ when: { method: 'POST' }, latency }] })
  const { error } = await client.leave('POST', '/api_keys', { body: { description: 'left behind' } })
  expect(error).toBe('ECONNRESET')
  expect(await client.keys()).toContain('left behind')
  const effect = expect.stringMatching(/latency before the response, but the client disconnected before that/)
  expect(await client.entry()).toMatchObject({ status: null, change: { seq: 1 }, rules: [{ fired: true, effect }] })
})

describe('The seed', () => {
  it('of a sandbox remains active under a scenario without a seed, even with --seed', async () => {
    const draw = async (scenario?: object) => {
      const { control, send } = await startServer({ seed: 'flag', clock: '2030-01-01T00:00:00Z' })
      await control('PUT', '/sandboxes/own', { seed: 7 })
      if (scenario) await control('PUT', '/sandboxes/own/scenario', scenario)
      return (await send('POST', '/api_keys', { token: 'sim_admin~own' })).body.id
    }
    const plain = await draw()
    expect(await draw({ rules: [{ latency: '1ms' }] })).toBe(plain)
    expect(await draw({ seed: 8 })).toBe(plain)
  })

  it('of a scenario ends with the scenario', async () => {
    const first = async (client: Client) => (await client.send('POST', '/api_keys')).body.id
    const ended = async () => {
      const client = await server.under({ seed: 7, rules: [{ latency: '1ms' }] })
      await client.control('DELETE', '/scenario')
      return first(client)
    }
    expect(await ended()).not.toBe(await ended())
  })
})
