import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { requestPem } from '../../../src/ngrok/certificates/shapes.ts'
import { exampleOf } from '../../contract/record/world.ts'
import { simulate } from '../../support/in-process.ts'

const endpoint = (id: string, url: string, bindings: string[]) => ({ id: `ep_${id}`, type: 'cloud', url, bindings })
const fixture = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  endpoints: [
    endpoint('staging', 'https://a.staging.example.com', ['kubernetes']),
    endpoint('production', 'https://a.example.com', ['kubernetes']),
    endpoint('public', 'https://b.staging.example.com', ['public']),
  ],
}
const { as, url } = await simulate({ fixture, clock: '2026-02-01T00:00:00Z' })
const csr = exampleOf(requestPem)

it('An operator created with few fields has empty values', async () => {
  const { status, body } = await as('sim_admin~little')('POST', '/kubernetes_operators', {
    enabled_features: ['Ingress'],
    deployment: { name: 'operator' },
  })
  expect(status).toBe(201)
  const never = '0001-01-01T00:00:00Z'
  expect(body).toEqual({
    id: body.id,
    uri: `${url}/kubernetes_operators/${body.id}`,
    created_at: '2026-02-01T00:00:00Z',
    updated_at: '2026-02-01T00:00:00Z',
    enabled_features: ['ingress'],
    region: 'global',
    deployment: { name: 'operator', namespace: '', version: '', cluster_name: '' },
    binding: { endpoint_selectors: null, cert: { cert: '', not_before: never, not_after: never } },
    principal: { id: 'usr_admin', uri: '' },
  })
})

it('An update preserves omitted fields of deployment and binding', async () => {
  const send = as('sim_admin~update')
  const { body: created } = await send('POST', '/kubernetes_operators', {
    deployment: { name: 'operator', namespace: 'edge' },
    binding: { endpoint_selectors: ['true'], ingress_endpoint: 'ingress.example.com:443' },
  })
  const path = `/kubernetes_operators/${created.id}`
  const { body } = await send('PATCH', path, {
    enabled_features: ['BINDINGS'],
    deployment: { version: '2' },
    binding: { endpoint_selectors: ['false'] },
  })
  expect(body).toMatchObject({
    enabled_features: ['bindings'],
    deployment: { name: 'operator', namespace: 'edge', version: '2' },
    binding: { endpoint_selectors: ['false'], ingress_endpoint: 'ingress.example.com:443' },
  })
  const moved = await send('PATCH', path, { deployment: { namespace: 'other' } })
  expect(moved).toMatchObject({ status: 400, body: { details: { field: 'deployment.namespace' } } })
})

it('A signing request gets a certificate for its name and key', async () => {
  const send = as('sim_admin~csr')
  const { body } = await send('POST', '/kubernetes_operators', { binding: { csr } })
  const { cert } = body.binding
  expect(Object.keys(body.binding)).toEqual(['endpoint_selectors', 'cert'])
  const certificate = new X509Certificate(cert.cert)
  expect(certificate.subject).toBe('CN=operator')
  expect(cert).toMatchObject({ not_before: '2026-02-01T00:00:00Z', not_after: '2027-02-01T00:00:00Z' })
  expect((await send('GET', `/kubernetes_operators/${body.id}`)).body).toEqual(body)
})

it.each([
  [19003, { binding: { endpoint_selectors: ['true', 'endpoint.url +'] } }, 'binding.endpoint_selectors[1]'],
  [19003, { binding: { endpoint_selectors: ['obj.url == "x"'] } }, 'binding.endpoint_selectors[0]'],
])('The error %i is returned for %j', async (code, given, field) => {
  const { status, body } = await as('sim_admin~errors')('POST', '/kubernetes_operators', given)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error_code: `ERR_SERVICE_${code}`, details: { field } })
})

it.each([
  [undefined, []],
  [['true'], ['ep_production', 'ep_staging']],
  [['endpoint.url.contains(".staging")'], ['ep_staging']],
  [['false', 'endpoint.id == "ep_production"'], ['ep_production']],
])('The selectors %j bind the Kubernetes endpoints %j', async (endpoint_selectors, ids) => {
  const send = as('sim_admin~bound')
  const operator = (await send('POST', '/kubernetes_operators', { binding: { endpoint_selectors } })).body
  const path = `/kubernetes_operators/${operator.id}/bound_endpoints`
  const { status, body } = await send('GET', path)
  expect(status).toBe(200)
  expect(body.endpoints.map(({ id }: { id: string }) => id).sort()).toEqual(ids)
  expect(body).toMatchObject({ uri: url + path, next_page_uri: null })
})
