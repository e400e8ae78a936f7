import { expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'

const NOW = '2026-03-01T12:00:00Z'
const POLICY = { authority: 'letsencrypt' }

const { as } = await simulate({ clock: NOW })
const vendors = await simulate({ vendor: 'ngrok' })

/** A sandbox of its own, with a new ingress. */
async function start(sandbox: string, given: object = {}) {
  const send = as(`sim_admin~${sandbox}`)
  const { body } = await send('POST', '/agent_ingresses', { domain: 'Agents.Example.com', ...given })
  const path = `/agent_ingresses/${body.id}`
  const after = async (time: string) => {
    await send('PUT', `/_sim/sandboxes/${sandbox}/clock`, { advance: time })
    return (await send('GET', path)).body.certificate_management_status
  }
  return { send, body, path, after }
}

it('An ingress has name servers and a domain of a region, and its uri is a path', async () => {
  const { send, body, path } = await start('created')
  expect(body).toEqual({
    id: body.id,
    uri: path,
    created_at: NOW,
    domain: 'agents.example.com',
    ns_targets: [1, 2, 3, 4].map(i => `${i}.ns.service.example.`),
    region_domains: ['tunnel.us.agents.example.com'],
    certificate_management_policy: null,
    certificate_management_status: null,
  })
  const listed = await send('GET', '/agent_ingresses')
  expect(listed.body.ingresses.map(({ id }: { id: string }) => id)).toEqual([body.id, 'agin_devices'])
  expect((await send('PATCH', path, { description: 'Agents' })).body).toEqual({ ...body, description: 'Agents' })
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('POST', '/agent_ingresses', { domain: body.domain })).status).toBe(201)
})

it('The domain of an ingress may be a single part, as in an answer that the vendor published', async () => {
  const { body } = await start('one-part', { domain: 'foo' })
  expect(body).toMatchObject({ domain: 'foo', region_domains: ['tunnel.us.foo'] })
})

it('The name servers of an ingress are below a name of the vendor', async () => {
  const { body } = await vendors.call('POST', '/agent_ingresses', { domain: 'agents.example.com' })
  expect(body.ns_targets[0]).toBe('1.ns.ngrok.app.')
  const refused = await vendors.call('POST', '/agent_ingresses', { domain: 'agents.ngrok.io' })
  expect(refused.body).toMatchObject({ error_code: 'ERR_NGROK_6705', status_code: 400 })
})

it('The certificate of an ingress comes by the clock, with an RSA key, and is no record', async () => {
  const { send, body, path, after } = await start('managed', { certificate_management_policy: POLICY })
  const policy = { ...POLICY, private_key_type: 'rsa' }
  expect(body).toMatchObject({ certificate_management_policy: policy, certificate_management_status: null })
  expect((await after('4s')).provisioning_job).toMatchObject({ error_code: null, started_at: NOW })
  const before = (await send('GET', '/tls_certificates')).body
  const provided = { renews_at: '2026-04-30T12:01:04Z', provisioning_job: null }
  expect(await after('1m')).toEqual(provided)
  expect((await send('GET', '/tls_certificates')).body).toEqual(before)
  // The same policy starts nothing; another does.
  const updated = await send('PATCH', path, { certificate_management_policy: POLICY })
  expect(updated.body.certificate_management_status).toEqual(provided)
  await send('PATCH', path, { certificate_management_policy: { ...POLICY, private_key_type: 'ecdsa' } })
  expect(await after('4s')).toMatchObject({ renews_at: null, provisioning_job: { error_code: null } })
})

it('The certificate of an ingress without NS records fails if that is assumed', async () => {
  const { send, after } = await start('failing', { certificate_management_policy: POLICY })
  await send('PUT', '/_sim/sandboxes/failing/scenario', { assume: { certificate_provisioning: 'fails' } })
  const { provisioning_job } = await after('1m')
  expect(provisioning_job).toMatchObject({ error_code: 'DNS_ERROR', retries_at: '2026-03-01T13:01:00Z' })
  expect(provisioning_job.msg).toMatch(/NS records that name 1\.ns\.service\.example\., /)
})
