import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { authorityPem, certificatePem, privateKeyPem } from '../../../src/ngrok/certificates/shapes.ts'
import { exampleOf } from '../../contract/record/world.ts'
import { simulate } from '../../support/in-process.ts'
import { watched } from '../../support/watched.ts'

const certificate_pem = exampleOf(certificatePem)
const private_key_pem = exampleOf(privateKeyPem)
const ca_pem = exampleOf(authorityPem)
const otherKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

describe('Certificates', async () => {
  const { as, url } = await simulate()

  it('are returned with their contents, without their keys', async () => {
    const send = as('sim_admin~told')
    const { status, body } = await send('POST', '/tls_certificates', { certificate_pem, private_key_pem })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      uri: `${url}/tls_certificates/${body.id}`,
      created_at: body.created_at,
      certificate_pem,
      subject_common_name: 'example.com',
      subject_alternative_names: { dns_names: [], ips: [] },
      issued_at: null,
      not_before: '2020-01-01T00:00:00Z',
      not_after: '2049-12-31T00:00:00Z',
      key_usages: [],
      extended_key_usages: [],
      private_key_type: 'ed25519',
      issuer_common_name: 'example.com',
      serial_number: '0a1b2c3d',
      subject_organization: '',
      subject_organizational_unit: '',
      subject_locality: '',
      subject_province: '',
      subject_country: '',
    })
    const changed = await send('PATCH', `/tls_certificates/${body.id}`, { metadata: 'kept' })
    expect(changed.body).toEqual({ ...body, metadata: 'kept' })
    expect((await send('DELETE', `/tls_certificates/${body.id}`)).status).toBe(204)
  })

  it('of authorities are returned with their contents', async () => {
    const send = as('sim_admin~authority')
    const { status, body } = await send('POST', '/certificate_authorities', { ca_pem, description: 'Ours' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      uri: `${url}/certificate_authorities/${body.id}`,
      created_at: body.created_at,
      description: 'Ours',
      ca_pem,
      subject_common_name: 'Example Authority',
      not_before: '2020-01-01T00:00:00Z',
      not_after: '2049-12-31T00:00:00Z',
      key_usages: [],
      extended_key_usages: [],
    })
  })

  it('cannot be replaced by an update', async () => {
    const { status, body } = await as('sim_admin~fixed')('PATCH', '/tls_certificates/cert_www', { private_key_pem })
    expect({ status, field: body.details.field }).toEqual({ status: 400, field: 'private_key_pem' })
  })
})

it('No part of a private key is in a file, journal, event, state, scenario or response', async () => {
  const { call, as, events, everythingShown } = await watched()
  const keys = [private_key_pem, otherKey]
  const responses: string[] = []
  const post = async (path: string, body: unknown, status: number, options = {}) => {
    const response = await call('POST', path, body, options)
    expect(response.status, response.text).toBe(status)
    responses.push(response.text)
  }

  await post('/tls_certificates', { certificate_pem, private_key_pem }, 201)
  await post('/tls_certificates', { certificate_pem, private_key_pem: otherKey }, 400)
  await post('/tls_certificates', { certificate_pem, private_key: private_key_pem }, 400)
  await post('/tls_certificates', { certificate_pem, private_key_pem: { pem: private_key_pem } }, 400)
  await post('/tls_certificates', { certificate_pem: certificate_pem + private_key_pem, private_key_pem }, 400)
  await post('/certificate_authorities', { ca_pem: ca_pem + private_key_pem }, 400)
  await post('/certificate_authorities', { ca_pem, key: private_key_pem }, 400)
  await post('/tls_certificate', { certificate_pem, private_key_pem }, 404)
  await post('/tls_certificates/cert_www', { private_key: private_key_pem }, 405)
  await post('/api_keys', { metadata: { key: private_key_pem } }, 400)
  await post('/ip_policy_rules', { ip_policy_id: 'ipp_office', action: 'allow', cidr: private_key_pem }, 400)
  await post('/kubernetes_operators', { binding: { csr: private_key_pem } }, 400)
  for (const path of ['/tls_certificates', '/certificate_authorities', '/nowhere', '/api_keys'])
    for (const raw of [`{"key":${JSON.stringify(private_key_pem)}`, private_key_pem, JSON.stringify([private_key_pem])])
      for (const type of ['application/json', 'text/plain'])
        responses.push((await call('POST', path, undefined, { raw, headers: { 'content-type': type } })).text)
  const patch = { ...(await call('GET', '/tls_certificates')).body.tls_certificates[0], private_key_pem }
  responses.push((await call('PATCH', '/tls_certificates/cert_www', patch)).text)

  const record = { id: 'cert_mine', certificate_pem, private_key_pem }
  const wrong = [
    record,
    { ...record, private_key: private_key_pem },
    { ...record, private_key_pem: [private_key_pem] },
    { ...record, certificate_pem: private_key_pem },
    { ...record, private_key_pem_sha256: private_key_pem },
  ]
  const { body: state } = await call('GET', '/_sim/state')
  for (const each of wrong) {
    responses.push((await call('PUT', '/_sim/db/tls_certificates/cert_mine', each)).text)
    responses.push((await call('PUT', '/_sim/state', { ...state, tls_certificates: [each] })).text)
    responses.push((await call('PUT', '/_sim/scenario', { state: { tls_certificates: [each] } })).text)
    responses.push((await call('GET', '/_sim/scenario')).text)
    responses.push(
      (await call('PUT', '/_sim/sandboxes/mine', { scenario: { state: { tls_certificates: [each] } } })).text,
    )
    responses.push(
      (await call('PUT', '/_sim/sandboxes/mine', { fixture: { ...state, tls_certificates: [each] } })).text,
    )
    responses.push((await call('POST', '/_sim/call', { method: 'POST', path: '/tls_certificates', body: each })).text)
  }
  await as('sim_admin~mine')('GET', '/tls_certificates')
  await call('PUT', '/_sim/snapshots/kept')
  await call('GET', '/api_keys')
  await events.until(() => events.events.some(({ data }) => JSON.stringify(data).includes('list_api_keys')))

  // The first key is the published example.
  const { '/_sim/resources': _published, ...found } = await everythingShown('mine', ['tls_certificates'])
  expect(found['/_sim/requests?limit=1000']).toContain('"private_key_pem":"[redacted]"')
  found.answers = responses.join('\n')
  for (const [where, text] of Object.entries(found))
    for (const key of keys) {
      // Keys of this type have the same first bytes.
      const secret = key.split('\n')[1]!.slice(22)
      for (let at = 0; at + 10 <= secret.length; at++) expect(text, where).not.toContain(secret.slice(at, at + 10))
      for (const before of ['', 'x', 'xx'])
        expect(text, where).not.toContain(
          Buffer.from(before + secret)
            .toString('base64')
            .slice(4, 20),
        )
    }
})
