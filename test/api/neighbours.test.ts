import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, url, token } = await simulate({ clock: '2026-05-06T07:08:09Z' })

/** Each test has its own sandbox. */
let sandboxes = 0
function sandbox() {
  const name = `sandbox-${++sandboxes}`
  const how = { token: `${token}~${name}` }
  const send = (method: string, path: string, body?: unknown) => call(method, path, body, how)
  const sim = (method: string, path: string, body?: unknown) => call(method, `/_sim/sandboxes/${name}${path}`, body)
  const create = async (path: string, body: unknown) => {
    const answer = await send('POST', path, body)
    expect(answer.status).toBe(201)
    return answer.body
  }
  const lastChange = async () => (await sim('GET', '/requests')).body.requests[0].change
  return { send, sim, create, lastChange }
}

const created_at = '2026-05-06T07:08:09Z'
const ref = (path: string, id: string) => ({ id, uri: `${url}${path}/${id}` })

describe('An IP policy and its rules', () => {
  it('are created, read, changed and deleted', async () => {
    const { send, create } = sandbox()
    const policy = await create('/ip_policies', { description: 'Home', metadata: '' })
    expect(policy).toEqual({
      ...ref('/ip_policies', policy.id),
      id: expect.stringMatching(/^ipp_\w{27}$/),
      created_at,
      description: 'Home',
    })
    const given = { ip_policy_id: policy.id, cidr: '192.0.2.0/24', action: 'deny', metadata: 'm' }
    const rule = await create('/ip_policy_rules', given)
    expect(rule).toEqual({
      ...ref('/ip_policy_rules', rule.id),
      id: expect.stringMatching(/^ipr_\w{27}$/),
      created_at,
      cidr: '192.0.2.0/24',
      action: 'deny',
      metadata: 'm',
      ip_policy: ref('/ip_policies', policy.id),
    })
    expect((await send('GET', `/ip_policy_rules/${rule.id}`)).body).toEqual(rule)
    const changed = await send('PATCH', `/ip_policy_rules/${rule.id}`, { id: 'x', cidr: '::/0', description: 'all' })
    expect(changed).toMatchObject({ status: 200, body: { ...rule, cidr: '::/0', description: 'all' } })
    expect((await send('DELETE', `/ip_policy_rules/${rule.id}`)).status).toBe(204)
    expectError(await send('GET', `/ip_policy_rules/${rule.id}`), 404, 1404)
    expect((await send('PATCH', `/ip_policies/${policy.id}`, { description: '' })).body).not.toHaveProperty(
      'description',
    )
    expect((await send('DELETE', `/ip_policies/${policy.id}`)).status).toBe(204)
    expectError(await send('GET', `/ip_policies/${policy.id}`), 404, 1402)
  })

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

  it('are deleted together, in one change', async () => {
    const { send, create, lastChange } = sandbox()
    const { id } = await create('/ip_policies', {})
    const rule = await create('/ip_policy_rules', { ip_policy_id: id, action: 'allow', cidr: '10.0.0.0/8' })
    expect((await send('DELETE', `/ip_policies/${id}`)).status).toBe(204)
    expect((await lastChange()).ops).toMatchObject([
      { table: 'ip_policy_rules', id: rule.id, after: null },
      { table: 'ip_policies', id, after: null },
    ])
    expectError(await send('GET', `/ip_policy_rules/${rule.id}`), 404, 1404)
  })
})

describe('A static backend', () => {
  it('is created, read, changed, listed and deleted', async () => {
    const { send, create } = sandbox()
    const backend = await create('/backends/static', { address: 'example.com:443', tls: { enabled: true } })
    expect(backend).toEqual({
      ...ref('/backends/static', backend.id),
      id: expect.stringMatching(/^bkdsc_\w{27}$/),
      created_at,
      address: 'example.com:443',
      tls: { enabled: true },
    })
    const changed = await send('PATCH', `/backends/static/${backend.id}`, { address: '[::1]:80', tls: {} })
    expect(changed.body).toEqual({ ...backend, address: '[::1]:80' })
    expect((await send('GET', '/backends/static?limit=1')).body.backends).toEqual([changed.body])
    expect((await send('DELETE', `/backends/static/${backend.id}`)).status).toBe(204)
    expect((await create('/backends/static', { address: 'a:1', tls: null })).tls).toEqual({ enabled: false })
  })
})

describe('A TCP edge', () => {
  const whole = {
    description: 'db',
    hostports: ['new.example.com:5432', '127.0.0.1:0'],
    backend: { backend_id: 'bkdsc_database' },
    ip_restriction: { enabled: false, ip_policy_ids: ['ipp_office', 'ipp_office'] },
  }

  it('is created with its modules, which have the same values at their own paths', async () => {
    const { send, create, lastChange } = sandbox()
    const edge = await create('/edges/tcp', whole)
    expect((await lastChange()).ops).toHaveLength(1)
    const backend = { enabled: true, backend: ref('/backends/static', 'bkdsc_database') }
    const restriction = { enabled: false, ip_policies: [ref('/ip_policies', 'ipp_office')] }
    expect(edge).toEqual({
      ...ref('/edges/tcp', edge.id),
      id: expect.stringMatching(/^edgtcp_\w{27}$/),
      created_at,
      description: 'db',
      hostports: whole.hostports,
      backend,
      ip_restriction: restriction,
      traffic_policy: null,
      policy: null,
    })
    expect((await send('GET', `/edges/tcp/${edge.id}/backend`)).body).toEqual(backend)
    expect((await send('GET', `/edges/tcp/${edge.id}/ip_restriction`)).body).toEqual(restriction)
    await send('PUT', `/edges/tcp/${edge.id}/ip_restriction`, { ip_policy_ids: [] })
    await send('DELETE', `/edges/tcp/${edge.id}/backend`)
    expect((await send('GET', `/edges/tcp/${edge.id}`)).body).toEqual({
      ...edge,
      backend: null,
      ip_restriction: { enabled: true, ip_policies: [] },
    })
  })

  it('is changed field by field; a module that is given is replaced, one that is null or not given stays', async () => {
    const { send } = sandbox()
    const patched = await send('PATCH', '/edges/tcp/edgtcp_database', {
      hostports: [],
      backend: { enabled: false },
      ip_restriction: null,
    })
    expect(patched.body).toMatchObject({
      description: 'The database',
      hostports: [],
      backend: { enabled: false, backend: null },
      ip_restriction: { enabled: true, ip_policies: [{ id: 'ipp_office' }] },
    })
  })

  it('is listed and deleted, and is then 404', async () => {
    const { send, create } = sandbox()
    const { id } = await create('/edges/tcp', {})
    const { body } = await send('GET', '/edges/tcp')
    expect(body.tcp_edges.map((edge: { id: string }) => edge.id)).toEqual([id, 'edgtcp_ssh', 'edgtcp_database'])
    expect(body.tcp_edges[0]).toMatchObject({ hostports: null, backend: null, ip_restriction: null })
    expect((await send('DELETE', `/edges/tcp/${id}`)).status).toBe(204)
    for (const path of ['', '/ip_restriction', '/backend'])
      expectError(await send('GET', `/edges/tcp/${id}${path}`), 404, 7000)
    expectError(await send('GET', '/edges/tcp/nope'), 404, 7001)
  })
})

describe('An HTTPS edge and its routes', () => {
  const unset = {
    ip_restriction: null,
    circuit_breaker: null,
    compression: null,
    response_headers: null,
    webhook_verification: null,
    oauth: null,
    saml: null,
    oidc: null,
    websocket_tcp_converter: null,
    user_agent_filter: null,
    traffic_policy: null,
    policy: null,
  }

  it('are created, read, changed and deleted', async () => {
    const { send, create } = sandbox()
    const edge = await create('/edges/https', { hostports: ['*.example.com:443', 'http://127.0.0.1:0'] })
    expect(edge).toEqual({
      ...ref('/edges/https', edge.id),
      id: expect.stringMatching(/^edghts_\w{27}$/),
      created_at,
      hostports: ['*.example.com:443', 'http://127.0.0.1:0'],
      mutual_tls: null,
      tls_termination: null,
      routes: [],
    })
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

  it('have addresses with port 443, but for those on this machine; each belongs to one edge', async () => {
    const { send, create } = sandbox()
    const { msg } = expectError(await send('POST', '/edges/https', { hostports: ['a.example:8443'] }), 400, 7116)
    expect(msg).toMatch(/port 443.*received "a\.example:8443"/)
    const edge = await create('/edges/https', { hostports: ['a.example:443', '127.0.0.1:0', 'http://localhost:0'] })
    const taken = expectError(await send('POST', '/edges/https', { hostports: ['a.example:443'] }), 400, 7122)
    expect(taken.msg).toContain(`the edge ${edge.id} already has a.example:443`)
    expectError(await send('POST', '/edges/tcp', { hostports: ['a.example:443'] }), 400, 7122)
    await create('/edges/https', { hostports: ['127.0.0.1:0'] })
    const same = { hostports: ['a.example:443'], description: 'kept' }
    expect((await send('PATCH', `/edges/https/${edge.id}`, same)).status).toBe(200)
    await send('PATCH', `/edges/https/${edge.id}`, { hostports: [] })
    await create('/edges/tcp', { hostports: ['a.example:443'] })
  })

  it('have no list operation for routes', async () => {
    const answer = await sandbox().send('GET', '/edges/https/edghts_web/routes')
    expectError(answer, 405, 405)
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('Every uri in an answer', () => {
  it('can be read: those of references, routes and pages too', async () => {
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
