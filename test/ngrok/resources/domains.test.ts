import { describe, expect, it } from 'vitest'
import { readCertificate } from '../../../src/ngrok/certificates/pem.ts'
import { certificatePem, privateKeyPem } from '../../../src/ngrok/certificates/shapes.ts'
import { exampleOf } from '../../contract/record/world.ts'
import { expectError, openEvents } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const POLICY = { authority: 'letsencrypt' }
const NOW = '2026-03-01T12:00:00Z'

describe('A reserved domain', async () => {
  const { call, as } = await simulate()
  const vendors = await simulate({ vendor: 'ngrok' })

  it('is stored in lower case, and gets a target for its DNS record', async () => {
    const { body } = await call('POST', '/reserved_domains', { domain: 'App.Example.com', region: 'eu' })
    expect(body).toMatchObject({
      domain: 'app.example.com',
      region: '',
      is_dev: false,
      certificate: null,
      certificate_management_policy: null,
      certificate_management_status: null,
      acme_challenge_cname_target: null,
      error_redirect_url: null,
      cname_target: expect.stringMatching(/^[a-z0-9]{17}\.[a-z0-9]{16}\.service-cname\.example$/),
    })
    expect((await call('GET', `/reserved_domains/${body.id}`)).body).toEqual(body)
  })

  it('gets a second target if it is a wildcard, and none if the vendor owns it', async () => {
    const as = vendors.as('sim_admin~targets')
    const wildcard = await as('POST', '/reserved_domains', { domain: '*.example.org' })
    expect(wildcard.body.acme_challenge_cname_target).toMatch(/\.ngrok-cname\.com$/)
    const own = await as('POST', '/reserved_domains', { domain: 'app.ngrok.app' })
    expect(own.body).toMatchObject({ cname_target: null, acme_challenge_cname_target: null })
    expect((await as('POST', '/reserved_domains', { domain: 'app.service.example' })).body.cname_target).not.toBeNull()
  })

  it('can detach its certificate, which cannot be deleted while attached', async () => {
    const api = as('sim_admin~certificates')
    const { body: certificate } = await api('POST', '/tls_certificates', {
      certificate_pem: exampleOf(certificatePem),
      private_key_pem: exampleOf(privateKeyPem),
    })
    const { body } = await api('POST', '/reserved_domains', { domain: 'a.example.com', certificate_id: certificate.id })
    expect(body.certificate).toEqual({ id: certificate.id, uri: certificate.uri })
    const filter = encodeURIComponent(`obj.certificate.id == "${certificate.id}"`)
    const found = await api('GET', `/reserved_domains?filter=${filter}`)
    expect(found.body.reserved_domains).toEqual([body])
    expectError(await api('DELETE', `/tls_certificates/${certificate.id}`), 400, 400)
    expect((await api('DELETE', `/reserved_domains/${body.id}/certificate`)).status).toBe(204)
    expect((await api('GET', `/reserved_domains/${body.id}`)).body.certificate).toBeNull()
    expect((await api('DELETE', `/reserved_domains/${body.id}/certificate`)).status).toBe(204)
    expect((await api('DELETE', `/tls_certificates/${certificate.id}`)).status).toBe(204)
  })

  it('cannot be deleted while a cloud endpoint or an edge uses it', async () => {
    const api = as('sim_admin~used')
    expect(expectError(await api('DELETE', '/reserved_domains/rd_shop'), 400, 446).msg).toContain('ep_shop')
    expectError(await api('DELETE', '/reserved_domains/rd_www'), 400, 446)
    await api('DELETE', '/endpoints/ep_shop')
    expect((await api('DELETE', '/reserved_domains/rd_shop')).status).toBe(204)
  })
})

describe('A managed certificate', async () => {
  const { as, url } = await simulate({ clock: NOW, seed: 'certificates' })

  const reserve = async (sandbox: string) => {
    const send = as(`sim_admin~${sandbox}`)
    const created = await send('POST', '/reserved_domains', {
      domain: 'app.example.com',
      certificate_management_policy: POLICY,
    })
    const path = `/reserved_domains/${created.body.id}`
    const status = async () => (await send('GET', path)).body.certificate_management_status
    const advance = (by: string) => send('PUT', `/_sim/sandboxes/${sandbox}/clock`, { advance: by })
    return { send, created, path, status, advance }
  }

  it('is a provisioning job at first, and ready after 30 s of sandbox time', async () => {
    const { send, created, path, status, advance } = await reserve('managed')
    expect(created.body).toMatchObject({
      certificate: null,
      certificate_management_policy: { authority: 'letsencrypt', private_key_type: 'ecdsa' },
      certificate_management_status: null,
    })
    await advance('5s')
    expect(await status()).toEqual({
      renews_at: null,
      provisioning_job: { error_code: null, msg: expect.any(String), started_at: NOW, retries_at: null },
    })
    await advance('25s')
    expect(await status()).toEqual({ renews_at: '2026-04-30T12:00:30Z', provisioning_job: null })
    const { body } = await send('GET', path)
    const certificate = await send('GET', `/tls_certificates/${body.certificate.id}`)
    expect(readCertificate(certificate.body.certificate_pem)).toMatchObject({
      subject_common_name: 'app.example.com',
      not_before: '2026-03-01T12:00:30Z',
      not_after: '2026-05-30T12:00:30Z',
      private_key_type: 'ecdsa',
    })
    expectError(await send('DELETE', `/tls_certificates/${body.certificate.id}`), 400, 1966)
    const again = await send('PATCH', path, { certificate_management_policy: POLICY })
    expect(again.body).toEqual(body)
    expect((await send('DELETE', `${path}/certificate_management_policy`)).status).toBe(204)
    expect((await send('GET', path)).body).toMatchObject({
      certificate: null,
      certificate_management_policy: null,
      certificate_management_status: null,
    })
    expect((await send('DELETE', `/tls_certificates/${body.certificate.id}`)).status).toBe(204)
  })

  it.each([
    ['a raw record', 'db/reserved_domains'],
    ['the state', 'state'],
    ['the diff with a snapshot', 'snapshots/first/diff'],
  ])('is ready on time for readers of %s', async (_, route) => {
    const sandbox = `read-${route.split('/')[0]}`
    const { send, advance, path } = await reserve(sandbox)
    await send('PUT', `/_sim/sandboxes/${sandbox}/snapshots/first`)
    await advance('1m')
    const { text } = await send('GET', `/_sim/sandboxes/${sandbox}/${route}`)
    expect(text).toContain(`"certificate_id":"${(await send('GET', path)).body.certificate.id}"`)
  })

  it('is ready on time for readers of events, without reading the state', async () => {
    const { advance, path } = await reserve('events')
    const { untilCount, events } = await openEvents(`${url}/_sim/sandboxes/events/events`)
    await advance('1m')
    await untilCount(1)
    expect(events[0]).toMatchObject({ type: 'change', data: { cause: { kind: 'clock' } } })
    expect(JSON.stringify(events[0]!.data)).toContain(path.split('/').at(-1))
  })

  it('expires at the last possible time, at the end of the clock', async () => {
    const { send, path } = await reserve('last')
    await send('PUT', '/_sim/sandboxes/last/clock', { now: '9999-12-31T23:00:00Z', frozen: true })
    const { body } = await send('GET', path)
    expect(body.certificate_management_status.renews_at).toBe('9999-12-01T23:59:59Z')
    const certificate = await send('GET', `/tls_certificates/${body.certificate.id}`)
    expect(certificate.body.not_after).toBe('9999-12-31T23:59:59Z')
  })

  it('fails while assumed to fail, and is issued by a later attempt', async () => {
    const { send, path, status, advance } = await reserve('failing')
    await send('PUT', '/_sim/sandboxes/failing/scenario', { assume: { certificate_provisioning: 'fails' } })
    await advance('1m')
    expect(await status()).toEqual({
      renews_at: null,
      provisioning_job: {
        error_code: 'DNS_ERROR',
        msg: expect.stringContaining('app.example.com'),
        started_at: NOW,
        retries_at: '2026-03-01T13:01:00Z',
      },
    })
    await send('PUT', '/_sim/sandboxes/failing/scenario', { assume: { certificate_provisioning: 'succeeds' } })
    await advance('59m')
    expect((await status()).provisioning_job.error_code).toBe('DNS_ERROR')
    await advance('1m')
    expect(await status()).toEqual({ renews_at: '2026-04-30T13:01:00Z', provisioning_job: null })
    expect((await send('GET', path)).body.certificate).not.toBeNull()
  })

  it('replaces an uploaded one, and vice versa', async () => {
    const { send, path, advance } = await reserve('replaced')
    await advance('1m')
    const { id } = (await send('GET', path)).body.certificate
    const uploaded = await send('PATCH', path, { certificate_id: id })
    expect(uploaded.body).toMatchObject({ certificate: { id }, certificate_management_policy: null })
    const managed = await send('PATCH', path, { certificate_management_policy: { ...POLICY, private_key_type: 'rsa' } })
    expect(managed.body).toMatchObject({ certificate: null, certificate_management_status: null })
  })
})

describe('A reserved address', async () => {
  const { as } = await simulate({ vendor: 'ngrok' })

  it('is unique, in its region', async () => {
    const send = as('sim_admin~addresses')
    const created = await Promise.all(Array.from({ length: 40 }, () => send('POST', '/reserved_addrs', { region: '' })))
    const addresses = created.map(({ body }) => body.addr)
    expect(new Set(addresses).size).toBe(40)
    for (const addr of addresses) expect(addr).toMatch(/^[1-9]\.tcp\.ngrok\.io:2\d{4}$/)
    const { body } = await send('POST', '/reserved_addrs', { region: 'jp' })
    expect(body).toMatchObject({ region: 'jp', addr: expect.stringMatching(/^[1-9]\.tcp\.jp\.ngrok\.io:2\d{4}$/) })
    expect(body.endpoint_configuration).toBeNull()
  })
})

it('The error of an empty update lists only the fields that a request can set', async () => {
  const { call } = await simulate()
  const response = await call('PATCH', '/reserved_domains/rd_www', {})
  expectError(response, 400, 422)
  expect(response.body.msg).toContain('description')
  expect(response.body.msg).not.toContain('cname_target')
})
