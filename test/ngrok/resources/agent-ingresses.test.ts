import { expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'

const NOW = '2026-03-01T12:00:00Z'
const POLICY = { authority: 'letsencrypt' }

const { as } = await simulate({ clock: NOW })
const vendors = await simulate({ vendor: 'ngrok' })

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

it('An ingress has name servers, a region domain, and a path as its uri', async () => {
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

it('An ingress domain can be a single label, as in the vendor example', async () => {
  const { body } = await start('one-part', { domain: 'foo' })
  expect(body).toMatchObject({ domain: 'foo', region_domains: ['tunnel.us.foo'] })
})

it('An ingress has name servers below the vendor domain', async () => {
  const { body } = await vendors.call('POST', '/agent_ingresses', { domain: 'agents.example.com' })
  expect(body.ns_targets[0]).toBe('1.ns.ngrok.app.')
  const rejected = await vendors.call('POST', '/agent_ingresses', { domain: 'agents.ngrok.io' })
  expect(rejected.body).toMatchObject({ error_code: 'ERR_NGROK_6705', status_code: 400 })
})

it('An ingress certificate is issued on time, has an RSA key, and is not a record', async () => {
  const { send, body, path, after } = await start('managed', { certificate_management_policy: POLICY })
  const policy = { ...POLICY, private_key_type: 'rsa' }
  expect(body).toMatchObject({ certificate_management_policy: policy, certificate_management_status: null })
  expect((await after('4s')).provisioning_job).toMatchObject({ error_code: null, started_at: NOW })
  const before = (await send('GET', '/tls_certificates')).body
  const provided = { renews_at: '2026-04-30T12:01:04Z', provisioning_job: null }
  expect(await after('1m')).toEqual(provided)
  expect((await send('GET', '/tls_certificates')).body).toEqual(before)
  // Only a different policy starts a new job.
  const updated = await send('PATCH', path, { certificate_management_policy: POLICY })
  expect(updated.body.certificate_management_status).toEqual(provided)
  await send('PATCH', path, { certificate_management_policy: { ...POLICY, private_key_type: 'ecdsa' } })
  expect(await after('4s')).toMatchObject({ renews_at: null, provisioning_job: { error_code: null } })
})

it('An ingress certificate fails without NS records, if assumed', async () => {
  const { send, after } = await start('failing', { certificate_management_policy: POLICY })
  await send('PUT', '/_sim/sandboxes/failing/scenario', { assume: { certificate_provisioning: 'fails' } })
  const { provisioning_job } = await after('1m')
  expect(provisioning_job).toMatchObject({ error_code: 'DNS_ERROR', retries_at: '2026-03-01T13:01:00Z' })
  expect(provisioning_job.msg).toMatch(/NS records that name 1\.ns\.service\.example\., /)
})
