import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const FIXTURE = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  ip_policies: [
    { id: 'ipp_office', rules: [{ action: 'allow', cidr: '0.0.0.0/0' }] },
    { id: 'ipp_home', rules: [{ id: 'ipr_home', action: 'allow', cidr: '192.0.2.0/24' }] },
  ],
  ip_restrictions: [{ id: 'ipx_api', type: 'api', ip_policy_ids: ['ipp_office'] }],
  tcp_edges: [{ id: 'edgtcp_db', ip_restriction: { ip_policy_ids: ['ipp_home'] } }],
}

const start = (options: object = {}) => simulate({ fixture: FIXTURE, ...options })
type Simulator = Awaited<ReturnType<typeof start>>

const verdict = async ({ call }: Simulator) =>
  (await call('POST', '/_sim/traffic/check', { edge: 'edgtcp_db', source_ip: '192.0.2.7' })).body.verdict
const moduleOf = async ({ call }: Simulator) => (await call('GET', '/edges/tcp/edgtcp_db/ip_restriction')).body

describe('Deleting an IP policy', () => {
  it('succeeds while only modules use it, which then treat it as a policy without rules', async () => {
    const simulator = await start()
    expect(await verdict(simulator)).toBe('allow')
    expect((await simulator.call('DELETE', '/ip_policies/ipp_home')).status).toBe(204)
    expect(await verdict(simulator)).toBe('refuse')
    expect((await moduleOf(simulator)).ip_policies).toMatchObject([{ id: 'ipp_home' }])
    expectError(await simulator.call('GET', '/ip_policy_rules/ipr_home'), 404, 1404)
    const module = { ip_policy_ids: ['ipp_home'] }
    expectError(await simulator.call('PUT', '/edges/tcp/edgtcp_db/ip_restriction', module), 400, 7007)
  })

  it('is recorded in exports, which can be loaded again', async () => {
    const simulator = await start()
    const before = (await simulator.call('GET', '/_sim/state')).body
    expect(before).not.toHaveProperty('missing')
    await simulator.call('DELETE', '/ip_policies/ipp_home')
    const { body: exported } = await simulator.call('GET', '/_sim/state')
    expect(exported.missing).toEqual(['ipp_home'])
    expect((await simulator.call('PUT', '/_sim/state', exported)).status).toBe(204)
    const again = await simulate({ fixture: { ...exported, api_keys: FIXTURE.api_keys } })
    expect((await moduleOf(again)).ip_policies).toMatchObject([{ id: 'ipp_home' }])
    expect(await verdict(again)).toBe('refuse')
    const { missing: _missing, ...rest } = exported
    const rejected = await simulator.call('PUT', '/_sim/state', rest)
    expect(rejected.status).toBe(400)
    expect(rejected.body.msg).toContain('ipp_home not found in ip_policies')
  })

  it('leaves records editable under /_sim/db', async () => {
    const { call } = await start()
    await call('DELETE', '/ip_policies/ipp_home')
    const changed = await call('PATCH', '/_sim/db/tcp_edges/edgtcp_db', { description: 'db' })
    expect(changed.status).toBe(200)
    const other = { ip_restriction: { ip_policy_ids: ['ipp_nowhere'] } }
    expect((await call('PATCH', '/_sim/db/tcp_edges/edgtcp_db', other)).status).toBe(400)
  })

  it('persists after a restart', async () => {
    const db = `${folderWith()}/edgesim.json`
    const first = await start({ db })
    await first.call('DELETE', '/ip_policies/ipp_home')
    await first.close()
    const second = await start({ db })
    expect((await moduleOf(second)).ip_policies).toMatchObject([{ id: 'ipp_home' }])
    expect(await verdict(second)).toBe('refuse')
    expect((await second.call('GET', '/_sim/state')).body.missing).toEqual(['ipp_home'])
    await second.close()
    const third = await simulate({ fixture: db })
    expect(await verdict(third)).toBe('refuse')
  })

  it('allows a scenario that applies state', async () => {
    const { call } = await start()
    await call('DELETE', '/ip_policies/ipp_home')
    const scenario = { state: { users: [{ id: 'usr_other' }] } }
    expect((await call('PUT', '/_sim/scenario', scenario)).status).toBe(200)
  })
})
