import { describe, expect, it } from 'vitest'
import { startServer } from './client.ts'

const refuse = (status: number) => ({ rules: [{ name: `${status}`, fault: { type: 'error', status } }] })
const server = await startServer()
const status = async (client: { send: typeof server.send }) => (await client.send('GET', '/api_keys')).status

describe('Activating a scenario', () => {
  it('shows it with the counts of its rules', async () => {
    const client = await server.under({
      name: 'mine',
      description: 'Of my own.',
      seed: 5,
      assume: { page_order: 'oldest_first' },
      rules: [{ when: { operation: 'list_api_keys', calls: '2-' }, latency: '1ms' }],
    })
    for (let i = 0; i < 3; i++) await client.send('GET', '/api_keys')
    expect((await client.control('GET', '/scenario')).body).toEqual({
      name: 'mine',
      description: 'Of my own.',
      seed: '5',
      seed_source: 'scenario',
      assume: { page_order: 'oldest_first' },
      rules: [
        { name: 'rule 1', when: { operation: 'list_api_keys', calls: '2-' }, latency: '1ms', matched: 3, fired: 2 },
      ],
    })
  })

  it('replaces the previous scenario and resets the counts', async () => {
    const client = await server.under(refuse(500))
    expect([await status(client), await status(client)]).toEqual([500, 500])
    await client.control('PUT', '/scenario', refuse(503))
    expect(await client.counts()).toEqual([[0, 0]])
    expect(await status(client)).toBe(503)
    await client.control('PUT', '/scenario', refuse(503))
    expect(await client.counts()).toEqual([[0, 0]])
  })

  it('affects only one sandbox', async () => {
    const [one, other] = [await server.under(refuse(500)), await server.under('rate-limited')]
    expect([await status(one), await status(other), await status(server.default)]).toEqual([500, 200, 200])
    await other.control('PUT', '/scenario', refuse(503))
    expect([await status(one), await status(other), await status(server.default)]).toEqual([500, 503, 200])
    expect(await one.counts()).toEqual([[2, 2]])
    expect((await server.default.control('GET', '/scenario')).body).toMatchObject({ name: null, rules: [] })
  })

  it('changes nothing if it is rejected', async () => {
    const client = await server.under(refuse(500))
    await status(client)
    const wrong = { ...refuse(503), state: { api_keys: [{ id: 'nope' }] } }
    expect((await client.control('PUT', '/scenario', wrong)).status).toBe(400)
    expect(await client.counts()).toEqual([[1, 1]])
    expect(await status(client)).toBe(500)
  })

  it('changes assumptions until it ends', async () => {
    const client = await server.under({ assume: { missing_version: 'accept', unknown_field: 'ignore' } })
    const bare = { headers: { 'service-version': '3' } }
    expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).status).toBe(201)
    expect((await client.send('GET', '/api_keys', bare)).status).toBe(400)
    await client.control('PUT', '/scenario', { assume: { wrong_version: 'accept' } })
    expect((await client.send('GET', '/api_keys', bare)).status).toBe(200)
    expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).status).toBe(400)
  })

  it('sets the clock until a scenario without a clock', async () => {
    const client = await server.under({ clock: { now: '2030-05-05T05:05:05Z', frozen: true } })
    const clock = async () => (await client.control('GET', '/clock')).body
    expect(await clock()).toEqual({ now: '2030-05-05T05:05:05.000Z', frozen: true, real: false })
    expect((await client.send('POST', '/api_keys')).body.created_at).toBe('2030-05-05T05:05:05Z')
    await client.control('PUT', '/scenario', { clock: { now: '2031-01-01T00:00:00Z' } })
    expect(await clock()).toMatchObject({ now: expect.stringMatching(/^2031-01-01T00:00:/), frozen: false })
    await client.control('PUT', '/scenario', refuse(500))
    expect(await clock()).toMatchObject({ frozen: false, real: true })
  })

  it('does not change a clock that was set manually', async () => {
    const client = await server.under(refuse(500))
    await client.control('PUT', '/clock', { now: '2030-01-01T00:00:00Z', frozen: true })
    await client.control('PUT', '/scenario', refuse(503))
    const { body } = await client.control('GET', '/clock')
    expect(body).toMatchObject({ now: '2030-01-01T00:00:00.000Z', frozen: true })
  })

  it('seeds ids and tokens', async () => {
    const made = async () =>
      (await (await server.under({ seed: 9 }, { name: 'seeded' })).send('POST', '/api_keys')).body
    const first = await made()
    await server.control('DELETE', '/sandboxes/seeded')
    const { created_at: _, ...rest } = await made()
    expect(first).toMatchObject(rest)
  })
})

describe('Ending a scenario', () => {
  it('removes its rules and assumptions and releases the clock, but preserves the state', async () => {
    const client = await server.under({
      name: 'mine',
      state: { api_keys: [{ id: 'ak_extra', description: 'extra' }] },
      clock: { now: '2030-01-01T00:00:00Z', frozen: true },
      assume: { unknown_field: 'ignore' },
      ...refuse(500),
    })
    expect(await status(client)).toBe(500)
    expect((await client.control('DELETE', '/scenario')).status).toBe(204)
    expect(await status(client)).toBe(200)
    expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).status).toBe(400)
    expect(await client.keys()).toContain('extra')
    expect((await client.control('GET', '/clock')).body).toMatchObject({ real: true, frozen: false })
    expect((await client.control('GET', '/scenario')).body).toMatchObject({ name: null, rules: [] })
    expect((await client.control('DELETE', '/scenario')).status).toBe(204)
  })
})

describe('A reset', () => {
  it('returns to the launch scenario, its state and its clock, with all counts at zero', async () => {
    const launch = await startServer({
      scenario: {
        name: 'launch',
        clock: { now: '2026-01-01T00:00:00Z', frozen: true },
        state: { api_keys: [{ id: 'ak_extra' }] },
        assume: { unknown_field: 'ignore' },
        rules: [{ when: { method: 'GET', calls: '3-' }, fault: { type: 'error', status: 503 } }],
      },
    })
    const client = launch.default
    for (const expected of [200, 200, 503]) expect(await status(client)).toBe(expected)
    await client.send('DELETE', '/api_keys/ak_extra')
    await client.control('PUT', '/scenario', refuse(500))
    await client.advance('1h')
    await client.control('POST', '/reset')
    expect((await client.control('GET', '/scenario')).body).toMatchObject({ name: 'launch' })
    expect(await client.counts()).toEqual([[0, 0]])
    expect(await client.keys()).toHaveLength(4)
    expect((await client.control('GET', '/clock')).body.now).toBe('2026-01-01T00:00:00.000Z')
    expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).status).toBe(201)
    for (const expected of [200, 200, 503]) expect(await status(client)).toBe(expected)
  })

  it('restores the launch scenario after it was ended', async () => {
    const client = await server.under(refuse(500))
    await client.control('DELETE', '/scenario')
    expect(await status(client)).toBe(200)
    await client.control('POST', '/reset')
    expect(await status(client)).toBe(500)
  })

  it('removes a scenario other than the launch scenario', async () => {
    const { body } = await server.control('POST', '/sandboxes', {})
    const client = server.clientOf(body.name, body.token)
    await client.control('PUT', '/scenario', refuse(500))
    await client.control('POST', '/reset')
    expect(await status(client)).toBe(200)
  })
})

describe('A command line option', () => {
  const flags = { seed: 'flag', clock: '2026-06-06T06:06:06Z', assume: { page_order: 'oldest_first' } } as const
  const scenario = {
    name: 'mine',
    seed: 'scenario',
    clock: { now: '2030-01-01T00:00:00Z', frozen: true },
    assume: { page_order: 'newest_first', unknown_field: 'ignore' },
    rules: [{ latency: '1ms' }],
  }

  it('overrides the scenario, and the scenario overrides the defaults', async () => {
    const launch = await startServer({ ...flags, scenario })
    const later = await startServer(flags)
    await later.default.control('PUT', '/scenario', scenario)
    for (const { default: client } of [launch, later]) {
      expect((await client.control('GET', '/clock')).body.now).toBe('2026-06-06T06:06:06.000Z')
      expect((await client.control('GET', '/scenario')).body.seed).toBe('flag')
      expect((await client.send('GET', '/api_keys')).body.keys[0].id).toBe('ak_admin')
      expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).status).toBe(201)
    }
    const [one, other] = [await launch.default.send('POST', '/api_keys'), await later.default.send('POST', '/api_keys')]
    expect(one.body.token).toBe(other.body.token)
  })

  it('remains active when the scenario ends, and does not change an advanced clock', async () => {
    const { default: client } = await startServer(flags)
    await client.advance('1h')
    await client.control('PUT', '/scenario', scenario)
    expect((await client.control('GET', '/clock')).body.now).toBe('2026-06-06T07:06:06.000Z')
    await client.control('DELETE', '/scenario')
    expect((await client.send('GET', '/api_keys')).body.keys[0].id).toBe('ak_admin')
    expect((await client.control('GET', '/clock')).body).toMatchObject({ frozen: true })
  })

  it('is overridden by the seed that a sandbox was created with', async () => {
    const launch = await startServer(flags)
    const client = await launch.under(scenario, { seed: 'own' })
    expect((await client.control('GET', '/scenario')).body.seed).toBe('own')
  })
})
