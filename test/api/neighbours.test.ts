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

  it.each([
    ['a CIDR with a bad mask', { cidr: '10.0.0.0/33' }, 1406, 'cidr', /CIDR block like/],
    ['a CIDR that is an address', { cidr: '10.0.0.1' }, 1413, 'cidr', /has no mask\. Did you mean 10\.0\.0\.1\/32\?/],
    ['a CIDR with host bits', { cidr: '10.1.2.3/8' }, 1409, 'cidr', /lowest address .*mean 10\.0\.0\.0\/8\?/],
    ['an IPv6 CIDR with host bits', { cidr: '2001:db8::1/32' }, 1409, 'cidr', /mean 2001:db8::\/32\?/],
    [
      'a CIDR that the policy has',
      { ip_policy_id: 'ipp_local', cidr: '127.0.0.0/8' },
      1408,
      'cidr',
      /rule ipr_local_ipv4 already has/,
    ],
    ['no CIDR', { cidr: null }, 1405, 'cidr', /must be given/],
    ['no action', { action: undefined }, 1422, 'action', /one of allow, deny/],
    ['an invalid action', { action: 'drop' }, 1422, 'action', /one of allow, deny/],
    ['no policy', { ip_policy_id: undefined }, 1405, 'ip_policy_id', /must be given/],
    [
      'a policy that does not exist',
      { ip_policy_id: 'ipp_ofice' },
      1414,
      'ip_policy_id',
      /an IP policy; .*mean ipp_office/,
    ],
  ])('are refused for %s, and nothing changes', async (_, wrong, code, field, says) => {
    const { send, lastChange } = sandbox()
    const answer = await send('POST', '/ip_policy_rules', {
      ip_policy_id: 'ipp_office',
      action: 'allow',
      cidr: '198.51.100.0/24',
      ...wrong,
    })
    const { msg, details } = expectError(answer, 400, code)
    expect(details.field).toBe(field)
    expect(msg).toMatch(says)
    expect(await lastChange()).toBeNull()
  })

  it('keep policy and action: an update cannot change either', async () => {
    const { send } = sandbox()
    for (const wrong of [{ ip_policy_id: 'ipp_local' }, { action: 'deny' }])
      expect(expectError(await send('PATCH', '/ip_policy_rules/ipr_office_ipv4', wrong), 400, 214).msg).toContain(
        'is set when the IP policy rule is created',
      )
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

  it.each([
    ['no address', {}, 6505, 'address'],
    ['an empty address', { address: '' }, 6505, 'address'],
    ['an address without a port', { address: 'example.com' }, 6506, 'address'],
    ['an address without a host', { address: ':80' }, 6507, 'address'],
    ['a port of 0', { address: 'example.com:0' }, 6506, 'address'],
    ['a URL', { address: 'http://example.com:80' }, 6506, 'address'],
    ['a description that is too long', { address: 'a:1', description: 'x'.repeat(256) }, 6503, 'description'],
    ['metadata that is too long', { address: 'a:1', metadata: 'x'.repeat(4097) }, 6504, 'metadata'],
    ['tls that is not an object', { address: 'a:1', tls: true }, 215, 'tls'],
    ['tls.enabled that is not a boolean', { address: 'a:1', tls: { enabled: 'yes' } }, 215, 'tls.enabled'],
  ])('is refused for %s', async (_, body, code, field) => {
    expect(expectError(await sandbox().send('POST', '/backends/static', body), 400, code).details.field).toBe(field)
  })

  it('is refused for an unknown member of tls, with its name', async () => {
    const answer = await sandbox().send('POST', '/backends/static', { address: 'a:1', tls: { enable: true } })
    const { details, msg } = expectError(answer, 400, 214)
    expect(details.field).toBe('tls.enable')
    expect(msg).toContain('Did you mean enabled?')
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

  it.each([
    ['a hostport without a port', { hostports: ['example.com'] }, 7104, 'hostports[0]'],
    ['a hostport with a scheme', { hostports: ['http://127.0.0.1:0'] }, 7104, 'hostports[0]'],
    ['a port that there is not', { hostports: ['example.com:65536'] }, 7112, 'hostports[0]'],
    ['port 0 of another machine', { hostports: ['example.com:0'] }, 7112, 'hostports[0]'],
    ['a hostport of another edge', { hostports: ['db.example.com:5432'] }, 7122, 'hostports'],
    ['a description that is too long', { description: 'x'.repeat(256) }, 7073, 'description'],
    ['metadata that is too long', { metadata: 'x'.repeat(4097) }, 7074, 'metadata'],
    ['a backend that does not exist', { backend: { backend_id: 'bkdsc_x' } }, 6501, 'backend.backend_id'],
    [
      'a backend of another kind that does not exist',
      { backend: { backend_id: 'bkdtg_x' } },
      6501,
      'backend.backend_id',
    ],
    ['what is not the id of a backend', { backend: { backend_id: 'x' } }, 242, 'backend.backend_id'],
    [
      'what is not the id of a policy',
      { ip_restriction: { ip_policy_ids: ['x'] } },
      229,
      'ip_restriction.ip_policy_ids',
    ],
    [
      'a policy that does not exist',
      { ip_restriction: { ip_policy_ids: ['ipp_x'] } },
      7007,
      'ip_restriction.ip_policy_ids',
    ],
    ['an invalid module', { backend: 'bkdsc_database' }, 215, 'backend'],
    ['an unknown member of a module', { backend: { id: 'bkdsc_database' } }, 214, 'backend.id'],
    ['a listen address, which only a fixture has', { listen: '127.0.0.1:0' }, 214, 'listen'],
  ])('is refused for %s, and nothing changes', async (_, body, code, field) => {
    const { send, sim, lastChange } = sandbox()
    await sim('PATCH', '/db/tcp_edges/edgtcp_database', { hostports: ['db.example.com:5432'] })
    expect(expectError(await send('POST', '/edges/tcp', body), 400, code).details.field).toBe(field)
    expect(expectError(await send('PATCH', '/edges/tcp/edgtcp_ssh', body), 400, code).details.field).toBe(field)
    expect(await lastChange()).toBeNull()
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

  it.each([
    ['a match that is not a path', { match: 'api' }, 7131, 'match'],
    ['a match with a query', { match: '/api?x' }, 7131, 'match'],
    ['a match that is too long', { match: `/${'x'.repeat(4999)}` }, 7135, 'match'],
    ['no match', { match: undefined }, 7123, 'match'],
    ['an empty match', { match: '' }, 7123, 'match'],
    ['no match_type', { match_type: undefined }, 7130, 'match_type'],
    ['an invalid match_type', { match_type: 'regex' }, 7130, 'match_type'],
    ['a header that is not allowed', { request_headers: { remove: ['Upgrade'] } }, 7023, 'request_headers.remove'],
    ['a Host that is only removed', { request_headers: { remove: ['Host'] } }, 7164, 'request_headers.remove'],
    ['a module without what it must have', { oidc: { enabled: true } }, 7088, 'oidc.issuer'],
    ['a path that a route has already', { match_type: 'path_prefix', match: '/api' }, 7126, 'match'],
  ])('are refused for %s, and nothing changes', async (_, wrong, code, field) => {
    const { send, lastChange } = sandbox()
    const body = { match_type: 'exact_path', match: '/new', ...wrong }
    const { details } = expectError(await send('POST', '/edges/https/edghts_web/routes', body), 400, code)
    expect(details.field).toBe(field)
    expect(await lastChange()).toBeNull()
  })

  it('refuse an exact_path that another route of the edge has, on create and on update', async () => {
    const { send, create } = sandbox()
    const same = { match_type: 'exact_path', match: '/status' }
    const { msg } = expectError(await send('POST', '/edges/https/edghts_admin/routes', same), 400, 7126)
    expect(msg).toContain('the route edghtsrt_status already has exact_path /status')
    expectError(await send('PATCH', '/edges/https/edghts_admin/routes/edghtsrt_admin', same), 400, 7126)
    expect((await send('PATCH', '/edges/https/edghts_admin/routes/edghtsrt_status', same)).status).toBe(200)
    await create('/edges/https/edghts_web/routes', same)
  })

  it('say to which edge a route belongs, and which edge does not exist', async () => {
    const { send } = sandbox()
    const elsewhere = await send('PATCH', '/edges/https/edghts_admin/routes/edghtsrt_api', { match: '/x' })
    expect(expectError(elsewhere, 404, 7110).msg).toContain('belongs to the edge edghts_web, not to edghts_admin')
    expectError(
      await send('POST', '/edges/https/edghts_none/routes', { match_type: 'exact_path', match: '/' }),
      404,
      7000,
    )
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
