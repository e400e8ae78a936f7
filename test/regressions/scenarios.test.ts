import { describe, expect, it } from 'vitest'
import { startServer } from '../scenarios/client.ts'
import { eventually } from '../support/eventually.ts'

describe('stale-reads', () => {
  const rules = [{ when: { method: 'GET' }, fault: { type: 'stale-reads', delay: '1h' } }]
  const clock = { now: '2030-01-01T00:00:00Z', frozen: true }

  it.each([
    ['the journal is emptied', (client: Client) => client.control('DELETE', '/requests')],
    [
      'the journal has forgotten the writes',
      async (client: Client) => {
        for (let i = 0; i < 1_001; i++) await client.send('GET', '/ip_restrictions')
      },
    ],
  ])('sees the old state also when %s', async (_, forget) => {
    const server = await startServer()
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

  it('says how far back it could look', async () => {
    const server = await startServer()
    const client = await server.under({ clock })
    await client.control('PUT', '/clock', { advance: '2h' })
    // Changes are forgotten in bunches.
    for (let i = 0; i < 300; i++) await client.send('POST', '/api_keys')
    await client.control('DELETE', '/requests')
    await client.send('POST', '/api_keys')
    await client.control('PUT', '/scenario', { rules })
    await client.send('GET', '/api_keys')
    const { warnings } = await client.entry()
    expect(warnings).toEqual([
      expect.stringMatching(/^The state of 1h ago is no longer known; this read saw that of 20/),
    ])
  })
})

const listed = async (client: Client): Promise<unknown[]> =>
  (await client.send('GET', '/api_keys')).body.keys.map(({ description }: { description?: string }) => description)

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof startServer>>['under']>>

it('A request keeps the assumptions it began with, whatever scenario comes while it waits', async () => {
  const server = await startServer()
  const client = await server.under({ rules: [{ latency: '1s' }], assume: { unknown_field: 'ignore' } })
  const waiting = client.send('POST', '/api_keys', { body: { colour: 'red' } })
  await eventually(async () => (await client.control('GET', '/scenario')).body.rules[0].fired === 1)
  await client.control('PUT', '/scenario', { assume: { unknown_field: 'reject' } })
  expect((await waiting).status).toBe(201)
  expect((await client.send('POST', '/api_keys', { body: { colour: 'red' } })).status).toBe(400)
})

describe('The seed', () => {
  it('of a sandbox stays its own under a scenario that has none, also beside the flag’s', async () => {
    const draw = async (scenario?: object) => {
      const server = await startServer({ seed: 'flag', clock: '2030-01-01T00:00:00Z' })
      await server.control('PUT', '/sandboxes/own', { seed: 7 })
      if (scenario) await server.control('PUT', '/sandboxes/own/scenario', scenario)
      return (await server.send('POST', '/api_keys', { token: 'sim_admin~own' })).body.id
    }
    const plain = await draw()
    expect(await draw({ rules: [{ latency: '1ms' }] })).toBe(plain)
    expect(await draw({ seed: 8 })).toBe(plain)
  })

  it('of a scenario goes with it', async () => {
    const server = await startServer()
    const first = async (client: Client) => (await client.send('POST', '/api_keys')).body.id
    const ended = async () => {
      const client = await server.under({ seed: 7, rules: [{ latency: '1ms' }] })
      await client.control('DELETE', '/scenario')
      return first(client)
    }
    expect(await ended()).not.toBe(await ended())
  })
})
