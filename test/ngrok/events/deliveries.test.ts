import { describe, expect, it } from 'vitest'
import type { EventDelivery } from '../../../src/contract/event-delivery.ts'
import { collections, eventWords } from '../../../src/ngrok/resources/index.ts'
import { subscribe } from '../../support/events.ts'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const { as, call, url } = await simulate({ clock: '2026-03-01T12:00:00Z', seed: 'events' })

function sandbox(name: string) {
  const deliveries = async (): Promise<EventDelivery[]> =>
    (await call('GET', `/_sim/sandboxes/${name}/deliveries`)).body.deliveries.reverse()
  return { api: as(`sim_admin~${name}`), deliveries }
}

const typesOf = (deliveries: EventDelivery[]) => deliveries.map(({ type, body }) => `${type} ${body.object.id}`)

describe('A change with a subscription', () => {
  it('is published as an event with the resource, once per destination', async () => {
    const { api, deliveries } = sandbox('body')
    const { subscription, destinations } = await subscribe(api, ['ip_policy_created.v0'], 2)
    const { body: policy } = await api('POST', '/ip_policies', { description: 'new' })
    const found = await deliveries()
    expect(found.map(({ destination }) => destination)).toEqual(destinations)
    const [first, second] = found
    expect(first!.id).toMatch(/^ev_\w{27}$/)
    expect(second!.id).toBe(first!.id)
    expect(first).toMatchObject({
      subscription,
      type: 'ip_policy_created.v0',
      status: 'kept',
      at: '2026-03-01T12:00:00Z',
    })
    expect(first!.body).toEqual({
      event_id: first!.id,
      event_type: 'ip_policy_created.v0',
      event_timestamp: '2026-03-01T12:00:00Z',
      account_id: expect.stringMatching(/^ac_\w{27}$/),
      principal: {
        id: 'usr_admin',
        subject: 'Admin',
        source: 'API',
        credential: { id: 'ak_admin', uri: `${url}/api_keys/ak_admin` },
      },
      object: policy,
    })
  })

  it('does not contain secrets that only the response contains', async () => {
    const { api, deliveries } = sandbox('secret')
    await subscribe(api, ['api_key_created.v0'])
    const { body } = await api('POST', '/api_keys', { description: 'key' })
    expect(body.token).toEqual(expect.any(String))
    expect((await deliveries())[0]!.body.object).toEqual({ ...body, token: null })
  })

  it('contains the deleted record and its children', async () => {
    const { api, deliveries } = sandbox('parts')
    await subscribe(api, ['ip_policy_deleted.v0', 'ip_policy_rule_deleted.v0'])
    const policy = (await api('POST', '/ip_policies', { description: 'gone' })).body
    const rule = (
      await api('POST', '/ip_policy_rules', { ip_policy_id: policy.id, action: 'allow', cidr: '10.0.0.0/8' })
    ).body
    await api('DELETE', `/ip_policies/${policy.id}`)
    const found = await deliveries()
    expect(typesOf(found)).toEqual([`ip_policy_rule_deleted.v0 ${rule.id}`, `ip_policy_deleted.v0 ${policy.id}`])
    expect(found.map(({ body }) => body.object)).toEqual([rule, policy])
  })

  it('has the same bytes in a recreated sandbox of the same name', async () => {
    const { api, deliveries } = sandbox('again')
    const run = async () => {
      await subscribe(api, ['ip_policy_created.v0'])
      await api('POST', '/ip_policies', { description: 'same' })
      return JSON.stringify(await deliveries())
    }
    const first = await run()
    await call('DELETE', '/_sim/sandboxes/again')
    expect(await run()).toBe(first)
  })
})

describe('Nothing is published', () => {
  it('for an update without changes, a rejected call, or a type without subscription', async () => {
    const { api, deliveries } = sandbox('nothing')
    await subscribe(api, ['ip_policy_updated.v0', 'ip_policy_created.v0'])
    await api('PATCH', '/ip_policies/ipp_office', { description: 'Office' })
    await api('PATCH', '/ip_policies/ipp_nobody', { description: 'x' })
    await api('POST', '/api_keys', {})
    expect(await deliveries()).toEqual([])
    await api('PATCH', '/ip_policies/ipp_office', { description: 'Other' })
    const found = await deliveries()
    expect(typesOf(found)).toEqual(['ip_policy_updated.v0 ipp_office'])
    expect(found[0]!.body.object.description).toBe('Other')
  })

  it('for changes made without the API', async () => {
    const { api, deliveries } = sandbox('control')
    await subscribe(api, ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0'])
    const control = (method: string, path: string, body?: unknown) =>
      call(method, `/_sim/sandboxes/control${path}`, body)
    const created = await api('POST', '/ip_policies', { description: 'one' })
    expect(await deliveries()).toHaveLength(1)
    await control('PATCH', '/db/ip_policies/ipp_office', { description: 'changed' })
    await control('POST', `/requests/${created.headers.get('edgesim-operation-id')}/rewind`)
    await control('PUT', '/state', (await control('GET', '/state')).body)
    expect(await deliveries()).toHaveLength(1)
    await control('POST', '/reset')
    expect(await deliveries()).toEqual([])
  })

  it('when a subscription to itself is created, unlike its deletion', async () => {
    const { api, deliveries } = sandbox('itself')
    const { subscription } = await subscribe(api, ['event_subscription_created.v0', 'event_subscription_deleted.v0'])
    expect(await deliveries()).toEqual([])
    await api('DELETE', `/event_subscriptions/${subscription}`)
    expect(typesOf(await deliveries())).toEqual([`event_subscription_deleted.v0 ${subscription}`])
  })
})

describe('Event types', () => {
  it('that are unknown are rejected as sources, with the closest match', async () => {
    const response = await sandbox('types').api('POST', '/event_subscriptions', {
      sources: [{ type: 'ip_policy_create.v0' }],
    })
    expectError(response, 400, 238)
    expect(response.body.msg).toContain('ip_policy_created.v0')
  })

  it('include the types of every declaration', () => {
    expect(collections.flatMap(({ event }) => event ?? []).filter(word => !eventWords.includes(word))).toEqual([])
  })
})
