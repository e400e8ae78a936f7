import { describe, expect, it } from 'vitest'
import { type AssumptionName, assumptions, changeable, valuesOf } from '../../src/contract/assumptions.ts'
import { operations } from '../../src/resources/index.ts'
import { folderWith } from '../support/afterwards.ts'
import { type Answer, type CallOptions, expectError } from '../support/http.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

type Send = (method: string, path: string, body?: unknown, how?: CallOptions) => Promise<Answer>
type Try = (send: Send) => Promise<void>

const restriction = { type: 'agent', ip_policy_ids: ['ipp_office'] }
const MODULE = '/edges/tcp/edgtcp_ssh/ip_restriction'
const HEADERS = '/edges/https/edghts_web/routes/edghtsrt_static/request_headers'

async function expectBody(answer: Promise<Answer>, status: number, body: Record<string, unknown>) {
  const { status: given, body: shown } = await answer
  expect({ status: given, body: shown }).toEqual({ status, body })
}
const expectStatus = async (answer: Promise<Answer>, status: number) => expect((await answer).status).toBe(status)

async function patchPolicies(send: Send, before: string[], after: string[]) {
  const { body } = await send('POST', '/ip_restrictions', { ...restriction, ip_policy_ids: before })
  const answer = await send('PATCH', `/ip_restrictions/${body.id}`, { description: 'd', ip_policy_ids: after })
  const { body: kept } = await send('GET', `/ip_restrictions/${body.id}`)
  return { answer, kept: kept.ip_policies.map(({ id }: { id: string }) => id) }
}

const listedBy = async (send: Send, token: string) =>
  (await send('GET', '/api_keys', undefined, { token })).body.keys.map(({ id }: { id: string }) => id)

/** What the status of a managed certificate shows when it should be there. */
async function provision(send: Send) {
  const { body } = await send('POST', '/reserved_domains', {
    domain: 'managed.example.com',
    certificate_management_policy: { authority: 'letsencrypt' },
  })
  await send('PUT', '/_sim/clock', { advance: '1m' })
  const { body: domain } = await send('GET', `/reserved_domains/${body.id}`)
  return domain.certificate_management_status.provisioning_job?.error_code ?? null
}

/** The backends inside one after an update that does not give them. */
async function afterUpdate(send: Send, path: string) {
  await expectStatus(send('PATCH', `/backends/${path}`, { metadata: 'new' }), 200)
  return (await send('GET', `/backends/${path}`)).body.backends
}

const unreserved = { type: 'cloud', url: 'https://unreserved.example.com', traffic_policy: '{}' }

/** The effect of each value of each assumption on a request. */
const tries: Partial<Record<AssumptionName, Record<string, Try>>> = {
  missing_version: {
    reject: async send => void expectError(await send('GET', '/api_keys', undefined, { version: null }), 400, 218),
    accept: send => expectStatus(send('GET', '/api_keys', undefined, { version: null }), 200),
  },
  certificate_provisioning: {
    succeeds: async send => expect(await provision(send)).toBeNull(),
    fails: async send => expect(await provision(send)).toBe('DNS_ERROR'),
  },
  endpoint_domain: {
    reject: async send => void expectError(await send('POST', '/endpoints', unreserved), 400, 18006),
    reserve: send => expectStatus(send('POST', '/endpoints', unreserved), 201),
  },
  edge_hostports: {
    any: send => expectStatus(send('POST', '/edges/tls', { hostports: ['unreserved.example.com:443'] }), 201),
    async reserved(send) {
      const hostports = ['unreserved.example.com:443']
      const { msg } = expectError(await send('POST', '/edges/tls', { hostports }), 400, 7117)
      expect(msg).toContain('To allow any: --assume edge_hostports=any')
      await send('POST', '/reserved_domains', { domain: 'unreserved.example.com' })
      await expectStatus(send('POST', '/edges/tls', { hostports }), 201)
    },
  },
  wrong_version: {
    reject: async send => void expectError(await send('GET', '/api_keys', undefined, { version: '1' }), 400, 217),
    accept: send => expectStatus(send('GET', '/api_keys', undefined, { version: '1' }), 200),
  },
  unknown_field: {
    async reject(send) {
      expectError(await send('POST', '/api_keys', { descripton: 'x' }), 400, 214)
      expectError(await send('PATCH', '/api_keys/ak_ci', { owner_id: 'usr_admin' }), 400, 214)
      expectError(await send('PUT', MODULE, { enable: true }), 400, 214)
    },
    async ignore(send) {
      const created = await send('POST', '/api_keys', { descripton: 'x', metadata: 'm', __proto__: 1 })
      expect(created.status).toBe(201)
      expect(created.body).toMatchObject({ metadata: 'm' })
      expect(created.body).not.toHaveProperty('descripton')
      const updated = await send('PATCH', '/api_keys/ak_ci', { owner_id: 'usr_admin', description: 'd' })
      expect(updated.body).toMatchObject({ owner_id: 'bot_ci', description: 'd' })
      await expectBody(send('PUT', MODULE, { enable: false }), 200, { enabled: true, ip_policies: [] })
    },
  },
  unknown_query: {
    async ignore(send) {
      await expectStatus(send('GET', '/api_keys?order=asc'), 200)
      await expectStatus(send('POST', '/api_keys?limit=0'), 201)
    },
    async reject(send) {
      const { details } = expectError(await send('GET', '/api_keys?limt=1'), 400, 231)
      expect(details).toMatchObject({ field: 'limt', nearest: 'limit' })
      expectError(await send('POST', '/api_keys?limit=1'), 400, 231)
      expectError(await send('GET', '/api_keys/ak_admin?x'), 400, 231)
      await expectStatus(send('GET', '/api_keys?limit=1&beforeId=ak_ci'), 200)
    },
  },
  unknown_reference: {
    async reject(send) {
      expectError(await send('POST', '/ip_restrictions', { ...restriction, ip_policy_ids: ['ipp_none'] }), 400, 1801)
      expectError(await send('PUT', MODULE, { ip_policy_ids: ['ipp_none'] }), 400, 7007)
    },
    async accept(send) {
      const created = await send('POST', '/ip_restrictions', { ...restriction, ip_policy_ids: ['ipp_none'] })
      expect(created.status).toBe(201)
      expect(created.body.ip_policies).toMatchObject([{ id: 'ipp_none' }])
      expect((await send('PUT', MODULE, { ip_policy_ids: ['ipp_none'] })).body.ip_policies).toHaveLength(1)
      expectError(await send('POST', '/api_keys', { owner_id: 'usr_nobody' }), 400, 223)
    },
  },
  absent_module: {
    async not_found(send) {
      expectError(await send('GET', MODULE), 404, 404)
      expectError(await send('GET', HEADERS), 404, 404)
    },
    async defaults(send) {
      await expectBody(send('GET', MODULE), 200, { enabled: false, ip_policies: [] })
      await expectBody(send('GET', HEADERS), 200, { enabled: false, add: {}, remove: [] })
      await send('PUT', MODULE, {})
      await expectBody(send('GET', MODULE), 200, { enabled: true, ip_policies: [] })
      await send('DELETE', MODULE)
      await expectBody(send('GET', MODULE), 200, { enabled: false, ip_policies: [] })
      expectError(await send('GET', '/edges/tcp/edgtcp_none/ip_restriction'), 404, 7000)
    },
  },
  delete_absent_module: {
    async succeed(send) {
      await expectStatus(send('DELETE', MODULE), 204)
      await expectStatus(send('DELETE', HEADERS), 204)
    },
    async not_found(send) {
      expectError(await send('DELETE', MODULE), 404, 404)
      expectError(await send('DELETE', HEADERS), 404, 404)
      await send('PUT', MODULE, {})
      await expectStatus(send('DELETE', MODULE), 204)
      expectError(await send('DELETE', MODULE), 404, 404)
    },
  },
  restriction_without_policies: {
    accept: send => expectStatus(send('POST', '/ip_restrictions', { type: 'agent' }), 201),
    async reject(send) {
      expectError(await send('POST', '/ip_restrictions', { type: 'agent' }), 400, 1804)
      expectError(await send('POST', '/ip_restrictions', { ...restriction, ip_policy_ids: [] }), 400, 1804)
      await expectStatus(send('POST', '/ip_restrictions', restriction), 201)
      expect((await patchPolicies(send, ['ipp_office'], [])).answer.status).toBe(200)
    },
  },
  restrictions_per_type: {
    async many(send) {
      for (let i = 0; i < 2; i++) await expectStatus(send('POST', '/ip_restrictions', restriction), 201)
    },
    async one(send) {
      const { body: first } = await send('POST', '/ip_restrictions', restriction)
      const { msg } = expectError(await send('POST', '/ip_restrictions', restriction), 400, 1802)
      expect(msg).toContain(first.id)
      await expectStatus(send('POST', '/ip_restrictions', { ...restriction, type: 'api' }), 201)
      await expectStatus(send('PATCH', `/ip_restrictions/${first.id}`, { description: 'x' }), 200)
      await expectStatus(send('DELETE', `/ip_restrictions/${first.id}`), 204)
      await expectStatus(send('POST', '/ip_restrictions', restriction), 201)
    },
  },
  empty_policy_list_on_update: {
    async clear(send) {
      const { answer, kept } = await patchPolicies(send, ['ipp_office'], [])
      expect({ status: answer.status, kept }).toEqual({ status: 200, kept: [] })
    },
    async keep(send) {
      const { answer, kept } = await patchPolicies(send, ['ipp_office', 'ipp_local'], [])
      expect({ status: answer.status, kept }).toEqual({ status: 200, kept: ['ipp_office', 'ipp_local'] })
      expect(answer.body.description).toBe('d')
      expect((await patchPolicies(send, ['ipp_office'], ['ipp_local'])).kept).toEqual(['ipp_local'])
    },
    async reject(send) {
      const { answer, kept } = await patchPolicies(send, ['ipp_office'], [])
      expectError(answer, 400, 1804)
      expect(kept).toEqual(['ipp_office'])
      expect((await patchPolicies(send, [], [])).answer.status).toBe(200)
    },
  },
  other_owners_keys: {
    async allow(send) {
      expect(await listedBy(send, 'sim_member')).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
      await expectStatus(send('PATCH', '/api_keys/ak_ci', { description: 'x' }, { token: 'sim_member' }), 200)
      await expectStatus(send('DELETE', '/api_keys/ak_ci', undefined, { token: 'sim_member' }), 204)
    },
    async forbid(send) {
      const how = { token: 'sim_member' }
      expectError(await send('GET', '/api_keys/ak_ci', undefined, how), 403, 403)
      expectError(await send('PATCH', '/api_keys/ak_ci', {}, how), 403, 403)
      expectError(await send('DELETE', '/api_keys/ak_ci', undefined, how), 403, 403)
      await expectStatus(send('PATCH', '/api_keys/ak_member', {}, how), 200)
      expect(await listedBy(send, 'sim_member')).toEqual(['ak_member'])
      expect(await listedBy(send, 'sim_admin')).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
      const { body: page } = await send('GET', '/api_keys?limit=1', undefined, how)
      expect(page.next_page_uri).toBeNull()
      await expectStatus(send('GET', '/ip_restrictions/ipx_dashboard', undefined, how), 200)
    },
  },
  page_order: {
    newest_first: async send => expect(await listedBy(send, 'sim_admin')).toEqual(['ak_ci', 'ak_member', 'ak_admin']),
    oldest_first: async send => expect(await listedBy(send, 'sim_admin')).toEqual(['ak_admin', 'ak_member', 'ak_ci']),
  },
  no_policies_attached: {
    async pass(send) {
      await expectStatus(send('POST', '/ip_restrictions', { type: 'api', enforced: true }), 201)
      await expectStatus(send('GET', '/api_keys'), 200)
    },
    async refuse(send) {
      await expectStatus(send('POST', '/ip_restrictions', { type: 'api', enforced: false }), 201)
      await expectStatus(send('POST', '/ip_restrictions', { type: 'api', enforced: true }), 201)
      const { msg } = expectError(await send('GET', '/api_keys'), 403, 220)
      expect(msg).toContain('no_policies_attached=refuse')
    },
  },
  unset_text: {
    async omit(send) {
      for (const path of ['/api_keys/ak_ci', '/ip_restrictions/ipx_endpoints', '/ip_policies/ipp_office'])
        expect((await send('GET', path)).body).not.toHaveProperty('metadata')
    },
    async empty(send) {
      expect((await send('GET', '/api_keys/ak_ci')).body).toMatchObject({ description: '', metadata: '' })
      expect((await send('GET', '/ip_restrictions/ipx_endpoints')).body).toMatchObject({
        description: '',
        metadata: '',
      })
      const { body } = await send('POST', '/ip_policies', { description: 'd' })
      expect(body).toMatchObject({ description: 'd', metadata: '' })
      expect((await send('GET', '/ip_policies')).body.ip_policies[0]).toEqual(body)
      const { body: edge } = await send('GET', '/edges/https/edghts_web')
      expect(edge.routes[0]).toMatchObject({ description: '', metadata: '' })
    },
  },
  module_without_policies: {
    async accept(send) {
      await expectStatus(send('PUT', MODULE, {}), 200)
      await expectStatus(send('PATCH', '/edges/tcp/edgtcp_ssh', { ip_restriction: { enabled: false } }), 200)
    },
    async reject(send) {
      expect(expectError(await send('PUT', MODULE, {}), 400, 7025).details.field).toBe('ip_policy_ids')
      const inline = await send('POST', '/edges/tcp', { ip_restriction: { ip_policy_ids: [] } })
      expect(expectError(inline, 400, 7025).details.field).toBe('ip_restriction.ip_policy_ids')
      await expectStatus(send('PATCH', '/edges/tcp/edgtcp_ssh', { description: 'd' }), 200)
      await expectStatus(send('PUT', MODULE, { ip_policy_ids: ['ipp_office'] }), 200)
    },
  },
  neighbours: {
    serve: send => expectStatus(send('GET', '/edges/https/edghts_web/routes/edghtsrt_api'), 200),
    async absent(send) {
      const neighbours = operations.filter(({ neighbour }) => neighbour)
      for (const { method, path } of neighbours) {
        const { msg } = expectError(await send(method, path.replace(/\{\w+\}/g, 'x')), 404, 404)
        expect(msg).toMatch(/^There is no path /)
      }
      expectError(await send('PUT', '/ip_policies'), 404, 404)
      await expectStatus(send('GET', '/edges/tcp/edgtcp_database/ip_restriction'), 200)
      await expectStatus(send('GET', '/ip_restrictions'), 200)
    },
  },
  delete_referenced: {
    async documented(send) {
      expect(expectError(await send('DELETE', '/ip_policies/ipp_office'), 400, 1420).msg).toContain('ipx_dashboard')
      const inUse = await send('DELETE', '/backends/static/bkdsc_database')
      expect(expectError(inUse, 400, null).msg).toContain('edgtcp_database')
      expect(expectError(await send('DELETE', '/backends/static/bkdsc_web'), 400, 6502).msg).toContain('bkdwd_canary')
      const { body } = await send('POST', '/ip_policies')
      await send('PUT', MODULE, { ip_policy_ids: [body.id] })
      await expectStatus(send('DELETE', `/ip_policies/${body.id}`), 204)
      expect((await send('GET', MODULE)).body.ip_policies).toMatchObject([{ id: body.id }])
    },
    async reject(send) {
      const { msg } = expectError(await send('DELETE', '/ip_policies/ipp_office'), 400, 400)
      expect(msg).toMatch(/is used by ipx_dashboard, ipx_endpoints, edgtcp_database\. .*delete_referenced=detach/)
      expect(expectError(await send('DELETE', '/backends/static/bkdsc_web'), 400, 400).msg).toContain('edghtsrt_api')
      await expectStatus(send('GET', '/ip_policies/ipp_office'), 200)
    },
    async detach(send) {
      await expectStatus(send('DELETE', '/ip_policies/ipp_office'), 204)
      expect((await send('GET', '/ip_restrictions/ipx_endpoints')).body.ip_policies).toMatchObject([
        { id: 'ipp_local' },
        { id: 'ipp_blocked' },
      ])
      await expectBody(send('GET', '/edges/tcp/edgtcp_database/ip_restriction'), 200, {
        enabled: true,
        ip_policies: [],
      })
      await expectStatus(send('DELETE', '/backends/static/bkdsc_web'), 204)
      const route = '/edges/https/edghts_web/routes/edghtsrt_api'
      await expectBody(send('GET', `${route}/backend`), 200, { enabled: true, backend: null })
      expect((await send('GET', '/backends/failover/bkdfo_web')).body.backends).toEqual(['bkdhr_maintenance'])
      expect((await send('GET', '/backends/weighted/bkdwd_canary')).body.backends).toEqual({ bkdtg_web: 1 })
    },
  },
  list_filter: {
    async documented(send) {
      const { body } = await send('GET', '/api_keys?filter=obj.id%20%3D%3D%20%22ak_ci%22')
      expect(body.keys).toMatchObject([{ id: 'ak_ci' }])
    },
    async ignore(send) {
      expect((await send('GET', '/api_keys?filter=%28')).body.keys).toHaveLength(3)
    },
    async reject(send) {
      expect(expectError(await send('GET', '/api_keys?filter=true'), 400, 231).details.field).toBe('filter')
      await expectStatus(send('GET', '/edges/tcp?filter=true'), 200)
    },
  },
  empty_update: {
    async documented(send) {
      const { msg } = expectError(await send('PATCH', '/ip_policies/ipp_office', { id: 'ipp_office' }), 400, 1400)
      expect(msg).toMatch(/Allowed: description, metadata\. .*--assume empty_update=accept/)
      expectError(await send('PATCH', '/ip_policy_rules/ipr_office_ipv4', { cidr: '' }), 400, 1401)
      expectError(await send('PATCH', '/ip_policies/ipp_none', {}), 404, 1402)
      await expectStatus(send('PATCH', '/ip_policies/ipp_office', { description: '' }), 200)
      await expectStatus(send('PATCH', '/api_keys/ak_ci', {}), 200)
    },
    async accept(send) {
      await expectStatus(send('PATCH', '/ip_policies/ipp_office', {}), 200)
      await expectStatus(send('PATCH', '/ip_policy_rules/ipr_office_ipv4', {}), 200)
    },
  },
  empty_text_on_update: {
    async keep(send) {
      const { body } = await send('PATCH', '/backends/static/bkdsc_web', { description: 'new', address: '', tls: {} })
      const { body: before } = await send('GET', '/backends/static/bkdsc_web')
      expect(body).toEqual(before)
      expect(body).toMatchObject({ description: 'new', address: expect.stringMatching(/:\d+$/) })
    },
    async reject(send) {
      expectError(await send('PATCH', '/backends/static/bkdsc_web', { description: 'new', address: '' }), 400, 6506)
    },
  },
  edges: {
    available: send => expectStatus(send('DELETE', '/edges/tcp/edgtcp_ssh'), 204),
    async read_only(send) {
      await expectStatus(send('GET', '/edges/tcp/edgtcp_ssh'), 200)
      expectError(await send('DELETE', MODULE), 403, 7196)
    },
    gone: async send => void expectError(await send('GET', '/edges/tcp'), 410, 7008),
  },
  backends_on_update: {
    async clear(send) {
      expect(await afterUpdate(send, 'failover/bkdfo_web')).toEqual([])
      expect(await afterUpdate(send, 'weighted/bkdwd_canary')).toEqual({})
    },
    async keep(send) {
      expect(await afterUpdate(send, 'failover/bkdfo_web')).toEqual(['bkdsc_web', 'bkdhr_maintenance'])
      expect(await afterUpdate(send, 'weighted/bkdwd_canary')).toEqual({ bkdsc_web: 9, bkdtg_web: 1 })
    },
  },
  header_limits: {
    async documented(send) {
      expectError(await send('PUT', HEADERS, { remove: ['a', 'b', 'c', 'd', 'e', 'f'] }), 400, 7015)
      expectError(await send('PUT', HEADERS, { remove: ['User-Agent'] }), 400, 7023)
    },
    async wide(send) {
      const module = { enabled: true, add: { 'User-Agent': 'x' }, remove: ['a', 'b', 'c', 'd', 'e', 'f'] }
      await expectBody(send('PUT', HEADERS, module), 200, module)
    },
  },
}

/** That about traffic is tested in test/traffic/, and that about the number of requests in test/scenarios/. */
const TESTED_ELSEWHERE: AssumptionName[] = ['add_existing_header', 'rate_limit']
const switchable = changeable().filter(name => !TESTED_ELSEWHERE.includes(name))

it('Every value of every assumption has a test', () => {
  const tried = Object.entries(tries).map(([name, byValue]) => [name, Object.keys(byValue).sort()])
  const known = switchable.map(name => [name, valuesOf(name).sort()])
  expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(known))
})

describe.each(switchable)('%s', name => {
  it.each(valuesOf(name))('%s decides as it says, and is named in the journal', async value => {
    const assume = value === assumptions[name].values[0] ? {} : { [name]: value }
    const { call, close } = await simulate({ assume })
    await tries[name]![value]!(call)
    const { body: journal } = await call('GET', '/_sim/requests')
    const noted = journal.requests.flatMap((entry: { assumptions: unknown[] }) => entry.assumptions)
    expect(noted).toContainEqual({ name, value })
    const { body: listed } = await call('GET', '/_sim/assumptions')
    expect(listed.assumptions).toContainEqual(expect.objectContaining({ name, value }))
    await close()
  })
})

describe('unknown_reference=accept', () => {
  const fixture = {
    users: [{ id: 'usr_a', admin: true }],
    ip_restrictions: [{ id: 'ipx_a', type: 'agent', ip_policy_ids: ['ipp_missing'] }],
  }
  const assume = { unknown_reference: 'accept' }

  it('does not let a backend contain one of a kind that it may not', async () => {
    const { call } = await simulate({ assume })
    const { body } = await call('POST', '/backends/failover', {})
    expectError(await call('POST', '/backends/failover', { backends: [body.id] }), 400, 6525)
  })

  it('applies to fixtures, exports and the states of scenarios', async () => {
    await expect(simulate({ fixture })).rejects.toThrow(/no ipp_missing/)
    const first = await simulate({ fixture, assume })
    const { body: state } = await first.call('GET', '/_sim/state')
    const second = await simulate({
      fixture: state,
      assume,
      scenario: { state: { ip_restrictions: [{ id: 'ipx_a', enforced: true }] } },
    })
    expect((await second.call('GET', '/_sim/state')).body.ip_restrictions[0]).toMatchObject({ enforced: true })
    expect((await second.call('PUT', '/_sim/scenario', { state: { users: [{ id: 'usr_b' }] } })).status).toBe(200)
  })

  it('can be given to validate', async () => {
    const scenario = { state: { ip_restrictions: fixture.ip_restrictions } }
    const folder = folderWith({ 'fixture.json': fixture, 'scenario.json': scenario })
    for (const file of ['fixture.json', 'scenario.json']) {
      expect((await edgesimHere(['validate', file], { cwd: folder })).code).toBe(2)
      expect(
        (await edgesimHere(['validate', '--assume', 'unknown_reference=accept', file], { cwd: folder })).code,
      ).toBe(0)
    }
  })
})
