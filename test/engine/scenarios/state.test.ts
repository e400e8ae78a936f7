import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RuleSet } from '../../../src/engine/scenarios/rule-set.ts'
import { folderWith } from '../../support/afterwards.ts'
import { startServer } from './client.ts'

const fixture = {
  users: [{ id: 'usr_other', admin: true }],
  api_keys: [{ id: 'ak_other', owner_id: 'usr_other', token: 'other_token', description: 'Of the other fixture' }],
}
const server = await startServer({ fixturesDir: folderWith({ 'other.json': fixture }) })

describe('A scenario state', () => {
  it('is merged into the fixture: fields of an existing id are replaced, a new id is added', async () => {
    const client = await server.under({
      state: {
        users: [{ id: 'usr_new', name: 'New' }],
        api_keys: [
          { id: 'ak_member', description: 'Changed' },
          { id: 'ak_new', owner_id: 'usr_new', token: 'new_token', description: 'New' },
        ],
      },
    })
    const { keys } = (await client.send('GET', '/api_keys')).body
    const byId = Object.fromEntries(keys.map((key: { id: string }) => [key.id, key]))
    expect(Object.keys(byId).sort()).toEqual(['ak_admin', 'ak_ci', 'ak_member', 'ak_new'])
    expect(byId.ak_member).toMatchObject({
      description: 'Changed',
      owner_id: 'usr_member',
      created_at: '2026-01-02T09:00:00Z',
    })
    expect(byId.ak_new).toMatchObject({ description: 'New', owner_id: 'usr_new' })
    for (const token of ['sim_member', 'new_token'])
      expect((await client.send('GET', '/api_keys', { token: `${token}~${client.name}` })).status).toBe(200)
  })

  it('can replace the token of a key', async () => {
    const client = await server.under({ state: { api_keys: [{ id: 'ak_admin', token: 'rotated' }] } })
    expect(client.token).toBe(`rotated~${client.name}`)
    expect((await client.send('GET', '/api_keys')).status).toBe(200)
    expect((await client.send('GET', '/api_keys', { token: `sim_admin~${client.name}` })).status).toBe(401)
  })

  it('assigns keys without an owner to the first admin', async () => {
    const client = await server.under({ state: { api_keys: [{ id: 'ak_orphan' }] } })
    expect((await client.send('GET', '/api_keys/ak_orphan')).body.owner_id).toBe('usr_admin')
  })

  it('uses the scenario clock for records without a time', async () => {
    const clock = { now: '2028-08-08T08:08:08Z', frozen: true }
    const scenario = { clock, state: { api_keys: [{ id: 'ak_new' }] } }
    const [made, later] = [await server.under(scenario), await server.under('rate-limited')]
    await later.control('PUT', '/scenario', scenario)
    for (const client of [made, later])
      expect((await client.send('GET', '/api_keys/ak_new')).body.created_at).toBe('2028-08-08T08:08:08Z')
  })
})

describe('A scenario with a state, activated at run time,', () => {
  it('changes the current state in one change', async () => {
    const client = await server.under('rate-limited')
    const made = (await client.send('POST', '/api_keys', { body: { description: 'mine' } })).body
    await client.send('DELETE', '/api_keys/ak_ci')
    const state = { api_keys: [{ id: made.id, metadata: 'more' }, { id: 'ak_one' }, { id: 'ak_two' }] }
    await client.control('PUT', '/scenario', { name: 'later', state })
    const merged = (await client.send('GET', `/api_keys/${made.id}`)).body
    expect(merged).toMatchObject({ description: 'mine', metadata: 'more' })
    expect((await client.send('GET', '/api_keys/ak_ci')).status).toBe(404)
    expect(await client.keys()).toHaveLength(5)
    const sandboxes = (await server.control('GET', '/sandboxes')).body.sandboxes
    expect(sandboxes.find((each: { name: string }) => each.name === client.name).seq).toBe(3)
    expect((await client.send('GET', '/api_keys', { token: made.token })).status).toBe(200)
  })

  it('returns its new tokens', async () => {
    const client = await server.under('rate-limited')
    await client.control('PUT', '/scenario', { fixture: 'other' })
    const { token } = (await server.control('GET', `/sandboxes/${client.name}`)).body
    expect(token).toBe(`other_token~${client.name}`)
    await client.control('POST', '/reset')
    expect((await server.control('GET', `/sandboxes/${client.name}`)).body.token).toBe(client.token)
  })

  it('does not hold the state that it was merged into', async () => {
    const client = await server.under('rate-limited')
    await client.control('PUT', '/scenario', { state: { users: [{ id: 'usr_new' }] } })
    const { scenario } = server.sandboxes.get(client.name)!.rules as RuleSet
    expect(scenario.file.state).toBeDefined()
    expect(scenario.merged).toBeUndefined()
  })
})

/** A state that conflicts with a fixture without the policy. */
const restriction = { ip_restrictions: [{ id: 'ipx_new', type: 'agent', ip_policy_ids: ['ipp_office'] }] }

describe('A scenario state that conflicts with the current state', () => {
  it('is rejected with its locations, and nothing changes', async () => {
    const client = await server.under('rate-limited')
    await client.control('PUT', '/state', fixture)
    const before = (await client.control('GET', '/state')).body
    const refused = await client.control('PUT', '/scenario', { name: 'unfit', state: restriction })
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'ERR_EDGESIM_400' } })
    expect(refused.body.msg).toMatch(/^Invalid scenario: state\.ip_restrictions\[0\].*ipp_office not found/)
    expect((await client.control('GET', '/state')).body).toEqual(before)
  })

  it('is rejected for a sandbox with another fixture if it is in the launch scenario', async () => {
    const launch = await startServer({ scenario: { state: restriction } })
    const refused = await launch.control('POST', '/sandboxes', { name: 'other', fixture })
    expect(refused.body.msg).toMatch(
      /^Cannot apply the scenario's state: state\.ip_restrictions\[0\].*ipp_office not found/,
    )
    expect((await launch.control('GET', '/sandboxes/other')).status).toBe(404)
  })
})

it('A changed launch fixture has no effect if the launch scenario conflicts with it', async () => {
  const users = [{ id: 'usr_admin', admin: true }]
  const policy = { ip_policies: [{ id: 'ipp_office' }] }
  const file = join(folderWith({ 'fixture.json': { users, ...policy } }), 'fixture.json')
  const launch = await startServer({ fixture: file, scenario: { state: restriction } })
  const before = (await launch.control('GET', '/state')).body
  writeFileSync(file, JSON.stringify({ users }))
  await expect(launch.sandboxes.relaunch('fixture')).rejects.toThrow(/ipp_office not found/)
  for (const name of ['default', 'later']) {
    await launch.control('PUT', `/sandboxes/${name}`)
    expect((await launch.control('GET', `/sandboxes/${name}/state`)).body).toEqual(before)
  }
  writeFileSync(file, JSON.stringify({ users: [...users, { id: 'usr_new' }], ...policy }))
  await launch.sandboxes.relaunch('fixture')
  expect((await launch.control('GET', '/state')).body.users).toHaveLength(2)
})

describe('A scenario fixture', () => {
  it('replaces the launch fixture and its tokens', async () => {
    const client = await server.under({ fixture: 'other' })
    expect(client.token).toBe(`other_token~${client.name}`)
    expect(await client.keys()).toEqual(['Of the other fixture'])
    expect((await client.send('GET', '/api_keys')).status).toBe(200)
  })

  it('is merged with the scenario state', async () => {
    const state = { api_keys: [{ id: 'ak_other', metadata: 'more' }, { id: 'ak_new' }] }
    const client = await server.under({ fixture: 'other', state })
    expect(await client.keys()).toEqual([undefined, 'Of the other fixture'])
    expect((await client.send('GET', '/api_keys/ak_other')).body.metadata).toBe('more')
  })

  it('is also used at startup', async () => {
    const launch = await startServer({ scenario: { fixture: 'empty' } })
    expect(launch.token).toBe('sim_admin')
    expect((await launch.default.send('GET', '/api_keys')).body.keys).toHaveLength(1)
    expect((await launch.send('GET', '/api_keys', { token: 'sim_admin~fork' })).body.keys).toHaveLength(1)
  })
})
