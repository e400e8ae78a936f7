import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

/** What the vendor's newest SDK and Terraform provider send and read. */

const NOW = '2026-03-01T12:00:00Z'
const { as, call, url } = await simulate({ clock: NOW })

it('An update of an event subscription replaces all its sources', async () => {
  const { body: created } = await call('POST', '/event_subscriptions', {
    sources: [{ type: 'api_key_created.v0' }, { type: 'api_key_deleted.v0' }],
  })
  const path = `/event_subscriptions/${created.id}`
  const update = (...types: string[]) => call('PATCH', path, { sources: types.map(type => ({ type })) })
  const type = 'ip_policy_created.v0'
  expect((await update(type)).body.sources).toEqual([{ type, uri: `${url}${path}/sources/${type}` }])
  expectError(await update(type, type), 400, 5127)
  expect(expectError(await update('ip_policy_made.v0'), 400, 238).details.field).toBe('sources[0].type')
  expectError(await call('PATCH', path, { sources: [{}] }), 400, 238)
  expect((await update()).body.sources).toEqual([])
})

describe('An endpoint', async () => {
  const send = as('sim_admin~endpoints')
  const given = { bindings: ['internal'], traffic_policy: '{"on_http_request":[]}' }
  const create = (host: string, more: object = {}) =>
    send('POST', '/endpoints', { ...given, url: `https://${host}.internal`, ...more })

  it('is a cloud endpoint by default', async () => {
    expect((await create('a')).body).toMatchObject({ type: 'cloud', url: 'https://a.internal' })
  })

  it.each(['id', 'url', 'ids', 'urls'])('is found by ?%s=', async name => {
    const [first, second] = [(await create(`${name}-1`)).body, (await create(`${name}-2`)).body]
    const idOrUrl = (endpoint: Record<string, string>) => endpoint[name.replace(/s$/, '')]!
    const find = async (query: string) => (await send('GET', `/endpoints?${query}`)).body.endpoints
    expect(await find(`${name}=${encodeURIComponent(idOrUrl(first))}`)).toEqual([first])
    expect(await find(`${name}=${idOrUrl(first)}&${name}=${idOrUrl(second)}`)).toEqual([second, first])
    expect(await find(`url=${first.url}&id=${second.id}`)).toEqual([])
  })
})

describe('A reserved domain', async () => {
  const send = as('sim_admin~domains')
  const { body: domain } = await send('POST', '/reserved_domains', { domain: 'app.example.com' })
  const path = `/reserved_domains/${domain.id}`
  const resolveTo = (...values: string[]) => send('PATCH', path, { resolves_to: values.map(value => ({ value })) })

  it('returns resolves_to only if set', async () => {
    const resolves_to = [{ value: 'eu' }, { value: 'us-cal-1' }]
    expect(domain).not.toHaveProperty('resolves_to')
    const pinned = await send('POST', '/reserved_domains', { domain: 'eu.example.com', resolves_to })
    expect(pinned.body.resolves_to).toEqual(resolves_to)
    expect((await resolveTo('global')).body.resolves_to).toEqual([{ value: 'global' }])
    expect((await send('PATCH', path, { description: 'x' })).body.resolves_to).toEqual([{ value: 'global' }])
    expect((await resolveTo()).body).not.toHaveProperty('resolves_to')
    const none = await send('POST', '/reserved_domains', { domain: 'none.example.com', resolves_to: [] })
    expect(none.body).not.toHaveProperty('resolves_to')
  })

  it.each(
    'us au ap jp sa in 192.0.2.1 192.0.2.1:8443 2001:db8::1 [2001:db8::1]:443'.split(' '),
  )('can resolve to %s', async value => expect((await resolveTo(value)).body.resolves_to).toEqual([{ value }]))

  it.each(
    'mars EU 192.0.2.256 192.0.2.1:0 192.0.2.1:65536 [2001:db8::1] eu:443 example.com'.split(' '),
  )('cannot resolve to "%s"', async value => {
    const { msg, details } = expectError(await resolveTo(value), 400, 'invalid_region_target')
    expect(msg).toContain('us, us-cal-1, eu, au, ap, jp, sa, in, global, or an IP address')
    expect(details.field).toBe('resolves_to[0].value')
  })
})

it('A secret can be created with a vault name', async () => {
  const send = as('sim_admin~vaults')
  const { body: vault } = await send('POST', '/vaults', { name: 'staging' })
  const { body: other } = await send('POST', '/vaults', { name: 'live' })
  const create = (given: object) => send('POST', '/vault_secrets', { name: 'password', value: 'x', ...given })
  const { status, body } = await create({ vault_name: 'staging' })
  expect({ status, body }).toMatchObject({ status: 201, body: { vault: { id: vault.id }, vault_name: 'staging' } })
  const missing = expectError(await create({ vault_name: 'stagin' }), 400, 24009)
  expect(missing).toMatchObject({ msg: expect.stringContaining('got "stagin"'), details: { nearest: 'staging' } })
  expectError(await create({ vault_name: 'staging', vault_id: other.id }), 400, 215)
  expect((await create({ vault_name: 'live', vault_id: other.id })).status).toBe(201)
  expectError(await send('PATCH', `/vault_secrets/${body.id}`, { vault_name: 'live' }), 400, 214)
})

it('An edge has one route per match, whatever its type', async () => {
  const send = as('sim_admin~routes')
  const { body: edge } = await send('POST', '/edges/https', {})
  const create = (match_type: string) => send('POST', `/edges/https/${edge.id}/routes`, { match_type, match: '/a' })
  expect((await create('path_prefix')).status).toBe(201)
  for (const type of ['exact_path', 'path_prefix']) expectError(await create(type), 400, 7126)
})

it('An event destination accepts ARNs of any partition', async () => {
  const create = (stream_arn: string) =>
    call('POST', '/event_destinations', {
      format: 'json',
      target: { kinesis: { stream_arn, auth: { role: { role_arn: 'arn:ngrok-local:iam::123456789012:role/x' } } } },
    })
  const stream_arn = 'arn:ngrok-local:kinesis:us-east-1:123456789012:stream/events'
  expect((await create(stream_arn)).body.target.kinesis).toMatchObject({ stream_arn })
  for (const partition of ['', 'AWS', 'a b'])
    expectError(await create(stream_arn.replace('ngrok-local', partition)), 400, 5120)
})

describe('The ingress endpoint of a Kubernetes operator', async () => {
  const ngrok = await simulate({ clock: NOW, vendor: 'ngrok' })
  const ingressOf = (response: { body: { binding: object } }) =>
    (response.body.binding as { ingress_endpoint?: string }).ingress_endpoint

  it('is set shortly after the operator is created with bindings', async () => {
    for (const [by, expected] of [
      [ngrok.as, 'connect.ngrok-endpoints.com:443'],
      [as, 'connect.service-endpoints.example:443'],
    ] as const) {
      const send = by('sim_admin~operators')
      const created = await send('POST', '/kubernetes_operators', { enabled_features: ['Bindings'] })
      const path = `/kubernetes_operators/${created.body.id}`
      expect([ingressOf(created), ingressOf(await send('GET', path))]).toEqual([undefined, undefined])
      await send('PUT', '/_sim/sandboxes/operators/clock', { advance: '3s' })
      expect(ingressOf(await send('PATCH', path, { metadata: 'x' }))).toBe(expected)
      expect((await send('GET', path)).body).not.toHaveProperty('ingress')
    }
  })

  it('is the requested one, and is never set without bindings', async () => {
    const send = as('sim_admin~given')
    const create = async (given: object) =>
      `/kubernetes_operators/${(await send('POST', '/kubernetes_operators', given)).body.id}`
    const binding = { ingress_endpoint: 'mine.example.com:443' }
    const given = await create({ enabled_features: ['bindings'], binding })
    const without = await create({ enabled_features: ['ingress'] })
    await send('PUT', '/_sim/sandboxes/given/clock', { advance: '1h' })
    expect(ingressOf(await send('GET', given))).toBe('mine.example.com:443')
    expect(ingressOf(await send('GET', without))).toBeUndefined()
    await send('PATCH', without, { enabled_features: ['bindings'] })
    expect(ingressOf(await send('GET', without))).toBe('connect.service-endpoints.example:443')
    const disabled = await create({ enabled_features: ['bindings'] })
    await send('PATCH', disabled, { enabled_features: [] })
    await send('PUT', '/_sim/sandboxes/given/clock', { advance: '1h' })
    expect(ingressOf(await send('GET', disabled))).toBeUndefined()
  })
})

it('An AI gateway API key returns its token once', async () => {
  const send = as('sim_admin~gateway')
  const given = { url: 'https://ai.internal', bindings: ['internal'], traffic_policy: '{}' }
  const { body: endpoint } = await send('POST', '/endpoints', given)
  const create = (given: object) => send('POST', '/ai_gateway_api_keys', given)
  const { status, body } = await create({ description: 'chat', metadata: 'm', endpoint_id: endpoint.id })
  expect(status).toBe(201)
  const by = { id: 'usr_admin', uri: '' }
  expect(body).toEqual({
    id: expect.stringMatching(/^aigk_/),
    uri: `${url}/ai_gateway_api_keys/${body.id}`,
    created_at: NOW,
    updated_at: NOW,
    description: 'chat',
    metadata: 'm',
    created_by: by,
    last_updated_by: by,
    endpoint: { id: endpoint.id, uri: endpoint.uri },
    display_name: `${body.token.slice(0, 8)}...`,
    token: expect.stringMatching(/^\w{20,}~gateway$/),
    last_used: null,
  })
  const path = `/ai_gateway_api_keys/${body.id}`
  const shown = { ...body, token: null }
  expect((await send('GET', path)).body).toEqual(shown)
  expect((await send('GET', '/ai_gateway_api_keys')).body.ai_gateway_api_keys[0]).toEqual(shown)
  expect((await send('PATCH', path, { description: '' })).body).not.toHaveProperty('description')
  expect(expectError(await create({ endpoint_id: 'ep_nobody' }), 400, 223).details.field).toBe('endpoint_id')
  expectError(await call('GET', '/api_keys', undefined, { token: body.token }), 401, 203)
  expect((await send('DELETE', path)).status).toBe(204)
  expectError(await send('GET', path), 404, '')
})
