import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { type Call, operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL, LONG } from '../../support/long.ts'
import { leftOf, newDb } from './support.ts'

const BASE = { baseUrl: 'http://sim.test', seed: 'restart' }
const MODULES = [
  '/edges/tcp/edgtcp_database/ip_restriction',
  '/edges/https/edghts_web/routes/edghtsrt_api/request_headers',
]

const creator =
  (call: Call, ids: string[] = []) =>
  async (path: string, body: object) => {
    const { status, body: made } = await call('POST', path, body)
    expect(status).toBe(201)
    ids.push(made.id)
    return made.id as string
  }

/** Like `beBusy`, for resources with parts, created in a different order from their records. */
async function beBusyAround(call: Call, salt: string) {
  const create = creator(call)
  const policy = await create('/ip_policies', { description: 'made' })
  const rules: string[] = []
  // A CIDR is unique in a policy.
  for (const [i, ip_policy_id] of [policy, 'ipp_office', policy, 'ipp_local'].entries()) {
    const cidr = `10.${Number(salt)}.${i}.0/24`
    rules.push(await create('/ip_policy_rules', { ip_policy_id, action: 'allow', cidr }))
  }
  await call('DELETE', `/ip_policy_rules/${rules[2]}`)
  await call('PATCH', `/ip_policy_rules/${rules[0]}`, { cidr: '::/0', metadata: 'changed' })
  const backend_id = await create('/backends/static', { address: 'db.internal:5432', tls: { enabled: true } })
  await create('/edges/tcp', { hostports: ['127.0.0.1:0'], backend: { backend_id } })
  const edge = await create('/edges/https', { description: 'made' })
  const route = await create(`/edges/https/${edge}/routes`, { match_type: 'exact_path', match: '/a' })
  const web = { match_type: 'exact_path', match: `/a${salt}`, backend: { backend_id } }
  await create('/edges/https/edghts_web/routes', web)
  await create(`/edges/https/${edge}/routes`, { match_type: 'exact_path', match: '/b' })
  await call('DELETE', `/edges/https/${edge}/routes/${route}`)
  await call('DELETE', '/edges/https/edghts_admin')
}

/** Performs every action. Returns all ids that ever existed. */
async function beBusy(call: Call, salt = ''): Promise<string[]> {
  const ids: string[] = ['ak_admin', 'ak_member', 'ak_ci', 'ipx_dashboard', 'ipx_endpoints']
  const create = creator(call, ids)
  for (let i = 0; i < 12; i++) await create('/api_keys', { description: `key ${i} é€`, metadata: 'm'.repeat(i * 20) })
  for (const type of ['agent', 'endpoints', 'dashboard'])
    await create('/ip_restrictions', { type, ip_policy_ids: ['ipp_office'], description: type })
  const some = (prefix: string, n: number) => ids.filter(id => id.startsWith(prefix)).at(n)!
  for (const id of [some('ak_', 4), some('ak_', 7), some('ak_', 8), some('ak_', -1), some('ipx_', 2)])
    expect((await call('DELETE', `/${id.startsWith('ak') ? 'api_keys' : 'ip_restrictions'}/${id}`)).status).toBe(204)
  await call('PATCH', `/api_keys/${some('ak_', 5)}`, { description: '', metadata: 'changed' })
  const ip_policy_ids = ['ipp_office', 'ipp_blocked']
  await call('PATCH', `/ip_restrictions/${some('ipx_', -1)}`, { enforced: true, ip_policy_ids })
  await call('PUT', MODULES[0]!, { enabled: true, ip_policy_ids: ['ipp_blocked', 'ipp_office'] })
  await call('PUT', MODULES[1]!, { enabled: false, add: { 'X-One': '1', 'x-two': '1' }, remove: ['cookie'] })
  await beBusyAround(call, salt)
  await call('PUT', `/_sim/snapshots/busy${salt}`)
  await create('/_sim/db/api_keys', { id: `ak_mine${salt}`, token: `mine${salt}` })
  await call('POST', '/_sim/db/ip_policies', { id: `ipp_new${salt}`, rules: [{ action: 'deny', cidr: '10.1.2.3/32' }] })
  await call('POST', '/_sim/db/users', { id: `usr_new${salt}`, name: 'New' })
  const before = await create('/api_keys', { description: 'rewound' })
  await call('DELETE', `/api_keys/${before}`)
  const { body: journal } = await call('GET', '/_sim/requests?operation=delete_api_key&limit=1')
  expect((await call('POST', `/_sim/requests/${journal.requests[0].id}/rewind`)).status).toBe(204)
  await call('POST', `/_sim/snapshots/busy${salt}/restore`)
  await create('/api_keys', { description: 'the last one' })
  return ids
}

async function readAll(call: Call, ids: string[]) {
  const responses: Record<string, unknown> = {}
  const read = async (path: string) => {
    const { status, body } = await call('GET', path)
    if (body?.details) delete body.details.operation_id
    responses[path] = { status, body }
    return body
  }
  const readPages = async (path: string, limit: number) => {
    for (let next: string | null = `${path}?limit=${limit}`; next; )
      next = (await read(next)).next_page_uri?.replace(BASE.baseUrl, '') ?? null
  }
  const state = await read('/_sim/state')
  const ofIds = ids.flatMap(id => {
    const path = id.startsWith('ak_') ? '/api_keys' : '/ip_restrictions'
    return [`${path}/${id}`, `${path}?before_id=${id}&limit=4`]
  })
  const tables = Object.keys(state).map(table => `/_sim/db/${table}`)
  await Promise.all([
    ...[...ofIds, ...tables, ...MODULES].map(read),
    ...['/api_keys', '/ip_restrictions'].flatMap(path => [1, 3, 100].map(limit => readPages(path, limit))),
  ])
  const { body } = await call('GET', '/_sim/snapshots')
  responses.snapshots = body.snapshots.map(({ name }: { name: string }) => name)
  return responses
}

describe('After a restart, every response is the same', () => {
  const exits: [string, number?][] = [['a clean exit and many compactions', 300], ['a clean exit']]
  it.runIf(ALL).each(exits)('with %s', async (_, compactAt) => {
    const db = newDb()
    const ids: string[] = []
    for (let round = 0; round < (LONG ? 2 : 1); round++) {
      const before = await simulate({ db, ...BASE }, { compactAt })
      ids.push(...(await beBusy(before.call, String(round))))
      const responses = await readAll(before.call, ids)
      await before.close()
      const after = await simulate({ db, ...BASE })
      expect(await readAll(after.call, ids)).toEqual(responses)
      await after.close()
    }
  })

  it('after two kills without a write between them', async () => {
    let db = newDb()
    const { call, close } = await simulate({ db, ...BASE })
    const ids = await beBusy(call)
    const responses = await readAll(call, ids)
    for (let i = 0; i < 2; i++) {
      db = leftOf(db)
      const next = await simulate({ db, ...BASE })
      expect(await readAll(next.call, ids)).toEqual(responses)
    }
    await close()
  })
})

describe('With a seed', () => {
  it('no id, token or operation id is used twice, even after a kill', async () => {
    let db = newDb()
    const seen: string[] = []
    for (const end of ['stop', 'kill', 'kill', 'stop', 'kill', 'kill']) {
      const { call, close } = await simulate({ db, seed: 7 }, { compactAt: 1500 })
      const writes = seen.length > 0 && end === 'kill' ? 0 : 4
      for (let i = 0; i < writes; i++) {
        const response = await call('POST', '/api_keys', {})
        seen.push(response.body.id, response.body.token, operationOf(response))
      }
      for (let i = 0; i < 3; i++) seen.push(operationOf(await call('GET', '/api_keys')))
      if (end === 'kill') db = leftOf(db)
      await close()
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(2 * 12 + 6 * 3)
  })

  it('the same ids are used again with --fresh', async () => {
    const db = newDb()
    const ids: string[] = []
    for (let i = 0; i < 2; i++) {
      const { call, close } = await simulate({ db, seed: 7, fresh: true })
      ids.push((await call('POST', '/api_keys', {})).body.id)
      expect((await call('GET', '/api_keys')).body.keys).toHaveLength(4)
      await close()
    }
    expect(ids[0]).toBe(ids[1])
  })
})

const ONE_KEY = { users: [{ id: 'usr_a', admin: true }], api_keys: [{ id: 'ak_a', token: 'sim_admin' }] }

describe('The database file', () => {
  it('is JSON with one record per line, and a valid fixture', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    const { body: key } = await call('POST', '/api_keys', { description: 'mine' })
    const state = (await call('GET', '/_sim/state')).body
    await close()
    const text = readFileSync(db, 'utf8')
    const { _edgesim, ...rows } = JSON.parse(text)
    expect(rows).toEqual(state)
    expect(Object.keys(_edgesim)).toEqual(['format', 'seq', 'written', 'seeded', 'counters', 'order'])
    const line = text.split('\n').find(each => each.includes(key.id))!
    expect(JSON.parse(line.trim().replace(/,$/, ''))).toMatchObject({ id: key.id, description: 'mine' })
    const other = await simulate({ fixture: db })
    const made = await fetch(`${other.url}/api_keys/${key.id}`, {
      headers: { authorization: `Bearer ${key.token}`, 'service-version': '2' },
    })
    expect(await made.json()).toMatchObject({ id: key.id, token: null })
    expect(readFileSync(db, 'utf8')).toBe(text)
  })

  it('does not change its fixture, which is still used for resets', async () => {
    const folder = folderWith({ 'fixture.json': ONE_KEY })
    const fixture = join(folder, 'fixture.json')
    const text = readFileSync(fixture, 'utf8')
    const db = join(folder, 'db.json')
    for (let i = 0; i < 2; i++) {
      const { call, close } = await simulate({ db, fixture })
      await call('POST', '/api_keys', {})
      await close()
    }
    const { call } = await simulate({ db, fixture })
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
    await call('POST', '/_sim/reset')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(1)
    expect(readFileSync(fixture, 'utf8')).toBe(text)
  })

  it('replays a reset with the fixture of that time, even if the fixture has changed', async () => {
    const db = newDb()
    const first = await simulate({ db, fixture: ONE_KEY })
    await first.call('POST', '/api_keys', {})
    await first.call('POST', '/_sim/reset')
    const other = { ...ONE_KEY, api_keys: [...ONE_KEY.api_keys, { id: 'ak_b' }] }
    const { call } = await simulate({ db: leftOf(db), fixture: other })
    expect((await call('GET', '/api_keys')).body.keys).toMatchObject([{ id: 'ak_a' }])
    await call('POST', '/_sim/reset')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(2)
  })

  it.skipIf(process.platform === 'win32')('and its related files are readable only by their owner', async () => {
    const db = newDb()
    const { call } = await simulate({ db })
    await call('POST', '/api_keys', {})
    await call('PUT', '/_sim/snapshots/one')
    const modes = Object.fromEntries(
      readdirSync(dirname(db), { recursive: true, encoding: 'utf8' }).map(name => [
        name,
        (statSync(join(dirname(db), name)).mode & 0o777).toString(8),
      ]),
    )
    expect(modes).toEqual({
      'db.json': '600',
      'db.json.lock': '600',
      'db.json.log': '600',
      'db.json.snapshots': '700',
      'db.json.snapshots/one.json': '600',
    })
  })
})
