import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { tableIn } from '../support/tables.ts'

interface Cases {
  rejected: [what: string, body: object, status: number, says: string][]
  below: [method: string, path: string][]
}
const cases: Cases = tableIn(import.meta.url, 'sandboxes.yaml')

const fixturesDir = folderWith({
  'one-key.json': {
    users: [{ id: 'usr_owner', name: 'Owner', admin: true }],
    api_keys: [{ id: 'ak_own', owner_id: 'usr_owner', token: 'own_token' }],
  },
  'broken.json': { api_keys: [{ id: 'ak_broken', owner_id: 'usr_nobody', token: 'broken' }] },
})
const { call, as, url, token } = await simulate({ fixturesDir })

const keysOf = async (sandbox: string) => {
  const { body } = await call('GET', `/_sim/sandboxes/${sandbox}/state`)
  return body.api_keys.map(({ id }: { id: string }) => id)
}
const names = async () => {
  const { body } = await call('GET', '/_sim/sandboxes')
  return body.sandboxes.map(({ name }: { name: string }) => name)
}

describe('Sandboxes over HTTP', () => {
  it('are created by POST, with a URL and a token', async () => {
    const created = await call('POST', '/_sim/sandboxes', { name: 'by-post' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ name: 'by-post', url, token: `${token}~by-post` })
    const { headers } = await as(created.body.token)('GET', '/api_keys')
    const entry = await call('GET', `/_sim/sandboxes/by-post/requests/${headers.get('edgesim-operation-id')}`)
    expect(entry.body).toMatchObject({ sandbox: 'by-post', operation: 'list_api_keys', status: 200 })
  })

  it('are created by PUT, and reset by it if they exist', async () => {
    const first = await call('PUT', '/_sim/sandboxes/by-put')
    expect(first.status).toBe(201)
    await as(first.body.token)('POST', '/api_keys')
    expect(await keysOf('by-put')).toHaveLength(4)
    const second = await call('PUT', '/_sim/sandboxes/by-put', {})
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(await keysOf('by-put')).toHaveLength(3)
    expect((await call('GET', '/_sim/sandboxes/by-put/requests')).body.requests).toEqual([])
  })

  it('get a random name by default', async () => {
    const made = await Promise.all([1, 2, 3].map(() => call('POST', '/_sim/sandboxes')))
    const given = made.map(({ body }) => body.name)
    expect(new Set(given).size).toBe(3)
    for (const name of given) expect(name).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}$/)
    expect((await as(made[0]!.body.token)('GET', '/api_keys')).status).toBe(200)
  })

  it('are created from a fixture by its name, and reset to it', async () => {
    const { body } = await call('POST', '/_sim/sandboxes', { name: 'named-fixture', fixture: 'one-key' })
    expect(body.token).toBe('own_token~named-fixture')
    expectError(await as(`${token}~named-fixture`)('GET', '/api_keys'), 401, 203)
    await as(body.token)('POST', '/api_keys')
    expect((await call('POST', '/_sim/sandboxes/named-fixture/reset')).status).toBe(204)
    expect(await keysOf('named-fixture')).toEqual(['ak_own'])
  })

  it('are created again by a PUT with another fixture', async () => {
    await call('PUT', '/_sim/sandboxes/changing')
    const { status, body } = await call('PUT', '/_sim/sandboxes/changing', { fixture: 'one-key' })
    expect({ status, token: body.token }).toEqual({ status: 200, token: 'own_token~changing' })
    expect(await keysOf('changing')).toEqual(['ak_own'])
  })

  it('derive their ids from their seed', async () => {
    const draw = async (name: string, seed: string | number) => {
      const { body } = await call('PUT', `/_sim/sandboxes/${name}`, { seed })
      const key = await as(body.token)('POST', '/api_keys')
      return [key.body.id, key.body.token, key.headers.get('edgesim-operation-id')]
    }
    const drawn = await draw('seeded', 7)
    expect(await draw('seeded', 7)).toEqual(drawn)
    expect(await draw('seeded', '7')).toEqual(drawn)
    const all = [...drawn, ...(await draw('seeded', 8)), ...(await draw('seeded-too', 7))]
    // A token contains the id of its key and the name of its sandbox.
    expect(new Set(all.map(value => value.split('_')[1].split('~')[0])).size).toBe(9)
  })

  it('are listed with their tokens, requests, errors, changes and creation times', async () => {
    const before = Date.now()
    const { body } = await call('POST', '/_sim/sandboxes', { name: 'listed' })
    const after = Date.now()
    // The creation time is real.
    await call('PUT', '/_sim/sandboxes/listed/clock', { now: '2030-01-01T00:00:00Z' })
    await as(body.token)('POST', '/api_keys')
    await as(body.token)('GET', '/api_keys/ak_none')
    const { body: list } = await call('GET', '/_sim/sandboxes')
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(list.sandboxes).toContainEqual({ ...body, requests: 2, errors: 1, seq: 1, created_at, failed: false })
    const time = Date.parse((await call('GET', '/_sim/sandboxes/listed')).body.created_at)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(after)
    expect(list.sandboxes).toContainEqual(expect.objectContaining({ name: 'default', token }))
  })

  it('count the errors and missing responses in their journal', async () => {
    const at = '/_sim/sandboxes/counting'
    const rules = [{ name: 'lost', when: { operation: 'list_ip_policies' }, fault: { type: 'reset' } }]
    const { body } = await call('PUT', at, { scenario: { rules } })
    const errors = async () => (await call('GET', at)).body.errors
    const send = as(body.token)
    await send('GET', '/api_keys')
    expect(await errors()).toBe(0)
    await send('GET', '/api_keys/ak_none')
    await expect(send('GET', '/ip_policies')).rejects.toThrow()
    expect(await errors()).toBe(2)
    await call('DELETE', `${at}/requests`)
    expect(await errors()).toBe(0)
    await send('GET', '/api_keys/ak_none')
    const { created_at } = (await call('GET', at)).body
    await call('PUT', at)
    expect((await call('GET', at)).body).toMatchObject({ requests: 0, errors: 0, created_at })
  })

  it('can be marked as failed until they are created again', async () => {
    const at = '/_sim/sandboxes/marked'
    await call('PUT', at)
    expect((await call('PATCH', at, { failed: true })).body).toMatchObject({ name: 'marked', failed: true })
    expect((await call('GET', at)).body.failed).toBe(true)
    expectError(await call('PATCH', '/_sim/sandboxes/nobody', { failed: true }), 404, 404)
    expectError(await call('PATCH', at, { failed: 'yes' }), 400, 400)
    await call('PUT', at)
    expect((await call('GET', at)).body.failed).toBe(false)
  })

  it('are listed without a token if it is unknown', async () => {
    const { body } = await call('POST', '/_sim/sandboxes', { name: 'hashes-only' })
    await as(body.token)('POST', '/api_keys')
    for (const id of ['ak_admin', 'ak_member', 'ak_ci'])
      await call('DELETE', `/_sim/sandboxes/hashes-only/db/api_keys/${id}`)
    const { body: list } = await call('GET', '/_sim/sandboxes')
    expect(list.sandboxes).toContainEqual(expect.objectContaining({ name: 'hashes-only', token: null }))
  })

  it('do not exist after a drop, until a token of the initial fixture is used', async () => {
    const { body } = await call('PUT', '/_sim/sandboxes/phoenix', { fixture: 'one-key' })
    const { body: key } = await as(body.token)('POST', '/api_keys')
    expect(await names()).toContain('phoenix')
    expect((await call('DELETE', '/_sim/sandboxes/phoenix')).status).toBe(204)
    expectError(await call('GET', '/_sim/sandboxes/phoenix/state'), 404, 404)
    expectError(await call('DELETE', '/_sim/sandboxes/phoenix'), 404, 404)
    const refusal = expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
    expect(refusal.msg).toContain('Sandbox "phoenix" not found')
    expect(await names()).not.toContain('phoenix')
    expect((await as(`${token}~phoenix`)('GET', '/api_keys')).body.keys).toHaveLength(3)
    expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
  })

  it('are created once by simultaneous requests', async () => {
    const create = () => call('POST', '/_sim/sandboxes', { name: 'wanted', fixture: 'one-key' })
    const statuses = (await Promise.all(Array.from({ length: 20 }, create))).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(409)])
  })
})

describe('A sandbox is rejected', () => {
  it.each(cases.rejected)('%s', async (_, body, status, says) => {
    const before = await names()
    expect(expectError(await call('POST', '/_sim/sandboxes', body), status, status).msg).toMatch(new RegExp(says))
    expect(await names()).toEqual(before)
  })

  it('if default would be dropped', async () => {
    expect(expectError(await call('DELETE', '/_sim/sandboxes/default'), 409, 409).msg).toContain('POST /_sim/reset')
  })

  it('if a PUT has an invalid name, or a name in the body', async () => {
    expectError(await call('PUT', '/_sim/sandboxes/Nope'), 400, 400)
    expectError(await call('PUT', '/_sim/sandboxes/yep', { name: 'yep' }), 400, 400)
  })

  it('at the limit, by POST, PUT and token', async () => {
    const small = await simulate({ maxSandboxes: 3 })
    await small.call('PUT', '/_sim/sandboxes/one')
    await small.as('sim_admin~two')('GET', '/api_keys')
    const refused = [
      await small.call('PUT', '/_sim/sandboxes/three'),
      await small.call('POST', '/_sim/sandboxes', { fixture: 'empty' }),
      await small.as('sim_admin~three')('GET', '/api_keys'),
    ]
    for (const response of refused) expect(expectError(response, 503, 503).msg).toContain('--max-sandboxes')
    expect((await small.call('PUT', '/_sim/sandboxes/one')).status).toBe(200)
    await small.call('DELETE', '/_sim/sandboxes/one')
    expect((await small.call('PUT', '/_sim/sandboxes/three')).status).toBe(201)
  })
})

describe('A sandbox without requests', () => {
  it('shows the requests to the default sandbox since it was created or reset', async () => {
    const { call, as } = await simulate()
    const strays = async () => (await call('GET', '/_sim/sandboxes/mine')).body.default_requests
    await call('GET', '/api_keys')
    await call('PUT', '/_sim/sandboxes/mine')
    expect(await strays()).toEqual([])
    for (const token of ['sim_admin', 'sim_wrong', 'sim_admin']) await as(token)('GET', '/api_keys')
    await as('sim_admin~mine')('GET', '/api_keys')
    expect(await strays()).toEqual([
      { token: 'sim_admin', key_id: 'ak_admin', requests: 2 },
      { token: null, key_id: null, requests: 1 },
    ])
    await call('PUT', '/_sim/sandboxes/mine')
    expect(await strays()).toEqual([])
    expect((await call('GET', '/_sim/sandboxes/default')).body).not.toHaveProperty('default_requests')
  })
})

describe('Below /_sim/sandboxes/{name}', () => {
  const sandbox = '/_sim/sandboxes/below'

  it.each(cases.below)('%s %s acts on that sandbox', async (method, path) => {
    await call('PUT', sandbox)
    await call('PUT', `${sandbox}/snapshots/kept`)
    expect((await call(method, sandbox + path)).status).toBeLessThan(300)
    expectError(await call(method, `/_sim/sandboxes/nowhere${path}`), 404, 404)
  })

  it('an unknown name returns the known ones', async () => {
    await call('PUT', sandbox)
    const { msg } = expectError(await call('GET', '/_sim/sandboxes/bellow/state'), 404, 404)
    expect(msg).toMatch(/Sandbox "bellow" not found.*Did you mean below\?$/)
  })

  it('an action on one sandbox does not affect another', async () => {
    const [left, right] = ['/_sim/sandboxes/left', '/_sim/sandboxes/right']
    await call('PUT', left)
    await call('PUT', right)
    await as(`${token}~left`)('POST', '/api_keys')
    await call('PUT', `${left}/clock`, { now: '2030-01-01T00:00:00Z', frozen: true })
    await call('PUT', `${left}/snapshots/mine`)
    await call('DELETE', `${left}/db/ip_restrictions/ipx_dashboard`)
    const [state, clock, snapshots, requests] = await Promise.all(
      ['state', 'clock', 'snapshots', 'requests'].map(what => call('GET', `${right}/${what}`)),
    )
    expect(state!.body.api_keys).toHaveLength(3)
    expect(state!.body.ip_restrictions).toHaveLength(2)
    expect(clock!.body).toMatchObject({ frozen: false, real: true })
    expect(snapshots!.body).toEqual({ snapshots: [] })
    expect(requests!.body).toEqual({ requests: [] })
  })
})
