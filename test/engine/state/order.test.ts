import { describe, expect, it } from 'vitest'
import { baseOf, MAX_DELETED_IDS, Tables } from '../../../src/engine/state/index.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { operationOf } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { newDb } from '../store/support.ts'

const listed = async ({ call }: Simulated, query = '') =>
  (await call('GET', `/api_keys${query}`)).body.keys.map(({ id }: { id: string }) => id)

describe('A scenario with a state', () => {
  it('preserves list order and cursors, with new records first', async () => {
    const sim = await simulate()
    const created = (await sim.call('POST', '/api_keys', {})).body.id
    await sim.call('DELETE', '/api_keys/ak_member')
    await sim.call('PATCH', '/_sim/db/api_keys/ak_admin', { created_at: '2031-01-01T00:00:00Z' })
    expect(await listed(sim)).toEqual([created, 'ak_ci', 'ak_admin'])
    const state = {
      api_keys: [
        { id: 'ak_ci', description: 'Changed' },
        { id: 'ak_old', created_at: '2001-01-01T00:00:00Z' },
      ],
    }
    expect((await sim.call('PUT', '/_sim/scenario', { state })).status).toBe(200)
    expect(await listed(sim)).toEqual(['ak_old', created, 'ak_ci', 'ak_admin'])
    expect(await listed(sim, '?before_id=ak_member')).toEqual(['ak_admin'])
  })
})

describe('An id that is deleted and created again', () => {
  const again = async (how: (sim: Simulated) => Promise<unknown>) => {
    const db = newDb()
    const sim = await simulate({ db })
    await sim.call('DELETE', '/api_keys/ak_member')
    await how(sim)
    return { db, sim }
  }
  const ways: [string, (sim: Simulated) => Promise<unknown>][] = [
    ['as a record', sim => sim.call('PUT', '/_sim/db/api_keys/ak_member', { owner_id: 'usr_admin' })],
    ['by a scenario', sim => sim.call('PUT', '/_sim/scenario', { state: { api_keys: [{ id: 'ak_member' }] } })],
  ]

  it.each(ways)('%s is the newest, even after a restart', async (_, how) => {
    const { db, sim } = await again(how)
    expect(await listed(sim)).toEqual(['ak_member', 'ak_ci', 'ak_admin'])
    expect(await listed(sim, '?before_id=ak_member')).toEqual(['ak_ci', 'ak_admin'])
    await sim.close()
    const next = await simulate({ db })
    expect(await listed(next)).toEqual(['ak_member', 'ak_ci', 'ak_admin'])
  })

  it.each(ways)('%s returns to its old place after a rewind', async (_, how) => {
    const { sim } = await again(how)
    const requests = (await sim.call('GET', '/_sim/requests?method=DELETE')).body.requests
    await sim.call('POST', `/_sim/requests/${requests[0].id}/rewind`)
    expect(await listed(sim)).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
  })

  it('several times is the newest each time, and is rewound step by step', async () => {
    const sim = await simulate()
    const deletions: string[] = []
    for (let i = 0; i < 3; i++) {
      deletions.push(operationOf(await sim.call('DELETE', '/api_keys/ak_member')))
      await sim.call('POST', '/api_keys', {})
      await sim.call('PUT', '/_sim/db/api_keys/ak_member', {})
      expect((await listed(sim))[0]).toBe('ak_member')
    }
    const places: number[] = []
    for (const id of deletions.toReversed()) {
      await sim.call('POST', `/_sim/requests/${id}/rewind`)
      places.push((await listed(sim)).toReversed().indexOf('ak_member'))
    }
    // Counted from the oldest. The last is its place in the fixture.
    expect(places).toEqual([4, 3, 1])
  })
})

const row = (n: number, more = {}) => ({ id: `ak_${n}`, owner_id: 'usr_a', token_sha256: 'x', ...more })

describe('A deleted record', () => {
  it('leaves nothing in the indexes', () => {
    const keys = new Tables(baseOf(ngrok.catalog, {})).of('api_keys')
    keys.put(row(0, { token_sha256: 'other' }))
    for (let i = 1; i <= 5_000; i++) {
      keys.put(row(i))
      keys.remove(`ak_${i}`)
    }
    expect(keys.where('token_sha256', 'x')).toEqual([])
    keys.put(row(3))
    expect(keys.where('token_sha256', 'x')).toEqual([row(3)])
    expect(keys.where('token_sha256', 'other')).toHaveLength(1)
  })

  it('is valid as a cursor, up to a limit', () => {
    const base = baseOf(ngrok.catalog, { api_keys: [row(0)] })
    const keys = new Tables(base).of('api_keys')
    for (let i = 1; i <= 50_000; i++) {
      keys.put(row(i))
      if (i % 10_000 !== 0) keys.remove(`ak_${i}`)
    }
    const alive = ['ak_50000', 'ak_40000', 'ak_30000', 'ak_20000', 'ak_10000', 'ak_0']
    expect(Array.from(keys.newestFirst(), ({ id }) => id)).toEqual(alive)
    expect(Object.keys(keys.numbers().deleted).length).toBeLessThanOrEqual(2 * MAX_DELETED_IDS)
    expect(Array.from(keys.newestFirst(keys.orderOf('ak_45000')), ({ id }) => id)).toEqual(alive.slice(1))
    expect(keys.orderOf('ak_5')).toBeUndefined()
    expect(base.tables.api_keys!.rows.size).toBe(1)
  })
})
