import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectError, operationOf } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL, samples } from '../support/long.ts'
import { bytesOf, dial, forEach, pooledClient } from '../support/raw-http.ts'

const { call, as, port } = await simulate()

/** A new sandbox and its actions. */
async function worldOf(name: string) {
  await call('PUT', `/_sim/sandboxes/${name}`)
  const control = (method: string, path: string, body?: unknown) => call(method, `/_sim/sandboxes/${name}${path}`, body)
  return {
    api: as(`sim_admin~${name}`),
    control,
    state: async () => (await control('GET', '/state')).body,
    rewind: (id: string) => control('POST', `/requests/${id}/rewind`),
  }
}

describe('Rewinding to a request', () => {
  it('undoes a create and a delete: tokens, and the order of records', async () => {
    const { api, rewind } = await worldOf('undone')
    const { body: before } = await api('GET', '/api_keys')
    const made = await api('POST', '/api_keys')
    await api('DELETE', '/api_keys/ak_member')
    expect(await rewind(operationOf(made))).toMatchObject({ status: 204, text: '' })
    expect((await api('GET', '/api_keys')).body).toEqual(before)
    expectError(await as(made.body.token)('GET', '/api_keys'), 401, 203)
    expect((await as('sim_member~undone')('GET', '/api_keys')).status).toBe(200)
  })

  it('undoes later control plane writes: records, a whole state, a restore, another rewind', async () => {
    const { api, control, state, rewind } = await worldOf('control-plane')
    await api('POST', '/api_keys', { description: 'kept' })
    const before = await state()
    const mark = await api('GET', '/api_keys')
    await control('PUT', '/snapshots/early')
    await control('PATCH', '/db/ip_policies/ipp_office', { description: 'changed' })
    await control('POST', '/db/users', { name: 'New' })
    await control('DELETE', '/db/ip_restrictions/ipx_endpoints')
    expect(await state()).not.toEqual(before)
    await rewind(operationOf(mark))
    expect(await state()).toEqual(before)

    await control('PUT', '/state', { users: [{ id: 'usr_only', name: 'Only' }] })
    expect((await state()).api_keys).toBeUndefined()
    await rewind(operationOf(mark))
    expect(await state()).toEqual(before)

    const later = await api('DELETE', '/api_keys/ak_ci')
    await control('POST', '/snapshots/early/restore')
    await rewind(operationOf(later))
    expect(await state()).toEqual(before)
  })

  it('can itself be undone, by rewinding to a request after it', async () => {
    const { api, state, rewind } = await worldOf('twice')
    const first = await api('POST', '/api_keys', { description: 'a' })
    const full = await state()
    const mark = await api('GET', '/api_keys')
    await rewind(operationOf(first))
    expect((await state()).api_keys).toHaveLength(3)
    await rewind(operationOf(mark))
    expect(await state()).toEqual(full)
  })

  it('is one change, and does not change the journal, clock and counters', async () => {
    await call('PUT', '/_sim/sandboxes/stays', { seed: 1 })
    const { api, control, rewind } = await worldOf('stays')
    await control('PUT', '/clock', { now: '2031-01-01T00:00:00Z', frozen: true })
    const first = await api('POST', '/api_keys')
    await api('DELETE', '/api_keys/ak_ci')
    await control('PUT', '/clock', { advance: '1h' })
    const { body: journal } = await control('GET', '/requests')
    const { seq } = (await control('GET', '')).body
    await rewind(operationOf(first))
    expect((await control('GET', '')).body.seq).toBe(seq + 1)
    expect((await control('GET', '/requests')).body).toEqual(journal)
    expect((await control('GET', '/clock')).body).toMatchObject({ now: '2031-01-01T01:00:00.000Z', frozen: true })
    const second = await api('POST', '/api_keys')
    expect(second.body.id).not.toBe(first.body.id)
    expect(operationOf(second)).not.toBe(operationOf(first))
  })

  it('that is still active restores the state before it', async () => {
    const { api, control, state, rewind } = await worldOf('under-way')
    const before = await state()
    const token = 'sim_admin~under-way'
    dial(port).socket.write(
      `${bytesOf(port, { method: 'POST', path: '/api_keys', token, headers: ['Content-Length: 9'] })}{`,
    )
    const underWay = async () => (await control('GET', '/requests?status=null')).body.requests[0]
    let entry = await underWay()
    while (!entry) entry = await underWay()
    await api('POST', '/api_keys')
    await rewind(entry.id)
    expect(await state()).toEqual(before)
  })
})

describe('Rewinding is rejected', () => {
  it.runIf(ALL)('to a request that was dropped from the journal', async () => {
    const { api, rewind } = await worldOf('evicted')
    const first = await api('POST', '/api_keys')
    const client = pooledClient(port)
    await forEach(Array(1_000).keys(), 16, async () => {
      await client.send({ method: 'GET', path: '/api_keys/ak_ci', token: 'sim_admin~evicted' })
    })
    client.close()
    expectError(await rewind(operationOf(first)), 404, 404)
  })

  it.each([
    ['a reset', 'POST', '/reset'],
    ['the journal was cleared', 'DELETE', '/requests'],
  ])('to a request from before %s', async (_, method, path) => {
    const { api, control, rewind, state } = await worldOf('forgotten')
    const first = await api('POST', '/api_keys')
    await control(method, path)
    const before = await state()
    expect(expectError(await rewind(operationOf(first)), 404, 404).msg).toMatch(
      /^Request op_\w+ not found\. This sandbox never received it, or its journal no longer contains it\./,
    )
    expect(await state()).toEqual(before)
  })

  it.runIf(ALL)('across several whole states that are too large together', async () => {
    const { api, control, rewind, state } = await worldOf('heavy')
    const early = await api('GET', '/api_keys')
    const key = { id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }
    const few = { users: [{ id: 'usr_admin', name: 'A' }], api_keys: [key] }
    for (const letter of 'ABCD') {
      const many = Array.from({ length: 4_000 }, (_, i) => ({ id: `usr_${i}`, name: letter.repeat(1_300) }))
      await control('PUT', '/state', { ...few, users: [...few.users, ...many] })
    }
    const late = await api('GET', '/api_keys')
    await control('PUT', '/state', few)
    expectError(await rewind(operationOf(early)), 404, 404)
    expect((await rewind(operationOf(late))).status).toBe(204)
    expect((await state()).users).toHaveLength(4_001)
  })

  it('to a request of another sandbox', async () => {
    const [here, there] = [await worldOf('here'), await worldOf('there')]
    const made = await here.api('POST', '/api_keys')
    expectError(await there.rewind(operationOf(made)), 404, 404)
  })
})

const KEYS = ['ak_ci', 'ak_member', 'ak_made-1', 'ak_made-2']
const WEIGHTS = { create: 4, delete: 3, update: 3, record: 2, state: 1, save: 1, restore: 1, rewind: 1 }
type Kind = keyof typeof WEIGHTS
const step = fc.record({
  kind: fc.constantFrom(...Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))),
  id: fc.constantFrom(...KEYS),
  text: fc.string({ maxLength: 5 }),
  /** The keys of a new state. */
  ids: fc.shuffledSubarray(KEYS),
  /** The request to rewind to. */
  to: fc.nat(),
})

it('Rewinding restores the state before any request, after any changes', async () => {
  const { api, control, state, rewind } = await worldOf('property')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(), async (steps, chosen) => {
      await call('PUT', '/_sim/sandboxes/property')
      await control('PUT', '/snapshots/kept')
      const seen: { id: string; state: unknown }[] = []
      const request = async (method: string, path: string, body?: unknown) => {
        // The state may have no key.
        await control('PUT', '/db/api_keys/ak_admin', { owner_id: 'usr_admin', token: 'sim_admin' })
        const before = await state()
        seen.push({ id: operationOf(await api(method, path, body)), state: before })
      }
      const act: Record<Kind, (step: { id: string; text: string; ids: string[]; to: number }) => Promise<unknown>> = {
        create: () => request('POST', '/api_keys', { description: 'made' }),
        delete: ({ id }) => request('DELETE', `/api_keys/${id}`),
        update: ({ id, text }) => request('PATCH', `/api_keys/${id}`, { description: text }),
        record: ({ id, text }) => control('PUT', `/db/api_keys/${id}`, { owner_id: 'usr_admin', description: text }),
        state: ({ ids }) =>
          control('PUT', '/state', {
            users: [{ id: 'usr_admin', name: 'Admin', admin: true }],
            api_keys: ids.map(id => ({ id, owner_id: 'usr_admin' })),
          }),
        save: () => control('PUT', '/snapshots/kept'),
        restore: () => control('POST', '/snapshots/kept/restore'),
        rewind: async ({ to }) => seen.length > 0 && rewind(seen[to % seen.length]!.id),
      }
      for (const each of steps) await act[each.kind](each)
      fc.pre(seen.length > 0)
      const target = seen[chosen % seen.length]!
      expect((await rewind(target.id)).status).toBe(204)
      expect(await state()).toEqual(target.state)
    }),
    { numRuns: samples(10, 25) },
  )
})
