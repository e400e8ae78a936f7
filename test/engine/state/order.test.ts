import { describe, expect, it } from 'vitest'
import { baseOf, MAX_DELETED_IDS, Tables } from '../../../src/engine/state/index.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { newDb } from '../store/support.ts'
import { tiny } from '../tiny-api.ts'

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
})

const row = (n: number, project_id = 'x') => ({ id: `${n}`, project_id })

describe('A deleted record', () => {
  it('leaves nothing in the indexes', () => {
    const tasks = new Tables(baseOf(tiny.catalog, {})).of('tasks')
    tasks.put(row(0, 'other'))
    for (let i = 1; i <= 5_000; i++) {
      tasks.put(row(i))
      tasks.remove(`${i}`)
    }
    expect(tasks.where('project_id', 'x')).toEqual([])
    tasks.put(row(3))
    expect(tasks.where('project_id', 'x')).toEqual([row(3)])
    expect(tasks.where('project_id', 'other')).toHaveLength(1)
  })

  it('is valid as a cursor, up to a limit', () => {
    const base = baseOf(tiny.catalog, { tasks: [row(0)] })
    const tasks = new Tables(base).of('tasks')
    for (let i = 1; i <= 50_000; i++) {
      tasks.put(row(i))
      if (i % 10_000 !== 0) tasks.remove(`${i}`)
    }
    const alive = ['50000', '40000', '30000', '20000', '10000', '0']
    expect(Array.from(tasks.newestFirst(), ({ id }) => id)).toEqual(alive)
    expect(Object.keys(tasks.numbers().deleted).length).toBeLessThanOrEqual(2 * MAX_DELETED_IDS)
    expect(Array.from(tasks.newestFirst(tasks.orderOf('45000')), ({ id }) => id)).toEqual(alive.slice(1))
    expect(tasks.orderOf('5')).toBeUndefined()
    expect(base.tables.tasks!.rows.size).toBe(1)
  })
})
