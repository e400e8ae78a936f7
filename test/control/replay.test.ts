import { describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options/options.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { forEach, pooledClient, type RawCall } from '../support/raw-http.ts'

const options: SimulatorOptions = { seed: 42, clock: '2026-03-04T05:06:07Z', baseUrl: 'http://api.test' }

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

/** The bytes of every response: status, headers in order, body. */
async function run(port: number, sandbox: string) {
  const client = pooledClient(port, 1)
  const token = sandbox === 'default' ? 'sim_admin' : `sim_admin~${sandbox}`
  const responses: string[] = []
  let made = ''
  for (const next of [...script, ...script]) {
    const { status, head, text } = await client.send({ ...next(made), token })
    responses.push(`${head}\n${text}`)
    if (status === 201) made = JSON.parse(text).id
  }
  client.close()
  return responses
}

describe('With a seed and a frozen clock', () => {
  it('the same requests return the same bytes after a restart or reset', async () => {
    const [first, second] = [await simulate(options), await simulate(options)]
    const responses = await run(first.port, 'default')
    expect(responses[0]).toMatch(/Date: Wed, 04 Mar 2026 05:06:07 GMT/)
    expect(new Set(responses.map(text => /Edgesim-Operation-Id: (\w+)/.exec(text)![1])).size).toBe(responses.length)
    expect(await run(second.port, 'default')).toEqual(responses)
    const control = pooledClient(first.port, 1)
    expect((await control.send({ method: 'POST', path: '/_sim/reset' })).status).toBe(204)
    control.close()
    expect(await run(first.port, 'default')).toEqual(responses)
  })

  it.runIf(ALL)('the same requests return the same bytes next to 20 busy sandboxes', async () => {
    const alone = await simulate(options)
    const expected = await run(alone.port, 'wanted')
    const { port } = await simulate(options)
    const others = pooledClient(port, 20)
    let busy = true
    let done = 0
    const noise = forEach(Array(20).keys(), 20, async i => {
      for (let round = 0; busy; round++) {
        await others.send({ ...script[round % script.length]!('ak_admin'), token: `sim_admin~other-${i}` })
        done++
      }
    })
    for (let round = 0; round < 3 || done < 100; round++) {
      expect(await run(port, 'wanted')).toEqual(expected)
      await others.send({ method: 'POST', path: '/_sim/sandboxes/wanted/reset' })
    }
    busy = false
    await noise
    others.close()
  })

  it.runIf(ALL)('only the port in uris differs without a base URL', async () => {
    const { baseUrl: _, ...onPort } = options
    const [first, second] = [await simulate(onPort), await simulate(onPort)]
    const withoutPort = (responses: string[], port: number) =>
      responses.map(text => text.replaceAll(`:${port}/`, ':PORT/'))
    const [one, other] = [await run(first.port, 'default'), await run(second.port, 'default')]
    expect(one).not.toEqual(other)
    expect(withoutPort(one, first.port)).toEqual(withoutPort(other, second.port))
  })

  it.runIf(ALL)('another seed or sandbox has different ids and tokens', async () => {
    const { port } = await simulate(options)
    const { port: reseeded } = await simulate({ ...options, seed: 43 })
    const tokens = await Promise.all(
      [
        [port, 'a'],
        [port, 'b'],
        [reseeded, 'a'],
      ].map(async ([at, name]) => JSON.parse((await run(at as number, name as string))[0]!.split('\n').at(-1)!)),
    )
    expect(new Set(tokens.map(({ id }) => id)).size).toBe(3)
    expect(new Set(tokens.map(({ token }) => token.split('~')[0])).size).toBe(3)
  })
})

it('Without a seed, ids and tokens are random', async () => {
  const [first, second] = [await simulate({ clock: options.clock }), await simulate({ clock: options.clock })]
  const [one, other] = [await first.call('POST', '/api_keys'), await second.call('POST', '/api_keys')]
  expect(one.body.id).not.toBe(other.body.id)
  expect(one.body.token).not.toBe(other.body.token)
})
