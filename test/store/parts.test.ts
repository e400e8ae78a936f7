import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LoggedChange } from '../../src/state/index.ts'
import { encodeLine } from '../../src/store/log-line.ts'
import { repair } from '../../src/store/repair.ts'
import { folderWith } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'
import { fileStore, newDb, open, put, stateOnDisk } from './support.ts'

const RULES = '/ip_policy_rules'
const users = [{ id: 'usr_admin', admin: true }]
const api_keys = [{ id: 'ak_admin', created_at: '2026-01-01T00:00:00Z', owner_id: 'usr_admin', token: 'sim_admin' }]

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

describe('Parts inside their records', () => {
  it('get ids if a fixture gives none, the same at every start', async () => {
    const fixture = {
      ip_policies: [
        {
          id: 'ipp_a',
          rules: [
            { action: 'allow', cidr: '10.0.0.0/8' },
            { action: 'deny', cidr: '10.1.0.0/16' },
          ],
        },
        { id: 'ipp_b', rules: [{ id: 'ipr_a_2', action: 'allow', cidr: '::/0' }] },
        { id: `ipp_${'x'.repeat(64)}`, rules: [{ action: 'allow', cidr: '::/0' }] },
      ],
    }
    for (let i = 0; i < 2; i++) {
      const { call } = await simulate({ fixture })
      const { body } = await call('GET', RULES)
      const long = `ipr_${'x'.repeat(62)}_1`
      expect(ids(body.ip_policy_rules)).toEqual([long, 'ipr_a_2', 'ipr_a_3', 'ipr_a_1'])
      expect((await call('GET', `${RULES}/ipr_a_3`)).body).toMatchObject({ ip_policy: { id: 'ipp_a' }, action: 'deny' })
    }
  })

  it('are exported inside them, and the export is a valid fixture', async () => {
    const first = await simulate({ clock: '2026-02-01T00:00:00Z' })
    await first.call('POST', '/edges/https/edghts_web/routes', { match_type: 'exact_path', match: '/x' })
    const { body: state } = await first.call('GET', '/_sim/state')
    expect(Object.keys(state)).toEqual([
      'users',
      'bots',
      'api_keys',
      'ip_policies',
      'ip_restrictions',
      'backends',
      'tcp_edges',
      'https_edges',
    ])
    expect(state.https_edges[0].routes[2]).toMatchObject({ match: '/x', created_at: '2026-02-01T00:00:00Z' })
    expect(state.https_edges[0].routes[2]).not.toHaveProperty('edge_id')
    const second = await simulate({ fixture: state })
    expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
    expect((await second.call('PUT', '/_sim/state', state)).status).toBe(204)
    expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
  })

  it('keep their order of creation over a restart', async () => {
    const db = newDb()
    const first = await simulate({ db, clock: '2026-02-01T00:00:00Z' })
    for (const [i, ip_policy_id] of ['ipp_blocked', 'ipp_office', 'ipp_blocked'].entries())
      await first.call('POST', RULES, { ip_policy_id, action: 'deny', cidr: `10.${i}.0.0/16` })
    const { body: before } = await first.call('GET', RULES)
    await first.call('DELETE', `${RULES}/${before.ip_policy_rules[2].id}`)
    const { body: state } = await first.call('GET', '/_sim/state')
    await first.close()
    const { body } = await (await simulate({ db })).call('GET', `${RULES}?before_id=${before.ip_policy_rules[2].id}`)
    expect(ids(body.ip_policy_rules)).toEqual(ids(before.ip_policy_rules).slice(3))
    const { _edgesim, ...records } = JSON.parse(readFileSync(db, 'utf8'))
    expect(records).toEqual(state)
    expect(_edgesim.order.ip_policy_rules.at(-1)).toBe(before.ip_policy_rules[0].id)
    expect(_edgesim.order).not.toHaveProperty('https_edge_routes')
  })

  it('are written and deleted under /_sim/db, with their record and by themselves', async () => {
    const { call } = await simulate()
    const db = (method: string, path: string, body?: unknown) => call(method, `/_sim/db/${path}`, body)
    const rules = [{ id: 'ipr_one', action: 'allow', cidr: '10.0.0.0/8' }]
    const { body: put } = await db('PUT', 'ip_policies/ipp_office', { description: 'Put', rules })
    expect(put).toMatchObject({ description: 'Put', rules })
    expect((await call('GET', `${RULES}/ipr_office_ipv4`)).status).toBe(404)
    const { body: patched } = await db('PATCH', 'ip_policies/ipp_office', { metadata: 'm' })
    expect(patched).toEqual({ ...put, metadata: 'm' })
    expect((await db('GET', 'ip_policies?id=ipp_office')).body).toEqual([patched])
    const flat = { id: 'ipr_two', ip_policy_id: 'ipp_office', action: 'deny', cidr: '10.1.0.0/16' }
    expect((await db('POST', 'ip_policy_rules', flat)).status).toBe(201)
    expect((await db('GET', 'ip_policies/ipp_office')).body.rules).toMatchObject([{ id: 'ipr_one' }, { id: 'ipr_two' }])
    const nowhere = await db('POST', 'ip_policy_rules', { ...flat, id: 'ipr_x', ip_policy_id: 'ipp_x' })
    expect(nowhere.body.msg).toContain('ip_policy_id: there is no ipp_x in ip_policies')
    const taken = await db('POST', 'ip_policies', { id: 'ipp_new', rules: [{ ...rules[0] }] })
    expect(taken.body.msg).toContain('rules: ipr_one is in ipp_office already')
    expect((await db('DELETE', 'https_edges/edghts_web')).status).toBe(204)
    expect((await db('GET', 'https_edge_routes')).body.map(({ edge_id }: { edge_id: string }) => edge_id)).toEqual([
      'edghts_admin',
      'edghts_admin',
    ])
  })

  it('are replaced by a scenario with their record, and kept in other records', async () => {
    const { call } = await simulate()
    const state = { https_edges: [{ id: 'edghts_web', routes: [{ id: 'edghtsrt_static', match: '/new' }] }] }
    expect((await call('PUT', '/_sim/scenario', { name: 'laid', state })).status).toBe(200)
    const { body } = await call('GET', '/edges/https')
    expect(body.https_edges.map((edge: { routes: { id: string }[] }) => ids(edge.routes))).toEqual([
      ['edghtsrt_admin', 'edghtsrt_status'],
      ['edghtsrt_static'],
    ])
    expect(body.https_edges[1].routes[0].match).toBe('/new')
  })

  it('are named by their place when they are wrong', async () => {
    const text = [
      'backends: [{ id: bkdst_a, address: "a:1" }]',
      'https_edges:',
      '  - id: edghts_a',
      '    routes:',
      '      - id: edghtsrt_a',
      '      - { id: edghtsrt_b, match: /b, backend: { backend_id: bkdst_b } }',
      '  - { id: edghts_b, routes: [{ id: edghtsrt_a }] }',
    ].join('\n')
    const file = join(folderWith({ 'wrong.yaml': text }), 'wrong.yaml')
    const { message } = await simulate({ fixture: file }).catch(error => error)
    expect(message.split('\n')).toEqual([
      `${file}:6:49: there is no bkdst_b in backends. Did you mean bkdst_a?`,
      `${file}:7:32: the id edghtsrt_a is used twice; first in https_edges[0].routes[0]`,
    ])
  })
})

describe('Two routes of one edge with the same match', () => {
  const route = (id: string, more: object = { match: '/api' }) => ({ id: `edghtsrt_${id}`, ...more })
  const edges = { https_edges: [{ id: 'edghts_a', routes: [route('a'), route('b'), route('c', {})] }] }
  const SAME =
    'the HTTPS edge route edghtsrt_b has the same match_type and match as https_edges[0].routes[0]: path_prefix /api'

  it('are refused in a fixture, in a state and in a scenario, with both places', async () => {
    const text = JSON.stringify(edges, null, 2)
    const file = join(folderWith({ 'twice.json': text }), 'twice.json')
    await expect(simulate({ fixture: file })).rejects.toThrow(`${file}:10:9: https_edges[0].routes[1]: ${SAME}`)
    const { call } = await simulate()
    const stated = await call('PUT', '/_sim/state', edges)
    expect(stated).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining(`https_edges[0].routes[1]: ${SAME}`) },
    })
    const laid = await call('PUT', '/_sim/scenario', { state: edges })
    expect(laid.status).toBe(400)
    expect(laid.body.msg).toContain(`state.https_edges[0].routes[1]: ${SAME.replace('https', 'state.https')}`)
  })

  it('are refused as records: in their edge, and each by itself', async () => {
    const { call } = await simulate()
    const db = async (method: string, path: string, body: object) => {
      const { status, body: said } = await call(method, `/_sim/db/${path}`, body)
      return status < 300 ? status : said.msg
    }
    const [edge] = edges.https_edges
    expect(await db('POST', 'https_edges', edge!)).toContain(
      'routes[1]: the HTTPS edge route edghtsrt_b has the same match_type and match as routes[0]: path_prefix /api',
    )
    const one = { edge_id: 'edghts_web', match: '/api' }
    const same =
      /the HTTPS edge route edghtsrt_\w+ has the same match_type and match as edghtsrt_api: path_prefix \/api/
    expect(await db('POST', 'https_edge_routes', one)).toMatch(same)
    expect(await db('PATCH', 'https_edge_routes/edghtsrt_static', { match: '/api' })).toMatch(same)
    expect(await db('PATCH', 'https_edge_routes/edghtsrt_api', { description: 'itself' })).toBe(200)
    expect(await db('POST', 'https_edge_routes', { ...one, match_type: 'exact_path' })).toBe(201)
    expect(await db('POST', 'https_edges', { routes: [{ id: 'edghtsrt_other', match: '/api' }] })).toBe(201)
  })

  it('are replayed from the log of a database; its file is refused with their places until it is repaired', async () => {
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db))
    const created_at = '2026-01-01T00:00:00Z'
    put(sandbox, { id: 'edghts_a', created_at, hostports: [] }, 'https_edges')
    for (const id of ['edghtsrt_a', 'edghtsrt_b'])
      put(
        sandbox,
        { id, created_at, edge_id: 'edghts_a', match_type: 'path_prefix', match: '/api' },
        'https_edge_routes',
      )
    expect((await stateOnDisk(db)).rows.https_edge_routes).toHaveLength(2)
    await store.close()
    await expect(open(fileStore(db))).rejects.toThrow(`https_edges[0].routes[1]: ${SAME}`)
    const { lost } = await repair(db)
    expect(lost).toEqual([`edghtsrt_b was dropped: https_edges[0].routes[1]: ${SAME}`])
    expect((await stateOnDisk(db)).rows.https_edge_routes).toMatchObject([{ id: 'edghtsrt_a' }])
  })
})

describe('A listen address of a fixture', () => {
  it('is the first of the hostports', async () => {
    const { call } = await simulate({
      fixture: {
        tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', hostports: ['a.test:1', '127.0.0.1:0'], upstream: 'b:2' }],
        https_edges: [{ id: 'edghts_a', listen: 'http://127.0.0.1:0' }],
      },
    })
    expect((await call('GET', '/edges/tcp/edgtcp_a')).body.hostports).toEqual(['127.0.0.1:0', 'a.test:1'])
    expect((await call('GET', '/edges/https/edghts_a')).body.hostports).toEqual(['http://127.0.0.1:0'])
    const { body } = await call('GET', '/_sim/state')
    expect(body.tcp_edges[0]).toMatchObject({ hostports: ['127.0.0.1:0', 'a.test:1'], upstream: 'b:2' })
  })
})

describe('A database of the first format', () => {
  const rule = (cidr: string) => ({ action: 'allow', cidr })
  const route = (id: string, more: object = {}) => ({
    id: `edghtsrt_${id}`,
    match_type: 'path_prefix',
    match: `/${id}`,
    ...more,
  })
  const records = {
    users,
    bots: [],
    api_keys,
    ip_policies: [{ id: 'ipp_a', rules: [rule('10.0.0.0/8'), rule('10.1.0.0/16')] }],
    ip_restrictions: [],
    tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', upstream: '127.0.0.1:1' }],
    https_edges: [{ id: 'edghts_a', routes: [route('a'), route('b', { upstream: 'http://127.0.0.1:1' })] }],
  }
  const edgesim = { format: 1, seq: 3, written: '2026-01-01T00:00:00.000Z', counters: { op: 9 }, deleted: {} }

  const logged = (seq: number, more: object) =>
    Buffer.concat(
      encodeLine({
        seq,
        at: '2026-01-01T00:00:00Z',
        cause: { kind: 'record' },
        ops: [],
        counters: { op: 9 },
        ...more,
      } as LoggedChange),
    )
  const op = (table: string, after: { id: string } | null, id = after!.id) => ({ table, id, before: null, after })

  const lines = [
    logged(4, { ops: [op('ip_policies', { id: 'ipp_a', rules: [rule('192.0.2.0/24')] } as never)] }),
    logged(5, {
      ops: [
        op('https_edges', {
          id: 'edghts_a',
          routes: [route('b', { request_headers: { enabled: true, add: {}, remove: ['x'] } }), route('c')],
        } as never),
      ],
    }),
    logged(6, { ops: [op('tcp_edges', { id: 'edgtcp_b', listen: '127.0.0.1:0' } as never)] }),
    logged(7, { ops: [op('ip_policies', { id: 'ipp_b', rules: [rule('::/0')] } as never)] }),
    logged(8, { ops: [op('ip_policies', null, 'ipp_b')] }),
  ]

  function old(log: Buffer[]) {
    const db = newDb()
    writeFileSync(db, `${JSON.stringify({ ...records, _edgesim: edgesim })}\n`)
    writeFileSync(`${db}.log`, Buffer.concat(log))
    return db
  }

  it('is resumed with ids and times added, and written in the present format', async () => {
    const db = old([])
    const { call, close } = await simulate({ db })
    expect(ids((await call('GET', RULES)).body.ip_policy_rules)).toEqual(['ipr_a_2', 'ipr_a_1'])
    expect((await call('GET', '/edges/https/edghts_a')).body.routes).toHaveLength(2)
    await close()
    expect(JSON.parse(readFileSync(db, 'utf8'))._edgesim.format).toBe(2)
  })

  it.each(['resumed', 'repaired'])('is %s with its log, without losing parts', async how => {
    const db = old(lines)
    if (how === 'repaired') expect((await repair(db)).lost).toEqual([])
    const { call } = await simulate({ db })
    const { body: policies } = await call('GET', '/_sim/db/ip_policies')
    expect(policies).toMatchObject([{ id: 'ipp_a', rules: [{ id: 'ipr_a_1', cidr: '192.0.2.0/24' }] }])
    expect(policies[0].rules).toHaveLength(1)
    expect(ids((await call('GET', RULES)).body.ip_policy_rules)).toEqual(['ipr_a_1'])
    const { body: edge } = await call('GET', '/edges/https/edghts_a')
    expect(ids(edge.routes)).toEqual(['edghtsrt_b', 'edghtsrt_c'])
    expect(edge.routes[0].request_headers.remove).toEqual(['x'])
    const { body: tcp } = await call('GET', '/edges/tcp')
    expect(tcp.tcp_edges).toMatchObject([
      { id: 'edgtcp_b', hostports: ['127.0.0.1:0'] },
      { id: 'edgtcp_a', hostports: ['127.0.0.1:0'] },
    ])
    expect((await call('GET', '/_sim/db/ip_policies/ipp_a')).body.created_at).toMatch(/Z$/)
  })

  it('is resumed from a whole state in the log', async () => {
    const db = old([
      logged(4, {
        cause: { kind: 'state' },
        state: { ...records, ip_policies: [{ id: 'ipp_z', rules: [rule('::/0')] }] },
      }),
    ])
    const { call } = await simulate({ db })
    expect(ids((await call('GET', RULES)).body.ip_policy_rules)).toEqual(['ipr_z_1'])
  })
})

describe('A repair', () => {
  it('drops a wrong part, and keeps its record and the other parts', async () => {
    const db = newDb()
    const first = await simulate({ db })
    await first.close()
    const spoilt = readFileSync(db, 'utf8')
      .replace('"cidr":"10.0.0.0/8"', '"cidr":"10.0.0.0/99"')
      .replace('"match":"/api"', '"match":"api"')
    writeFileSync(db, spoilt)
    await expect(simulate({ db })).rejects.toThrow(/ip_policies\[0\]\.rules\[0\]\.cidr/)
    const { lost } = await repair(db)
    expect(lost).toEqual([
      expect.stringMatching(/^ipr_office_ipv4 was dropped: .*CIDR/),
      expect.stringMatching(/^edghtsrt_api was dropped: /),
    ])
    const { call } = await simulate({ db })
    expect((await call('GET', '/_sim/db/ip_policies/ipp_office')).body.rules).toMatchObject([{ id: 'ipr_office_ipv6' }])
    expect((await call('GET', '/edges/https/edghts_web')).body.routes).toMatchObject([{ id: 'edghtsrt_static' }])
  })

  it('drops a value that is not a list of parts', async () => {
    const db = newDb()
    await (await simulate({ db })).close()
    const file = JSON.parse(readFileSync(db, 'utf8'))
    file.ip_policies[0].rules = 7
    writeFileSync(db, JSON.stringify(file))
    expect((await repair(db)).lost).toEqual(['the rules of ipp_office were dropped: they are not a list of records'])
    const { call } = await simulate({ db })
    expect((await call('GET', '/_sim/db/ip_policies/ipp_office')).body.rules).toEqual([])
  })
})
