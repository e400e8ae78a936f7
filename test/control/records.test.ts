import { beforeEach, describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { expectError, openEvents, operationOf } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { tableIn } from '../support/tables.ts'

interface Requests {
  queries: [query: string, ids: string[]][]
  groups: [path: string, ids: string[]][]
  missing: [path: string, says: string][]
  refusedQueries: [query: string, says: string][]
  refusedRecords: [method: string, path: string, body: unknown, says: string, status?: number][]
  acceptedAddresses: [table: string, record: object][]
}

const requests: Requests = tableIn(import.meta.url, 'records.yaml')
requests.refusedRecords.push(
  ['POST', 'users', { id: `usr_${'x'.repeat(65)}` }, 'id'],
  ['POST', 'api_keys', { description: 'é'.repeat(128) }, '255 bytes'],
)

const sim = await simulate()
beforeEach(async () => {
  await sim.call('POST', '/_sim/reset')
})

const db = (method: string, path: string, body?: unknown) => sim.call(method, `/_sim/db/${path}`, body)
const ids = async (path: string) => {
  const { status, body } = await db('GET', path)
  expect(status).toBe(200)
  return body.map(({ id }: { id: string }) => id)
}
const state = async () => (await sim.call('GET', '/_sim/state')).body

/** The write is rejected, and the state is unchanged. */
async function refused(method: string, path: string, body: unknown, says: string, status: number) {
  const before = await state()
  const seq = sim.sandboxes.default.seq
  expect(expectError(await db(method, path, body), status, status).msg).toMatch(new RegExp(says))
  expect(await state()).toEqual(before)
  expect(sim.sandboxes.default.seq).toBe(seq)
}

describe('Reading raw records', () => {
  it.each(requests.queries)('returns the records of api_keys%s', async (query, expected) => {
    expect(await ids(`api_keys${query}`)).toEqual(expected)
  })

  it('sorts records of the same second newest first by -created_at, like the API', async () => {
    const { body } = await sim.call('POST', '/_sim/sandboxes', {})
    const as = sim.as(body.token)
    await sim.call('PUT', `/_sim/sandboxes/${body.name}/clock`, { frozen: true })
    for (const description of ['b', 'a', 'b']) await as('POST', '/api_keys', { description })
    const listed = (await as('GET', '/api_keys')).body.keys.map(({ id }: { id: string }) => id)
    const sorted = async (by: string): Promise<string[]> => {
      const { body: rows } = await sim.call('GET', `/_sim/sandboxes/${body.name}/db/api_keys?_sort=${by}`)
      return rows.map(({ id }: { id: string }) => id)
    }
    expect(await sorted('-created_at')).toEqual(listed)
    expect(await sorted('created_at')).toEqual(listed.toReversed())
    const [third, second, first] = listed
    expect((await sorted('-created_at,description')).slice(0, 3)).toEqual([second, third, first])
  })

  it('searches in parts and modules', async () => {
    await sim.call('PUT', '/edges/tcp/edgtcp_database/ip_restriction', { enabled: true })
    await sim.call('PUT', '/edges/tcp/edgtcp_ssh/ip_restriction', { enabled: false })
    expect(await ids('tcp_edges?ip_restriction.enabled=true')).toEqual(['edgtcp_database'])
    expect(await ids('tcp_edges?ip_restriction.enabled:ne=true')).toEqual(['edgtcp_ssh'])
  })

  it('returns pages in the format of json-server', async () => {
    const { body } = await db('GET', 'api_keys?_sort=id&_page=2&_per_page=2')
    expect(body).toMatchObject({
      first: 1,
      prev: 1,
      next: null,
      last: 2,
      pages: 2,
      items: 3,
      data: [{ id: 'ak_member' }],
    })
    expect((await db('GET', 'api_keys?_page=1')).body.data).toHaveLength(3)
    expect((await db('GET', 'api_keys?_page=99&_per_page=1')).body.data).toHaveLength(1)
  })

  it('returns one record by its id, with its hash and never a token', async () => {
    const { body } = await db('GET', 'api_keys/ak_admin')
    expect(body).toMatchObject({ id: 'ak_admin', token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(body.token).toBeUndefined()
  })

  it.each(requests.groups)('searches in groups, even if they are missing: %s', async (path, wanted) => {
    const { body } = await db('GET', path)
    expect((body.data ?? body).map(({ id }: { id: string }) => id)).toEqual(wanted)
    expect(JSON.stringify(body)).not.toContain('{}')
  })

  it.each(requests.missing)('returns 404 for %s', async (path, message) => {
    const response = await db('GET', path)
    expect(response.status).toBe(404)
    expect(response.body.msg).toMatch(new RegExp(message))
  })

  it('serves no file of the working directory', async () => {
    const folder = folderWith({ 'index.html': 'secret', 'db.json': '{"secret":[1]}' })
    const cwd = process.cwd()
    process.chdir(folder)
    try {
      const { call } = await simulate()
      for (const path of ['index.html', 'db.json', 'public/index.html', '', 'secret', 'api_keys/../index.html'])
        expect(JSON.stringify(await call('GET', `/_sim/db/${path}`))).not.toContain('secret"')
    } finally {
      process.chdir(cwd)
    }
  })

  it.each(requests.refusedQueries)('rejects %s, and continues', async (query, says) => {
    expect(expectError(await db('GET', query), 400, 400).msg).toMatch(new RegExp(says))
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it.each([
    'name=123',
    'name:in=123,4',
    'name_eq=123',
    '_where={"name":{"eq":"123"}}',
    'admin=true&name=Admin',
  ])('finds the user by %s, even if the string has only digits', async query => {
    await db('POST', 'users', { id: 'usr_digits', name: '123' })
    expect(await ids(`users?${query}`)).toHaveLength(1)
  })
})

describe('Writing raw records', () => {
  it('counts the records of every collection', async () => {
    const { body } = await sim.call('GET', '/_sim/db')
    expect(body).toMatchObject({ users: (await ids('users')).length, ip_policies: (await ids('ip_policies')).length })
    await db('POST', 'users', { id: 'usr_counted' })
    expect((await sim.call('GET', '/_sim/db')).body.users).toBe(body.users + 1)
  })

  it('names the first invalid field', async () => {
    const rules = [{ action: 'deny', cidr: 'nonsense' }]
    expect((await db('POST', 'ip_policies', { rules })).body.details).toEqual({ field: 'rules[0].cidr' })
  })

  it('adds a record with a new id of its prefix', async () => {
    const { status, body } = await db('POST', 'users', { name: 'New' })
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.stringMatching(/^usr_[A-Za-z0-9]{27}$/), name: 'New', admin: false })
    expect((await db('GET', `users/${body.id}`)).body).toEqual(body)
  })

  it('adds a record with a specified id, once', async () => {
    expect((await db('POST', 'ip_policies', { id: 'ipp_mine' })).body).toMatchObject({ id: 'ipp_mine', rules: [] })
    const says = 'The IP policy ipp_mine already exists. Use PUT to replace it'
    await refused('POST', 'ip_policies', { id: 'ipp_mine' }, says, 409)
  })

  it('creates policies for restrictions, and users with working keys', async () => {
    await db('POST', 'ip_policies', { id: 'ipp_mine' })
    const restriction = { type: 'agent', ip_policy_ids: ['ipp_mine'] }
    expect((await sim.call('POST', '/ip_restrictions', restriction)).status).toBe(201)
    await db('POST', 'bots', { id: 'bot_mine' })
    await db('POST', 'api_keys', { id: 'ak_mine', owner_id: 'bot_mine', token: 'mine' })
    expect((await sim.as('mine')('GET', '/api_keys/ak_mine')).body.owner_id).toBe('bot_mine')
  })

  it('gives a key without an owner to the first admin, like a fixture', async () => {
    expect((await db('POST', 'api_keys', {})).body.owner_id).toBe('usr_admin')
  })

  it('replaces a record, or adds it', async () => {
    const { body: before } = await db('GET', 'api_keys/ak_ci')
    const replaced = await db('PUT', 'api_keys/ak_ci', { owner_id: 'usr_member', description: 'replaced' })
    expect(replaced).toMatchObject({ status: 200, body: { description: 'replaced', created_at: before.created_at } })
    expect(replaced.body.token_sha256).toBeUndefined()
    expect(await ids('api_keys')).toEqual(['ak_admin', 'ak_member', 'ak_ci'])
    expect((await db('PUT', 'api_keys/ak_new', { id: 'ak_other' })).status).toBe(201)
    expect(await ids('api_keys')).toEqual(['ak_admin', 'ak_member', 'ak_ci', 'ak_new'])
  })

  it('changes some fields and removes others', async () => {
    const { body: before } = await db('GET', 'api_keys/ak_admin')
    const { status, body } = await db('PATCH', 'api_keys/ak_admin', {
      description: 'changed',
      metadata: null,
      id: 'ak_x',
    })
    expect(status).toBe(200)
    const { metadata: _gone, ...rest } = before
    expect(body).toEqual({ ...rest, description: 'changed' })
    expect((await sim.call('GET', '/api_keys/ak_admin')).status).toBe(200)
  })

  it('replaces a token: the new one works and the old does not', async () => {
    await db('PATCH', 'api_keys/ak_ci', { token: 'another' })
    expect((await sim.as('another')('GET', '/api_keys')).status).toBe(200)
    expect((await sim.as('sim_ci')('GET', '/api_keys')).status).toBe(401)
  })

  it('deletes a record that no other refers to', async () => {
    await db('POST', 'users', { id: 'usr_new' })
    expect((await db('DELETE', 'users/usr_new')).status).toBe(204)
    expect((await db('GET', 'users/usr_new')).status).toBe(404)
  })

  it.each(requests.refusedRecords)('rejects %s %s %j', async (method, path, body, says, status = 400) => {
    await refused(method, path, body ?? undefined, says, status)
  })

  it("deletes a used policy if unknown references are accepted, but not a key's owner", async () => {
    const { call, close } = await simulate({ assume: { unknown_reference: 'accept' } })
    expect((await call('DELETE', '/_sim/db/ip_policies/ipp_office')).status).toBe(204)
    expect((await call('DELETE', '/_sim/db/users/usr_admin')).status).toBe(409)
    await close()
  })

  it('is one change per record, with an event and a rewind', async () => {
    const before = await state()
    const { events, until } = await openEvents(`${sim.url}/_sim/events`)
    const mark = await sim.call('GET', '/api_keys')
    await db('POST', 'users', { id: 'usr_new' })
    await db('PATCH', 'users/usr_new', { name: 'N' })
    await db('PUT', 'users/usr_new', { name: 'M' })
    await db('DELETE', 'users/usr_new')
    const changes = () => events.filter(({ type }) => type === 'change').map(({ data }) => data)
    await until(() => changes().length >= 4)
    expect(changes()).toMatchObject(Array(4).fill({ cause: { kind: 'record', id: 'usr_new' }, ops: [{}] }))
    expect(new Set(changes().map(({ seq }) => seq)).size).toBe(4)
    await db('POST', 'users', { id: 'usr_other' })
    expect((await sim.call('POST', `/_sim/requests/${operationOf(mark)}/rewind`)).status).toBe(204)
    expect(await state()).toEqual(before)
  })

  it.each(requests.acceptedAddresses)('accepts the address of an edge: %s %j', async (table, record) => {
    expect((await db('POST', table, record)).status).toBe(201)
  })
})
