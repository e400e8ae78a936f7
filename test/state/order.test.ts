import { describe, expect, it } from 'vitest'
import { baseOf, Tables } from '../../src/state/index.ts'
import { newDb } from '../store/support.ts'
import { operationOf } from '../support/http.ts'
import { type Simulated, simulate } from '../support/in-process.ts'

const listed = async ({ call }: Simulated, query = '') =>
  (await call('GET', `/api_keys${query}`)).body.keys.map(({ id }: { id: string }) => id)

describe('A scenario with a state', () => {
  it('leaves lists in their order, with what is new first, and cursors where they were', async () => {
    const sim = await simulate()
    const made = (await sim.call('POST', '/api_keys', {})).body.id
    await sim.call('DELETE', '/api_keys/ak_member')
    await sim.call('PATCH', '/_sim/db/api_keys/ak_admin', { created_at: '2031-01-01T00:00:00Z' })
    expect(await listed(sim)).toEqual([made, 'ak_ci', 'ak_admin'])
    const state = {
      api_keys: [
        { id: 'ak_ci', description: 'Changed' },
        { id: 'ak_old', created_at: '2001-01-01T00:00:00Z' },
      ],
    }
    expect((await sim.call('PUT', '/_sim/scenario', { state })).status).toBe(200)
    expect(await listed(sim)).toEqual(['ak_old', made, 'ak_ci', 'ak_admin'])
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

  it.each(ways)('%s is the newest, also after a restart', async (_, how) => {
    const { db, sim } = await again(how)
    expect(await listed(sim)).toEqual(['ak_member', 'ak_ci', 'ak_admin'])
    expect(await listed(sim, '?before_id=ak_member')).toEqual(['ak_ci', 'ak_admin'])
    await sim.close()
    const next = await simulate({ db })
    expect(await listed(next)).toEqual(['ak_member', 'ak_ci', 'ak_admin'])
  })

  it.each(ways)('%s is back at its old place when that is undone', async (_, how) => {
    const { sim } = await again(how)
    const requests = (await sim.call('GET', '/_sim/requests?method=DELETE')).body.requests
    await sim.call('POST', `/_sim/requests/${requests[0].id}/rewind`)
    expect(await listed(sim)).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
  })

  it('again and again is the newest each time, and goes back step by step', async () => {
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
    // Oldest last: after one and after two others, and in the end where it was in the fixture.
    expect(places).toEqual([4, 3, 1])
  })
})

it('A walk that steps over the end of an emptied base meets no row twice', () => {
  const row = (id: string) => ({ id, owner_id: 'usr_a' })
  const base = Array.from({ length: 125 }, (_, i) => row(`ak_base${i}`))
  const keys = new Tables(baseOf({ api_keys: base })).of('api_keys')
  for (const { id } of base) keys.remove(id)
  for (let i = 0; i < 10; i++) keys.put(row(`ak_added${i}`))
  const added = Array.from({ length: 10 }, (_, i) => `ak_added${i}`)
  expect(Array.from(keys.oldestFirst(), ({ id }) => id)).toEqual(added)
  expect(Array.from(keys.newestFirst(), ({ id }) => id)).toEqual(added.toReversed())
})
