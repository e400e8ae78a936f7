import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { tableIn } from '../../support/tables.ts'
import { sandboxesOf } from './sandbox.ts'

const modules: [name: string, body: object, whole: object][] = tableIn(import.meta.url, 'edge-modules.yaml')

const ROUTE = '/edges/https/edghts_web/routes/edghtsrt_static'
const METADATA =
  '<?xml version="1.0"?>\n<md:EntityDescriptor entityID="x"><!-- a < b --><a b=\'c\'/></md:EntityDescriptor>\n'
const app = { client_id: 'id', client_secret: 'not-a-real-secret' }
const timeouts = { inactivity_timeout: 0, maximum_duration: 0 }
const session = { enabled: true, options_passthrough: false, cookie_prefix: '', ...timeouts }

describe('Modules of edges and routes', async () => {
  const sandbox = sandboxesOf(await simulate(), 'edge-modules')

  it.each(modules)('have defaults and return all fields: %s', async (key, body, whole) => {
    const { send } = sandbox()
    const put = await send('PUT', `${ROUTE}/${key}`, body)
    expect({ status: put.status, body: put.body }).toEqual({ status: 200, body: whole })
    expect((await send('GET', `${ROUTE}/${key}`)).body).toEqual(whole)
    expect((await send('GET', ROUTE)).body[key]).toEqual(whole)
    expect((await send('GET', '/edges/https/edghts_web')).body.routes[1][key]).toEqual(whole)
  })

  it('return all OAuth providers, null except for the configured one', async () => {
    const { body } = await sandbox().send('PUT', `${ROUTE}/oauth`, {
      provider: { github: { organizations: ['office'] } },
    })
    const none = { client_id: '', client_secret: '', scopes: [], email_addresses: [], email_domains: [], teams: [] }
    const others = Object.fromEntries(
      ['facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'].map(name => [name, null]),
    )
    const provider = { ...others, github: { ...none, organizations: ['office'] } }
    expect(body).toEqual({ ...session, auth_check_interval: 0, provider })
  })

  it('do not repeat an invalid secret in the error message', async () => {
    const { send } = sandbox()
    const put = (body: object) => send('PUT', `${ROUTE}/webhook_verification`, body)
    const long = 'very-secret '.repeat(400)
    const responses = [
      expectError(await put({ provider: 'slack', secret: long }), 400, 7154),
      expectError(await put({ provider: 'sendgrid', secret: 'very-secret' }), 400, 7107),
    ]
    for (const { msg } of responses) expect(msg).not.toContain('very-secret')
  })

  it('for SAML derive their URLs from the route, and sign with a separate certificate per route', async () => {
    const { send } = sandbox()
    const { body } = await send('PUT', `${ROUTE}/saml`, { idp_metadata: METADATA })
    const entity = 'https://idp.service.example/saml/edghtsrt_static'
    const { request_signing_certificate_pem: pem, ...rest } = body
    expect(rest).toEqual({
      ...session,
      idp_metadata: METADATA,
      idp_metadata_url: '',
      force_authn: false,
      allow_idp_initiated: true,
      authorized_groups: [],
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      entity_id: entity,
      assertion_consumer_service_url: `${entity}/acs`,
      single_logout_url: `${entity}/slo`,
      metadata_url: entity,
    })
    const certificate = new X509Certificate(pem)
    expect(certificate.subject).toBe(`CN=${entity}`)
    expect(certificate.issuer).toBe(certificate.subject)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.ca).toBe(false)
    await send('PATCH', ROUTE, { description: 'd' })
    expect((await send('GET', `${ROUTE}/saml`)).body).toEqual(body)
    const other = await send('PUT', '/edges/https/edghts_admin/routes/edghtsrt_status/saml', {
      idp_metadata: METADATA,
      enabled: false,
    })
    expect(other.body.request_signing_certificate_pem).not.toBe(pem)
  })

  it('allow one kind of authentication on one route per edge', async () => {
    const { send } = sandbox()
    const oidc = { issuer: 'https://id.example.com', ...app }
    await send('PUT', `${ROUTE}/oidc`, oidc)
    expectError(await send('PATCH', ROUTE, { saml: { idp_metadata: METADATA } }), 400, 7079)
    const elsewhere = '/edges/https/edghts_web/routes/edghtsrt_api/oidc'
    expectError(await send('PUT', elsewhere, oidc), 400, 7155)
    expect((await send('PUT', elsewhere, { ...oidc, enabled: false })).status).toBe(200)
    expect((await send('PATCH', ROUTE, { description: 'd', oidc: { ...oidc, scopes: ['email'] } })).status).toBe(200)
    await send('DELETE', `${ROUTE}/oidc`)
    expect((await send('PUT', elsewhere, oidc)).status).toBe(200)
  })
})

describe('A TLS edge', async () => {
  const { call } = await simulate()

  it('terminates TLS at the upstream only without mutual TLS and min_version', async () => {
    const path = '/edges/tls/edgtls_mail'
    const upstream = { terminate_at: 'upstream' }
    expectError(await call('PATCH', path, { tls_termination: upstream }), 400, 7062)
    await call('PUT', `${path}/mutual_tls`, { enabled: false })
    const { body } = await call('PUT', `${path}/tls_termination`, upstream)
    expect(body).toEqual({ enabled: true, terminate_at: 'upstream', min_version: null })
    expectError(await call('PUT', `${path}/mutual_tls`, {}), 400, 7062)
    expectError(await call('PUT', `${path}/tls_termination`, { ...upstream, min_version: '1.2' }), 400, 7032)
    expect((await call('PATCH', path, { description: 'd' })).status).toBe(200)
  })
})
