import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { sandboxesOf } from './sandbox.ts'

const clock = '2026-05-06T07:08:09Z'
const simulated = await simulate({ clock })
const { url } = simulated
const sandbox = sandboxesOf(simulated, 'access')

describe.each([
  ['bot user', '/bot_users', 'bot', 'bots'],
  ['service user', '/service_users', 'service', 'service_users'],
])('A %s', (_, path, prefix, table) => {
  it('is created, read, listed, changed and deleted', async () => {
    const { send, create } = sandbox()
    const item = await create(path, { name: 'builds' })
    const id = expect.stringMatching(new RegExp(`^${prefix}_\\w{27}$`))
    expect(item).toEqual({ id, uri: `${url}${path}/${item.id}`, created_at: clock, name: 'builds', active: true })
    const changed = { ...item, name: 'releases', active: false }
    const own = `${path}/${item.id}`
    expect((await send('PATCH', own, { name: 'releases', active: false })).body).toEqual(changed)
    expect((await send('PATCH', own, { name: '' })).body).toEqual(changed)
    expect((await send('GET', own)).body).toEqual(changed)
    expect((await send('GET', `${path}?limit=1`)).body[path.slice(1)]).toEqual([changed])
    expect((await send('DELETE', own)).status).toBe(204)
    expectError(await send('GET', own), 404, '')
  })

  it('has keys that work while it is active', async () => {
    const { as, send, create } = sandbox()
    const owner = await create(path, { name: 'builds' })
    const own = `${path}/${owner.id}`
    const key = await create('/api_keys', { owner_id: owner.id })
    expect((await as(key.token)('GET', '/api_keys')).status).toBe(200)
    await send('PATCH', own, { active: false })
    const { msg } = expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
    expect(msg).toContain(`${key.id} belongs to ${owner.id}, which is not active`)
    expect(msg).toContain(`PATCH ${own}`)
    await send('PATCH', own, { active: true })
    expect((await as(key.token)('GET', '/api_keys')).status).toBe(200)
  })

  it('is deleted together with its keys and credentials, in one change', async () => {
    const { as, send, sim, create } = sandbox()
    const owner = await create(path, { name: 'builds' })
    const key = await create('/api_keys', { owner_id: owner.id })
    const credential = await create('/credentials', { owner_id: owner.id })
    expect((await send('DELETE', `${path}/${owner.id}`)).status).toBe(204)
    const { change } = (await sim('GET', '/requests')).body.requests[0]
    const gone = [key.id, credential.id, owner.id]
    expect(change.ops.map((op: { id: string; after: null }) => [op.id, op.after])).toEqual(gone.map(id => [id, null]))
    expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
  })

  it('is managed by admins and readable by all users', async () => {
    const { as, create } = sandbox()
    const { id } = await create(path, { name: 'builds' })
    const member = as('sim_member')
    expect((await member('GET', `${path}/${id}`)).status).toBe(200)
    expectError(await member('PATCH', `${path}/${id}`, { active: false }), 403, 4111)
    expectError(await member('DELETE', `${path}/${id}`), 403, 4111)
    expect(expectError(await member('POST', path, { name: 'x' }), 403, 4111).msg).toContain('usr_member')
  })

  it('can be an admin or have no name only in a fixture', async () => {
    const { as, send, sim } = sandbox()
    await send('GET', path)
    const { body: state } = await sim('GET', '/state')
    state[table].push({ id: `${prefix}_root`, admin: true })
    state.api_keys.push({ id: 'ak_root', owner_id: `${prefix}_root`, token: 'root' })
    expect((await sim('PUT', '/state', state)).status).toBe(204)
    expect((await as('root')('POST', '/api_keys', { owner_id: 'usr_member' })).status).toBe(201)
    const { body } = await send('PATCH', `${path}/${prefix}_root`, { name: 'root' })
    expect(body).not.toHaveProperty('admin')
    expect((await as('root')('POST', '/api_keys', { owner_id: 'usr_member' })).status).toBe(201)
    expectError(await send('POST', path, { name: 'x', admin: true }), 400, 214)
  })
})

describe('A credential', () => {
  it('returns its token once, and its rules always', async () => {
    const { send, create } = sandbox()
    const item = await create('/credentials', { description: 'agent' })
    const shown = { id: item.id, uri: `${url}/credentials/${item.id}`, created_at: clock, description: 'agent' }
    const token = expect.stringMatching(/^\w{27}_\w{21}~access-\d+$/)
    expect(item).toEqual({ ...shown, owner_id: 'usr_admin', acl: [], token })
    const path = `/credentials/${item.id}`
    const { body } = await send('PATCH', path, { acl: ['*'] })
    expect(body).toEqual({ ...shown, owner_id: 'usr_admin', acl: ['*'], token: null })
    expect((await send('GET', path)).body).toEqual(body)
  })

  it('has a token that is not an API key', async () => {
    const { as, sim, create } = sandbox()
    const { id, token } = await create('/credentials', {})
    expect(expectError(await as(token)('GET', '/credentials'), 401, 206).msg).toContain(id)
    const { body } = await sim('POST', '/db/credentials', { id: 'cr_plain', owner_id: 'usr_admin', token: 'sim_ci' })
    expect(body.msg).toContain('ak_ci already has that token')
  })

  it('in a fixture is not suggested as a token for the API', async () => {
    const credentials = [{ id: 'cr_only', token: 'agent' }] as const
    const simulator = await simulate({ fixture: { users: [{ id: 'usr_admin', admin: true }], credentials } })
    expect(simulator.token).toBe('sim_admin')
    const info = await simulator.call('GET', '/_sim/info')
    expect(info.text).not.toContain('"agent"')
    expect((await simulator.call('GET', '/credentials/cr_only')).body.owner_id).toBe('usr_admin')
    expectError(await simulator.as('agent~new')('GET', '/credentials'), 401, 203)
  })

  it('follows the assumptions on other owners and on empty updates', async () => {
    const { as, sim, send } = sandbox()
    await send('GET', '/credentials')
    await sim('PUT', '/scenario', { assume: { other_owners_keys: 'forbid', empty_update: 'accept' } })
    expectError(await as('sim_member')('GET', '/credentials/cr_deploy'), 403, 403)
    const { credentials } = (await as('sim_member')('GET', '/credentials')).body
    expect(credentials.map(({ id }: { id: string }) => id)).toEqual(['cr_laptop'])
    expect((await send('PATCH', '/credentials/cr_laptop', {})).status).toBe(200)
  })
})

describe('A vault', () => {
  it('shows who created and updated it, and when', async () => {
    const { as, send, sim, create } = sandbox()
    const item = await create('/vaults', { name: 'a/b.c_d-1', description: 'x' })
    expect(item).toEqual({
      ...{ id: item.id, uri: `${url}/vaults/${item.id}`, created_at: clock, updated_at: clock },
      ...{ name: 'a/b.c_d-1', description: 'x', created_by: 'usr_admin', last_updated_by: 'usr_admin' },
    })
    expect((await sim('PUT', '/clock', { advance: '1h' })).status).toBe(200)
    expect((await send('PATCH', `/vaults/${item.id}`, { description: 'x' })).body).toEqual(item)
    const { body } = await as('sim_member')('PATCH', `/vaults/${item.id}`, { description: 'y' })
    const updated_at = '2026-05-06T08:08:09Z'
    expect(body).toEqual({ ...item, description: 'y', updated_at, last_updated_by: 'usr_member' })
  })

  it('lists its secrets, and can be deleted only when empty', async () => {
    const { send, create } = sandbox()
    const vault = await create('/vaults', { name: 'mine' })
    const own = `/vaults/${vault.id}`
    const none = { secrets: [], uri: `${url}${own}/secrets`, next_page_uri: null }
    expect((await send('GET', `${own}/secrets`)).body).toEqual(none)
    const ids: string[] = []
    for (const name of ['one', 'two'])
      ids.push((await create('/vault_secrets', { vault_id: vault.id, name, value: 'v' })).id)
    const first = (await send('GET', `${own}/secrets?limit=1`)).body
    const second = (await send('GET', first.next_page_uri.slice(url.length))).body
    expect([first.secrets[0].id, second.secrets[0].id, second.next_page_uri]).toEqual([ids[1], ids[0], null])
    expect(expectError(await send('DELETE', own), 400, 23003).msg).toContain(ids.join(', '))
    for (const id of ids) expect((await send('DELETE', `/vault_secrets/${id}`)).status).toBe(204)
    expect((await send('DELETE', own)).status).toBe(204)
    expectError(await send('GET', `${own}/secrets`), 404, '')
  })
})

describe('A secret', () => {
  it('is returned without its value, with references to its vault and users', async () => {
    const { as, send, sim, create } = sandbox()
    const item = await create('/vault_secrets', { vault_id: 'vault_empty', name: 'key', value: 'first' })
    const admin = { id: 'usr_admin', uri: '' }
    expect(item).toEqual({
      ...{ id: item.id, uri: `${url}/vault_secrets/${item.id}`, created_at: clock, updated_at: clock, name: 'key' },
      ...{ created_by: admin, last_updated_by: admin, vault_name: 'empty' },
      vault: { id: 'vault_empty', uri: `${url}/vaults/vault_empty` },
    })
    expect((await sim('PUT', '/clock', { advance: '1h' })).status).toBe(200)
    const path = `/vault_secrets/${item.id}`
    expect((await as('sim_ci')('PATCH', path, { value: 'first' })).body).toEqual(item)
    const { body } = await as('sim_ci')('PATCH', path, { value: 'second' })
    const bot = { id: 'bot_ci', uri: `${url}/bot_users/bot_ci` }
    expect(body).toEqual({ ...item, updated_at: '2026-05-06T08:08:09Z', last_updated_by: bot })
    const { msg } = expectError(await send('PATCH', path, { vault_id: 'vault_production' }), 400, 214)
    expect(msg).toContain('cannot be changed')
  })
})
