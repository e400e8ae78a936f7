import { Ngrok } from '@ngrok/ngrok-api'
import { describe, expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'

/** The SDK fails to read the empty body of a 204 after a successful delete. */
const done = (deletion: Promise<unknown>) => expect(deletion).rejects.toThrow(SyntaxError)

describe('The vendor’s TypeScript SDK', async () => {
  const { url, token, call } = await simulate({ vendor: 'ngrok' })
  const sdk = (apiToken: string, baseUrl = url) => new Ngrok({ apiToken, baseUrl })
  const { apiKeys, edgeModules } = sdk(token!)
  const headers = edgeModules.edgeRouteRequestHeadersModule
  const notFound = { statusCode: 404, msg: expect.any(String) }

  it('creates, gets, updates and deletes an API key', async () => {
    const created = await apiKeys.create({ description: 'from the SDK', metadata: '{"a":1}' })
    expect(created).toMatchObject({ description: 'from the SDK', metadata: '{"a":1}', ownerId: 'usr_admin' })
    expect(created.token).toMatch(/^\w{27}_\w{21}$/)
    expect(await apiKeys.get(created.id)).toEqual({ ...created, token: null })
    const updated = await apiKeys.update({ id: created.id, description: 'renamed' })
    expect(updated).toEqual({ ...created, description: 'renamed', token: null })
    await done(apiKeys.delete(created.id))
    await expect(apiKeys.get(created.id)).rejects.toMatchObject(notFound)
  })

  it('lists all API keys, page by page', async () => {
    const sandbox = sdk(`${token}~sdk-paging`).apiKeys
    const created: string[] = []
    for (let i = 0; i < 7; i++) created.unshift((await sandbox.create({ description: `${i}` })).id)
    const all = await sandbox.list(undefined, '3')
    expect(all.map(({ id }) => id)).toEqual([...created, 'ak_ci', 'ak_member', 'ak_admin'])
    expect(all.every(key => key.token === null)).toBe(true)
    expect((await sandbox.list(created[4])).map(({ id }) => id)).toEqual(all.slice(5).map(({ id }) => id))
    expect(await sandbox.list()).toEqual(all)
  })

  it('replaces, gets and deletes the request headers module of an HTTPS edge route', async () => {
    const route = { edgeId: 'edghts_web', id: 'edghtsrt_static' }
    const module = { enabled: false, add: { a: '1' } as unknown as Map<string, string>, remove: ['Cookie'] }
    const replaced = await headers.replace({ ...route, module })
    expect(replaced).toEqual({ enabled: false, add: { a: '1' }, remove: ['Cookie'] })
    expect(await headers.get(route)).toEqual(replaced)
    await done(headers.delete(route))
    await expect(headers.get(route)).rejects.toMatchObject(notFound)
  })

  it('rewrites header names in add, and the API returns them as sent', async () => {
    const route = { edgeId: 'edghts_web', id: 'edghtsrt_api' }
    const add = { 'X-Edge': 'one' } as unknown as Map<string, string>
    await headers.replace({ ...route, module: { add, remove: [] } })
    const path = `/edges/https/${route.edgeId}/routes/${route.id}/request_headers`
    expect((await call('GET', path)).body.add).toEqual({ '_x-_edge': 'one' })
  })

  it('reads the message of an error', async () => {
    const refused = await apiKeys.create({ description: 'é'.repeat(128) }).catch(error => error)
    expect(refused).toMatchObject({ statusCode: 400, errorCode: 'ERR_NGROK_604' })
    expect(refused.details.get('field')).toBe('description')
    expect(refused.details.get('operationId')).toMatch(/^op_/)
    await expect(sdk('wrong').apiKeys.list()).rejects.toMatchObject({ statusCode: 401, errorCode: 'ERR_NGROK_203' })
  })

  it('works with a base URL that ends in a slash', async () => {
    expect((await sdk(token!, `${url}/`).apiKeys.get('ak_admin')).id).toBe('ak_admin')
  })
})

it.each([
  ['as documented', {}],
  ['with --assume ngrok', { assume: 'ngrok' }],
])('The vendor’s TypeScript SDK creates edges, routes, backends and policies over the API, %s', async (_, options) => {
  const { url, token } = await simulate({ vendor: 'ngrok', fixture: 'empty', ...options })
  const { ipPolicies, ipPolicyRules, ipRestrictions, reservedDomains, backends, edges, edgeModules } = new Ngrok({
    apiToken: token!,
    baseUrl: url,
  })
  const gone = { statusCode: 404, errorCode: expect.stringMatching(/^ERR_NGROK_\d+$/) }

  const policy = await ipPolicies.create({ description: 'office' })
  const allow = await ipPolicyRules.create({ ipPolicyId: policy.id, cidr: '10.0.0.0/8', action: 'allow' })
  const deny = await ipPolicyRules.create({ ipPolicyId: policy.id, cidr: '10.9.0.0/16', action: 'deny' })
  expect((await ipPolicyRules.list(undefined, '1')).map(({ id }) => id)).toEqual([deny.id, allow.id])
  expect(deny.ipPolicy).toEqual({ id: policy.id, uri: policy.uri })
  expect(await ipPolicyRules.update({ id: deny.id, cidr: '10.8.0.0/16' })).toEqual({ ...deny, cidr: '10.8.0.0/16' })
  expect(await ipPolicies.get(policy.id)).toEqual(policy)
  expect(await ipPolicies.list()).toEqual([policy])
  const restriction = await ipRestrictions.create({ type: 'agent', enforced: true, ipPolicyIds: [policy.id] })
  expect(restriction.ipPolicies).toEqual([{ id: policy.id, uri: policy.uri }])

  const backend = await backends.staticBackends.create({ address: '127.0.0.1:5432', tls: { enabled: false } })
  expect(await backends.staticBackends.get(backend.id)).toEqual(backend)
  expect(await backends.staticBackends.update({ id: backend.id, address: '127.0.0.1:5433', tls: backend.tls })).toEqual(
    { ...backend, address: '127.0.0.1:5433' },
  )

  const ipRestriction = { enabled: true, ipPolicyIds: [policy.id] }
  const tcp = await edges.edgesTcp.create({ hostports: ['127.0.0.1:0'], ipRestriction })
  expect(tcp.ipRestriction).toEqual({ enabled: true, ipPolicies: [{ id: policy.id, uri: policy.uri }] })
  const module = await edgeModules.tcpEdgeBackendModule.replace({ id: tcp.id, module: { backendId: backend.id } })
  expect(module).toEqual({ enabled: true, backend: { id: backend.id, uri: backend.uri } })
  expect(await edges.edgesTcp.get(tcp.id)).toEqual({ ...tcp, backend: module })
  expect(await edges.edgesTcp.list()).toHaveLength(1)
  expect((await edges.edgesTcp.update({ id: tcp.id, description: 'db' })).description).toBe('db')

  await reservedDomains.create({ domain: 'www.example.com' } as never)
  const https = await edges.edgesHttps.create({ hostports: ['www.example.com:443'], description: 'web' })
  const route = await edges.edgesHttpsRoutes.create({
    edgeId: https.id,
    matchType: 'path_prefix',
    match: '/api',
    backend: { backendId: backend.id },
    requestHeaders: { enabled: true, add: { a: '1' } as unknown as Map<string, string>, remove: ['cookie'] },
  })
  const path = { edgeId: https.id, id: route.id }
  expect(await edges.edgesHttpsRoutes.get(path)).toEqual(route)
  expect(await edgeModules.edgeRouteBackendModule.get(path)).toEqual(route.backend)
  expect(await edgeModules.edgeRouteRequestHeadersModule.get(path)).toEqual(route.requestHeaders)
  expect((await edges.edgesHttps.get(https.id)).routes).toEqual([route])
  const moved = await edges.edgesHttpsRoutes.update({ ...path, matchType: 'exact_path', match: '/v2' })
  expect(moved).toEqual({ ...route, matchType: 'exact_path', match: '/v2' })

  const webhooks = { enabled: true, provider: 'TWILIO', secret: 'not-a-real-secret' }
  expect(await edgeModules.edgeRouteWebhookVerificationModule.replace({ ...path, module: webhooks })).toEqual(webhooks)

  await expect(ipPolicies.delete(policy.id)).rejects.toMatchObject({ statusCode: 400 })
  await done(edges.edgesHttpsRoutes.delete(path))
  await expect(edges.edgesHttpsRoutes.get(path)).rejects.toMatchObject(gone)
  await done(edges.edgesHttps.delete(https.id))
  await done(edges.edgesTcp.delete(tcp.id))
  await done(backends.staticBackends.delete(backend.id))
  await done(ipRestrictions.delete(restriction.id))
  await done(ipPolicies.delete(policy.id))
  await expect(ipPolicyRules.get(allow.id)).rejects.toMatchObject(gone)
  for (const list of [ipPolicies, ipPolicyRules, backends.staticBackends, edges.edgesTcp, edges.edgesHttps])
    expect(await list.list()).toEqual([])
})

it('The vendor’s TypeScript SDK uses domains, credentials, events and agents', async () => {
  const { url, token, call } = await simulate({ vendor: 'ngrok' })
  const ngrok = new Ngrok({ apiToken: token!, baseUrl: url })
  const { reservedDomains, credentials, eventDestinations, eventSources } = ngrok

  const domain = await reservedDomains.create({ domain: 'app.example.com', region: 'us', certificateId: 'cert_www' })
  expect(domain).toMatchObject({ certificate: { id: 'cert_www' }, cnameTarget: expect.stringMatching(/\.ngrok-cname/) })
  await done(reservedDomains.deleteCertificate(domain.id))
  expect((await reservedDomains.get(domain.id)).certificate).toBeNull()
  const credential = await credentials.create({ acl: ['bind:*.example.com'] })
  expect(await credentials.get(credential.id)).toEqual({ ...credential, token: null })

  const target = { datadog: { apiKey: 'key', ddtags: '', service: '', ddsite: '' } }
  const destination = await eventDestinations.create({ format: 'json', target } as never)
  expect((await eventDestinations.get(destination.id)).target.datadog).not.toHaveProperty('apiKey')
  await eventSources.create({ subscriptionId: 'esb_secrets', type: 'vault_created.v0' })
  expect((await eventSources.list({ subscriptionId: 'esb_secrets' })).sources).toHaveLength(3)

  expect(await ngrok.endpoints.list()).toHaveLength(2)
  // The SDK sends the id as the body, which is not JSON.
  await expect(ngrok.tunnelSessions.stop('ts_laptop')).rejects.toMatchObject({ errorCode: 'ERR_NGROK_213' })
  await call('POST', '/tunnel_sessions/ts_laptop/stop', {})
  expect(await ngrok.tunnels.list()).toEqual([])
})
