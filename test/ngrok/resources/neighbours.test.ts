import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { sandboxesOf } from './sandbox.ts'

const simulated = await simulate({ clock: '2026-05-06T07:08:09Z' })
const { url } = simulated
const sandbox = sandboxesOf(simulated, 'neighbours')

const created_at = '2026-05-06T07:08:09Z'
const ref = (path: string, id: string) => ({ id, uri: `${url}${path}/${id}` })

describe('An IP policy and its rules', () => {
  it('are listed newest first, page by page, across policies', async () => {
    const { send, create } = sandbox()
    const rules: string[] = []
    for (const [i, ip_policy_id] of ['ipp_office', 'ipp_local', 'ipp_office'].entries())
      rules.unshift((await create('/ip_policy_rules', { ip_policy_id, action: 'allow', cidr: `10.${i}.0.0/16` })).id)
    const all: string[] = []
    for (let uri: string | null = '/ip_policy_rules?limit=3'; uri; ) {
      const { body } = await send('GET', uri)
      expect(body.uri).toBe(`${url}/ip_policy_rules`)
      all.push(...body.ip_policy_rules.map(({ id }: { id: string }) => id))
      if (all.length === 3) await send('DELETE', `/ip_policy_rules/${all[2]}`)
      uri = body.next_page_uri?.slice(url.length) ?? null
    }
    const seeded = ['ipr_blocked', 'ipr_local_ipv6', 'ipr_local_ipv4', 'ipr_office_ipv6', 'ipr_office_ipv4']
    expect(all).toEqual([...rules, ...seeded])
  })

  it('affect the next call', async () => {
    const { send, create } = sandbox()
    const { id } = await create('/ip_policies', {})
    await create('/ip_policy_rules', { ip_policy_id: id, action: 'allow', cidr: '127.0.0.0/8' })
    const deny = await create('/ip_policy_rules', { ip_policy_id: id, action: 'deny', cidr: '203.0.113.0/24' })
    await create('/ip_restrictions', { type: 'api', enforced: true, ip_policy_ids: [id] })
    expect((await send('GET', '/api_keys')).status).toBe(200)
    await send('PATCH', `/ip_policy_rules/${deny.id}`, { cidr: '127.0.0.1/32' })
    expectError(await send('GET', '/api_keys'), 403, 220)
  })
})

describe('A TCP edge', () => {
  it('reflects changes at its module paths', async () => {
    const { send } = sandbox()
    const { body: edge } = await send('GET', '/edges/tcp/edgtcp_database')
    await send('PUT', '/edges/tcp/edgtcp_database/ip_restriction', { ip_policy_ids: [] })
    await send('DELETE', '/edges/tcp/edgtcp_database/backend')
    const changed = { backend: null, ip_restriction: { enabled: true, ip_policies: [] } }
    expect((await send('GET', '/edges/tcp/edgtcp_database')).body).toEqual({ ...edge, ...changed })
  })
})

describe('An HTTPS edge and its routes', () => {
  const modules =
    'ip_restriction circuit_breaker compression response_headers webhook_verification oauth ' +
    'saml oidc websocket_tcp_converter user_agent_filter traffic_policy policy'
  const unset = Object.fromEntries(modules.split(' ').map(name => [name, null]))

  it('are created, read, changed and deleted', async () => {
    const { send, create } = sandbox()
    const edge = await create('/edges/https', {})
    const routes = `/edges/https/${edge.id}/routes`
    const route = await create(routes, {
      edge_id: 'ignored',
      match_type: 'exact_path',
      match: '/api',
      backend: { backend_id: 'bkdsc_web' },
      request_headers: { add: { 'X-A': '1' } },
    })
    expect(route).toEqual({
      ...ref(routes, route.id),
      id: expect.stringMatching(/^edghtsrt_\w{27}$/),
      edge_id: edge.id,
      created_at,
      match_type: 'exact_path',
      match: '/api',
      backend: { enabled: true, backend: ref('/backends/static', 'bkdsc_web') },
      request_headers: { enabled: true, add: { 'X-A': '1' }, remove: [] },
      ...unset,
    })
    expect((await send('GET', `${routes}/${route.id}`)).body).toEqual(route)
    expect((await send('GET', `${routes}/${route.id}/request_headers`)).body).toEqual(route.request_headers)
    const changed = await send('PATCH', `${routes}/${route.id}`, { match: '/v2', description: 'd' })
    expect(changed.body).toEqual({ ...route, match: '/v2', description: 'd' })
    const second = await create(routes, { match_type: 'path_prefix', match: '/' })
    expect((await send('GET', `/edges/https/${edge.id}`)).body.routes).toEqual([changed.body, second])
    expect((await send('GET', '/edges/https?limit=1')).body.https_edges[0].routes).toEqual([changed.body, second])
    expect((await send('DELETE', `${routes}/${route.id}`)).status).toBe(204)
    expectError(await send('GET', `${routes}/${route.id}`), 404, 7124)
    expect((await send('DELETE', `/edges/https/${edge.id}`)).status).toBe(204)
    expectError(await send('GET', `${routes}/${second.id}`), 404, 7000)
    expectError(await send('GET', `/edges/https/edghts_web/routes/${second.id}`), 404, 7124)
  })

  it('have unique hostports with port 443, except for local ones', async () => {
    const { send, create } = sandbox()
    // test/contract/record/errors.yaml has the errors.
    const edge = await create('/edges/https', { hostports: ['a.example:443', '127.0.0.1:0', 'http://localhost:0'] })
    await create('/edges/https', { hostports: ['127.0.0.1:0'] })
    await send('PATCH', `/edges/https/${edge.id}`, { hostports: [] })
    await create('/edges/tcp', { hostports: ['a.example:443'] })
  })
})

describe('Every uri in a response', () => {
  it('is readable, including references, routes and pages', async () => {
    const { send } = sandbox()
    const open = ['/ip_restrictions', '/edges/tcp', '/edges/https', '/ip_policy_rules', '/backends/static', '/api_keys']
    const seen = new Set<string>()
    while (open.length > 0) {
      const path = open.pop()!
      if (seen.has(path)) continue
      seen.add(path)
      const { status, body } = await send('GET', path)
      expect({ path, status }).toEqual({ path, status: 200 })
      JSON.stringify(body, (key, value) => {
        if (key === 'uri') open.push(value.slice(url.length))
        return value
      })
    }
    expect([...seen]).toContain('/ip_policies/ipp_blocked')
    expect([...seen]).toContain('/edges/https/edghts_web/routes/edghtsrt_api')
  })
})
