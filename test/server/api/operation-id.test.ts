import { expect, it } from 'vitest'
import { operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

it.each([
  ['service', 'service-operation-id'],
  ['ngrok', 'ngrok-operation-id'],
  ['acme_co', 'acme_co-operation-id'],
])("Every API response also has its operation id in the vendor's header: --vendor %s", async (vendor, header) => {
  const { call, as } = await simulate({ vendor, cors: ['https://app.test'] })
  const responses = [
    await call('GET', '/api_keys', undefined, { headers: { origin: 'https://app.test' } }),
    await call('POST', '/api_keys', {}),
    await call('DELETE', '/api_keys/ak_ci'),
    await as(null)('GET', '/api_keys'),
    await call('GET', '/nowhere'),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 201, 204, 401, 404])
  for (const response of responses) {
    expect(response.headers.get(header)).toMatch(/^op_/)
    expect(response.headers.get(header)).toBe(operationOf(response))
  }
  // A cross-origin page can read it.
  const exposed = responses[0]!.headers.get('access-control-expose-headers')!
  expect(exposed.toLowerCase()).toContain(header)
  const { body: entry } = await call('GET', `/_sim/requests/${operationOf(responses[0]!)}`)
  expect(entry.response.headers[header]).toBe(entry.id)
  expect((await call('GET', '/_sim/info')).headers.get(header)).toBeNull()
})
