import { expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'
import { pooledClient, type RawCall } from '../support/raw-http.ts'

const options = { seed: 42, clock: '2026-03-04T05:06:07Z' }

/** Valid and invalid calls. A call can use an id that an earlier one created. */
const script: ((made: string) => RawCall)[] = [
  () => ({ method: 'POST', path: '/api_keys', body: { description: 'first' } }),
  made => ({ method: 'GET', path: `/api_keys/${made}` }),
  made => ({ method: 'PATCH', path: `/api_keys/${made}`, body: { metadata: '{"a":1}' } }),
  () => ({ method: 'POST', path: '/api_keys', body: { nope: 1 } }),
  () => ({ method: 'POST', path: '/ip_restrictions', body: { type: 'endpoints', ip_policy_ids: ['ipp_office'] } }),
  () => ({ method: 'GET', path: '/ip_restrictions?limit=1' }),
  () => ({ method: 'PUT', path: '/edges/tcp/edgtcp_ssh/ip_restriction', body: { ip_policy_ids: ['ipp_local'] } }),
  () => ({ method: 'GET', path: '/api_keys/ak_nobody' }),
  () => ({ method: 'GET', path: '/no/such/path' }),
  () => ({ method: 'PUT', path: '/api_keys', body: {} }),
  made => ({ method: 'DELETE', path: `/api_keys/${made}` }),
  () => ({ method: 'GET', path: '/api_keys' }),
]

/** The bytes of every response: status, headers in order, body. Only the port in URIs may differ. */
async function run(port: number) {
  const client = pooledClient(port, 1)
  const responses: string[] = []
  let made = ''
  for (const next of [...script, ...script]) {
    const { status, head, text } = await client.send(next(made))
    responses.push(`${head}\n${text}`.replaceAll(`:${port}/`, ':PORT/'))
    if (status === 201) made = JSON.parse(text).id
  }
  client.close()
  return responses
}

it('With a seed and a frozen clock, the same requests return the same bytes after a restart or reset', async () => {
  const [first, second] = [await simulate(options), await simulate(options)]
  const responses = await run(first.port)
  expect(responses[0]).toMatch(/Date: Wed, 04 Mar 2026 05:06:07 GMT/)
  expect(new Set(responses.map(text => /Edgesim-Operation-Id: (\w+)/.exec(text)![1])).size).toBe(responses.length)
  expect(await run(second.port)).toEqual(responses)
  expect((await first.call('POST', '/_sim/reset')).status).toBe(204)
  expect(await run(first.port)).toEqual(responses)
})

it('Without a seed, ids and tokens are random', async () => {
  const [first, second] = [await simulate({ clock: options.clock }), await simulate({ clock: options.clock })]
  const [one, other] = [await first.call('POST', '/api_keys'), await second.call('POST', '/api_keys')]
  expect(one.body.id).not.toBe(other.body.id)
  expect(one.body.token).not.toBe(other.body.token)
})
