import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { sandboxesOf } from './sandbox.ts'

const POLICY = '{"on_http_request":[]}'
const cloud = (url: string, more: object = {}) => ({ type: 'cloud', traffic_policy: POLICY, url, ...more })

describe('A cloud endpoint', async () => {
  const simulated = await simulate()
  const { url } = simulated
  const sandbox = sandboxesOf(simulated, 'endpoints')

  it('returns the fields derived from its URL, without fields of agents', async () => {
    const { send } = sandbox()
    const { status, body } = await send('POST', '/endpoints', cloud('HTTPS://WWW.Example.com:443/'))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^ep_/),
      uri: `${url}/endpoints/${body.id}`,
      created_at: expect.any(String),
      updated_at: body.created_at,
      type: 'cloud',
      url: 'https://www.example.com',
      public_url: 'https://www.example.com',
      hostport: 'www.example.com:443',
      proto: 'https',
      bindings: ['public'],
      pooling_enabled: false,
      traffic_policy: POLICY,
      domain: { id: 'rd_www', uri: `${url}/reserved_domains/rd_www` },
    })
  })

  it('belongs to the matching wildcard domain, unless its own name is reserved', async () => {
    const { send } = sandbox()
    const { body } = await send('POST', '/endpoints', cloud('https://red.preview.example.com'))
    expect(body.domain.id).toBe('rd_previews')
    const own = await send('POST', '/reserved_domains', { domain: 'red.preview.example.com' })
    expect((await send('GET', `/endpoints/${body.id}`)).body.domain.id).toBe(own.body.id)
    expectError(await send('DELETE', `/reserved_domains/${own.body.id}`), 400, 446)
  })

  it('with TCP uses a reserved address', async () => {
    const { send } = sandbox()
    const { addr } = (await send('GET', '/reserved_addrs/ra_ssh')).body
    const { body } = await send('POST', '/endpoints', cloud(`tcp://${addr}`))
    expect(body).toMatchObject({ url: `tcp://${addr}`, hostport: addr, proto: 'tcp', tcp_addr: { id: 'ra_ssh' } })
    expect(body).not.toHaveProperty('domain')
    expectError(await send('POST', '/endpoints', cloud('tcp://db.example.com:5432')), 400, 18006)
  })

  it.each([
    ['YAML', 'on_http_request:\n  - actions:\n      - type: deny\n', 201],
    ['JSON', '{"on_http_request": []}', 201],
    ['a plain string', 'deny', 18002],
    ['broken YAML', 'on_http_request:\n  - a: [1\n', 18002],
  ])('accepts a traffic policy only as a string that contains an object: %s', async (_, policy, expected) => {
    const { send } = sandbox()
    const response = await send('POST', '/endpoints', cloud('https://www.example.com', { traffic_policy: policy }))
    if (expected !== 201) expectError(response, 400, expected)
    else expect(response.body.traffic_policy).toBe(policy)
    if (policy.includes('[1')) expect(response.body.msg).toMatch(/line \d+, column \d+/)
  })

  it('shares its URL only if all endpoints on it have pooling', async () => {
    const { send } = sandbox()
    // test/contract/record/errors.yaml has the errors of a create.
    await send('PATCH', '/endpoints/ep_shop', { pooling_enabled: true })
    const second = await send('POST', '/endpoints', cloud('https://shop.example.com', { pooling_enabled: true }))
    expect(second.status).toBe(201)
    expectError(await send('PATCH', '/endpoints/ep_shop', { pooling_enabled: false }), 400, 18017)
  })

  it('has the same bindings after an update with an empty list', async () => {
    const { send } = sandbox()
    const { body } = await send('POST', '/endpoints', cloud('https://a.internal', { bindings: ['internal'] }))
    const { body: after } = await send('PATCH', `/endpoints/${body.id}`, { description: 'x', bindings: [] })
    expect(after).toMatchObject({ description: 'x', bindings: ['internal'] })
    expect(after).not.toHaveProperty('domain')
  })

  it('reserves its domain in the same change, if assumed', async () => {
    const { send, sim } = sandbox()
    await send('GET', '/endpoints')
    await sim('PUT', '/scenario', { assume: { endpoint_domain: 'reserve' } })
    const { body } = await send('POST', '/endpoints', cloud('https://new.example.com'))
    expect((await send('GET', `/reserved_domains/${body.domain.id}`)).body.domain).toBe('new.example.com')
    const moved = await send('PATCH', `/endpoints/${body.id}`, { url: 'https://moved.example.com' })
    expect((await send('GET', `/reserved_domains/${moved.body.domain.id}`)).body.domain).toBe('moved.example.com')
  })
})

describe('An agent endpoint', async () => {
  const { call } = await simulate()

  it('has agent fields, cannot be changed over the API, and ends with its session', async () => {
    const { body } = await call('GET', '/endpoints/ep_preview')
    expect(body).toMatchObject({
      type: 'agent',
      scheme: 'https',
      host: 'blue.preview.example.com',
      port: 443,
      region: 'us',
      principal: { id: 'usr_member', uri: expect.any(String) },
      upstream_url: 'http://localhost:3000',
      tunnel_session: { id: 'ts_laptop' },
      domain: { id: 'rd_previews' },
    })
    expectError(await call('PATCH', '/endpoints/ep_preview', { description: 'x' }), 400, 400)
    expectError(await call('DELETE', '/endpoints/ep_preview'), 400, 400)
    expect((await call('POST', '/tunnel_sessions/ts_laptop/stop', {})).status).toBe(204)
    expectError(await call('GET', '/endpoints/ep_preview'), 404, '')
  })
})
