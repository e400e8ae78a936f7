import { describe, expect, it } from 'vitest'
import { subscribe } from '../support/events.ts'
import { openEvents } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as, url } = await simulate()
const api = as('sim_admin~delivered')
const control = (method: string, path: string, body?: unknown) => call(method, `/_sim/sandboxes/delivered${path}`, body)

const { subscription, destinations } = await subscribe(api, [
  'ip_policy_created.v0',
  'ip_policy_updated.v0',
  'api_key_created.v0',
])
const [destination] = destinations as [string]
const policy = (await api('POST', '/ip_policies', { description: 'one' })).body
await api('PATCH', `/ip_policies/${policy.id}`, { description: 'two' })
await api('POST', '/api_keys', { description: 'key' })
const idsOf = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id)
const ids = idsOf((await control('GET', '/deliveries')).body.deliveries).reverse()

describe('GET /_sim/deliveries', () => {
  it.each([
    ['type=ip_policy_*', [1, 0]],
    ['type=api_key_created.v0', [2]],
    ['destination={destination}&limit=1', [2]],
    ['destination=ed_other', []],
    ['subscription={subscription}&status=kept', [2, 1, 0]],
    ['status=failed', []],
  ])('with %s', async (query, expected) => {
    const filled = query.replace('{destination}', destination).replace('{subscription}', subscription)
    const { body } = await control('GET', `/deliveries?${filled}`)
    expect(idsOf(body.deliveries).map(id => ids.indexOf(id))).toEqual(expected)
  })

  it.each([
    ['types=x', 'Did you mean type?'],
    ['type=ip_policy_create.v0', 'Did you mean ip_policy_created.v0?'],
    ['status=sent', 'kept, pending, delivered, failed'],
    ['limit=0', '"limit" must be an integer from 1'],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await control('GET', `/deliveries?${query}`)
    expect(status).toBe(400)
    expect(body.msg).toContain(message)
  })
})

describe('POST /_sim/deliveries/verify', () => {
  const verify = (expectation: object) => control('POST', '/deliveries/verify', expectation)

  it.each<[object, number[]]>([
    [{ type: 'ip_policy_*', count: 2 }, [0, 1]],
    [{ where: { 'object.description': 'two' } }, [1]],
    [{ where: { 'principal.id': 'usr_admin', 'object.description': { matches: '^k' } } }, [2]],
    [{ type: 'ip_policy_deleted.v0', at_most: 0 }, []],
    [{ sequence: [{ type: 'ip_policy_created.v0' }, { type: 'api_key_created.v0' }] }, [0, 2]],
  ])('finds %j', async (expectation, expected) => {
    const { status, body } = await verify(expectation)
    expect(status).toBe(200)
    expect(body).toEqual({ matched: expected.map(i => ids[i]) })
  })

  it('returns the closest deliveries, and how they differ', async () => {
    const { status, body } = await verify({ type: 'ip_policy_updated.v0', where: { 'object.description': 'three' } })
    expect(status).toBe(409)
    expect(body.msg).toBe('Expected at least 1 matching delivery, found 0 among 3 in the deliveries.')
    expect(body.nearest[0]).toEqual({
      id: ids[1],
      type: 'ip_policy_updated.v0',
      destination,
      status: 'kept',
      differs: [{ field: 'object.description', expected: 'three', received: 'two' }],
    })
  })

  it.each([
    [{ type: 'ip_policy_made.v0' }, 'Unknown event type'],
    [{ where: { 'body.description': 'x' } }, 'must start with one of object, principal'],
    [{ operation: 'create_api_key' }, 'operation'],
  ])('rejects %j', async (expectation, message) => {
    const { status, body } = await verify(expectation)
    expect(status).toBe(400)
    expect(body.msg).toContain(message)
  })
})

it('A delivery is an event in the stream, without its body', async () => {
  const streamed = as('sim_admin~streamed')
  const { subscription, destinations } = await subscribe(streamed, ['ip_policy_created.v0'])
  const stream = await openEvents(`${url}/_sim/sandboxes/streamed/events`)
  await streamed('POST', '/ip_policies', {})
  const isDelivery = ({ type }: { type: string }) => type === 'delivery'
  await stream.until(() => stream.events.some(isDelivery))
  const { data } = stream.events.find(isDelivery)!
  const [destination] = destinations
  expect(data).toMatchObject({ type: 'ip_policy_created.v0', destination, subscription, status: 'kept' })
  expect(data).not.toHaveProperty('body')
})

describe('A rule for deliveries', () => {
  const rules = [
    { name: 'down', when: { delivery: 'ip_policy_*', calls: 2 }, fault: { type: 'error', status: 503 } },
    { name: 'gone', when: { delivery: ['api_key_created.v0'] }, fault: { type: 'reset' }, times: 1 },
  ]

  it('fails them although nothing is sent', async () => {
    const failing = as('sim_admin~failing')
    await call('PUT', '/_sim/sandboxes/failing', { scenario: { name: 'failing', rules } })
    await subscribe(failing, ['ip_policy_created.v0', 'api_key_created.v0'])
    for (const path of ['/ip_policies', '/ip_policies', '/api_keys']) await failing('POST', path, {})
    const { deliveries } = (await call('GET', '/_sim/sandboxes/failing/deliveries')).body
    expect(deliveries.reverse()).toMatchObject([
      { status: 'kept', attempts: 0, answer: null, failure: null },
      { status: 'failed', attempts: 1, answer: 503, failure: 'scenario rule: error 503, request not executed' },
      { status: 'failed', attempts: 1, answer: null, failure: expect.stringContaining('connection reset') },
    ])
    const { body } = await call('GET', '/_sim/sandboxes/failing/scenario')
    expect(body.rules).toMatchObject([
      { matched: 2, fired: 1 },
      { matched: 1, fired: 1 },
    ])
  })

  const fault = { type: 'reset' }
  it.each([
    [[{ when: { delivery: '*', owner: 'usr_admin' }, latency: '1s' }], 'Write two rules'],
    [
      [{ when: { delivery: '*' }, fault: { type: 'truncate' } }],
      'truncate is not supported on a delivery. Supported: error, reset, hang',
    ],
    [
      [{ when: { delivery: '*' }, rate_limit: { requests: 1, per: '1s' } }],
      'a rate limit is not supported on a delivery',
    ],
    [
      [
        { when: { delivery: 'ip_*' }, fault },
        { when: { delivery: 'ip_policy_created.v0' }, fault },
      ],
      'rules[1]: can never fire, because the fault of rules[0] acts on everything it matches',
    ],
  ])('is rejected as %j', async (rules, message) => {
    const { status, body } = await control('PUT', '/scenario', { rules })
    expect(status).toBe(400)
    expect(body.msg).toContain(message)
  })
})

it('DELETE /_sim/deliveries clears the list', async () => {
  const forgotten = as('sim_admin~forgotten')
  const path = '/_sim/sandboxes/forgotten/deliveries'
  await subscribe(forgotten, ['ip_policy_created.v0'])
  await forgotten('POST', '/ip_policies', {})
  expect((await call('GET', path)).body.deliveries).toHaveLength(1)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).body).toEqual({ deliveries: [] })
})
