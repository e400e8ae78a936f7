import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureTables } from '../../../src/ngrok/resources/index.ts'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

const RULES = '/ip_policy_rules'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

describe('Parts inside their records', () => {
  it('get ids if a fixture has none, the same on every run', async () => {
    const rule = (action: string, cidr: string) => ({ action, cidr })
    const fixture = {
      ip_policies: [
        { id: 'ipp_a', rules: [rule('allow', '10.0.0.0/8'), rule('deny', '10.1.0.0/16')] },
        { id: 'ipp_b', rules: [{ id: 'ipr_a_2', ...rule('allow', '::/0') }] },
        { id: `ipp_${'x'.repeat(64)}`, rules: [rule('allow', '::/0')] },
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

  it('are exported there, and the export is a valid fixture', async () => {
    const first = await simulate({ clock: '2026-02-01T00:00:00Z' })
    await first.call('POST', '/edges/https/edghts_web/routes', { match_type: 'exact_path', match: '/x' })
    const { body: state } = await first.call('GET', '/_sim/state')
    expect(Object.keys(state)).toEqual(fixtureTables)
    expect(fixtureTables).not.toContain('https_edge_routes')
    expect(state.https_edges[0].routes[2]).toMatchObject({ match: '/x', created_at: '2026-02-01T00:00:00Z' })
    expect(state.https_edges[0].routes[2]).not.toHaveProperty('edge_id')
    const second = await simulate({ fixture: state })
    expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
    expect((await second.call('PUT', '/_sim/state', state)).status).toBe(204)
    expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
  })

  it('preserve their creation order over a restart', async () => {
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
    expect(_edgesim.order.ip_policy_rules.deleted).toEqual({ [before.ip_policy_rules[2].id]: expect.any(Number) })
    expect(_edgesim.order).not.toHaveProperty('https_edge_routes')
  })

  it('are written and deleted under /_sim/db, with their record or separately', async () => {
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
    expect(nowhere.body.msg).toContain('ip_policy_id: ipp_x not found in ip_policies')
    expect((await db('DELETE', 'https_edges/edghts_web')).status).toBe(204)
    expect((await db('GET', 'https_edge_routes')).body).toMatchObject([
      { edge_id: 'edghts_admin' },
      { edge_id: 'edghts_admin' },
    ])
  })

  it('are replaced by a scenario with their record, and unchanged in other records', async () => {
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

  it('are reported with their location if they are invalid', async () => {
    const text = [
      'backends: [{ id: bkdsc_a, address: "a:1" }]',
      'https_edges:',
      '  - id: edghts_a',
      '    routes:',
      '      - id: edghtsrt_a',
      '      - { id: edghtsrt_b, match: /b, backend: { backend_id: bkdsc_b } }',
      '  - { id: edghts_b, routes: [{ id: edghtsrt_a }] }',
    ].join('\n')
    const file = join(folderWith({ 'wrong.yaml': text }), 'wrong.yaml')
    const { message } = await simulate({ fixture: file }).catch(error => error)
    expect(message.split('\n')).toEqual([
      `${file}:6:49: bkdsc_b not found in backends, http_response_backends, tunnel_group_backends, weighted_backends or failover_backends. Did you mean bkdsc_a?`,
      `${file}:7:32: duplicate id edghtsrt_a, first used in https_edges[0].routes[0]`,
    ])
  })
})

describe('A fixture listen address', () => {
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
