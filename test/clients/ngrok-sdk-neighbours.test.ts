import { Ngrok } from '@ngrok/ngrok-api'
import { expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'

/** The SDK fails to read the empty body of a 204, although the delete was carried out. */
const done = (deletion: Promise<unknown>) => expect(deletion).rejects.toThrow(SyntaxError)

it.each([
  ['as the document says', {}],
  ['as public sources say of the vendor', { assume: 'ngrok' }],
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
    {
      ...backend,
      address: '127.0.0.1:5433',
    },
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

it('The vendor’s TypeScript SDK sets and reads modules of edges and routes', async () => {
  const { url, token } = await simulate({ vendor: 'ngrok' })
  const { edges, edgeModules } = new Ngrok({ apiToken: token!, baseUrl: url })

  const tlsTermination = { enabled: true, terminateAt: 'edge', minVersion: '1.3' }
  const tls = await edges.edgesTls.create({ hostports: ['imap.example.com:443'], tlsTermination })
  expect(tls).toMatchObject({ tlsTermination, mutualTls: null, backend: null })
  const authority = { id: 'ca_office', uri: `${url}/certificate_authorities/ca_office` }
  const mutualTls = await edgeModules.tlsEdgeMutualTlsModule.replace({
    id: tls.id,
    module: { certificateAuthorityIds: ['ca_office'] },
  })
  expect(mutualTls).toEqual({ enabled: true, certificateAuthorities: [authority] })
  expect(await edges.edgesTls.get(tls.id)).toEqual({ ...tls, mutualTls })
  const upstream = edgeModules.tlsEdgeTlsTerminationModule.replace({ id: tls.id, module: { terminateAt: 'upstream' } })
  await expect(upstream).rejects.toMatchObject({ errorCode: 'ERR_NGROK_7062' })
  await done(edges.edgesTls.delete(tls.id))

  const route = { edgeId: 'edghts_web', id: 'edghtsrt_static' }
  const breaker = {
    enabled: true,
    trippedDuration: 120,
    rollingWindow: 300,
    numBuckets: 5,
    volumeThreshold: 20,
    errorThresholdPercentage: 0.2,
  }
  const { edgeRouteCircuitBreakerModule, edgeRouteSamlModule, edgeRouteOAuthModule } = edgeModules
  expect(await edgeRouteCircuitBreakerModule.replace({ ...route, module: breaker })).toEqual(breaker)
  expect(await edgeRouteCircuitBreakerModule.get(route)).toEqual(breaker)
  const webhooks = { enabled: true, provider: 'TWILIO', secret: 'not-a-real-secret' }
  expect(await edgeModules.edgeRouteWebhookVerificationModule.replace({ ...route, module: webhooks })).toEqual(webhooks)

  const idpMetadata = '<EntityDescriptor entityID="https://id.example.com"/>'
  const saml = await edgeRouteSamlModule.replace({ ...route, module: { idpMetadata } as never })
  expect(saml).toMatchObject({
    idpMetadata,
    entityId: `https://idp.ngrok.com/saml/${route.id}`,
    allowIdpInitiated: true,
  })
  expect(await edgeRouteSamlModule.get(route)).toEqual(saml)
  const google = {
    clientId: 'id',
    clientSecret: 'not-a-real-secret',
    scopes: [],
    emailAddresses: ['alan@example.com'],
    emailDomains: [],
  }
  const oauth = { enabled: true, provider: { google } } as never
  const beside = edgeRouteOAuthModule.replace({ ...route, module: oauth })
  await expect(beside).rejects.toMatchObject({ errorCode: 'ERR_NGROK_7079' })
  await done(edgeRouteSamlModule.delete(route))
  const signIn = await edgeRouteOAuthModule.replace({ ...route, module: oauth })
  expect(signIn.provider).toMatchObject({ google, github: null })
  expect((await edges.edgesHttpsRoutes.get(route)).oauth).toEqual(signIn)
})

it('The vendor’s TypeScript SDK uses domains, addresses, credentials, certificates, events and agents', async () => {
  const { url, token, call } = await simulate({ vendor: 'ngrok' })
  const ngrok = new Ngrok({ apiToken: token!, baseUrl: url })
  const { reservedDomains, reservedAddrs, credentials, tlsCertificates, eventDestinations, eventSources } = ngrok

  const certificate = await tlsCertificates.get('cert_www')
  expect(certificate).toMatchObject({ subjectCommonName: 'www.example.com', extendedKeyUsages: ['serverAuth'] })
  const domain = await reservedDomains.create({ domain: 'app.example.com', region: 'us', certificateId: 'cert_www' })
  expect(domain).toMatchObject({ certificate: { id: 'cert_www', uri: certificate.uri }, region: '' })
  expect(domain.cnameTarget).toMatch(/\.ngrok-cname\.com$/)
  expect(await reservedDomains.update({ id: domain.id, metadata: 'm' })).toEqual({ ...domain, metadata: 'm' })
  await done(reservedDomains.deleteCertificate(domain.id))
  expect((await reservedDomains.get(domain.id)).certificate).toBeNull()
  await expect(reservedDomains.create({ domain: 'app.example.com', region: '' })).rejects.toMatchObject({
    errorCode: 'ERR_NGROK_413',
  })
  await done(reservedDomains.delete(domain.id))

  const address = await reservedAddrs.create({ region: 'eu' })
  expect(address.addr).toMatch(/^\d\.tcp\.eu\.ngrok\.io:\d{5}$/)
  const credential = await credentials.create({ acl: ['bind:*.example.com'] })
  expect(credential.token).toMatch(/^\w{27}_\w{21}$/)
  expect(await credentials.get(credential.id)).toEqual({ ...credential, token: null })

  const target = { datadog: { apiKey: 'key', ddtags: '', service: '', ddsite: '' } }
  const destination = await eventDestinations.create({ format: 'json', target } as never)
  expect((await eventDestinations.get(destination.id)).target.datadog).not.toHaveProperty('apiKey')
  await eventSources.create({ subscriptionId: 'esb_secrets', type: 'vault_created.v0' })
  expect((await eventSources.list({ subscriptionId: 'esb_secrets' })).sources).toHaveLength(3)

  expect(await ngrok.endpoints.list()).toHaveLength(2)
  expect((await ngrok.tunnels.list()).map(({ id }) => id)).toContain('tn_web')
  // The SDK itself sends the id as the body, which is not JSON.
  await expect(ngrok.tunnelSessions.stop('ts_laptop')).rejects.toMatchObject({ errorCode: 'ERR_NGROK_213' })
  await call('POST', '/tunnel_sessions/ts_laptop/stop', {})
  expect(await ngrok.tunnels.list()).toEqual([])
  expect(await ngrok.endpoints.list()).toHaveLength(1)
})
