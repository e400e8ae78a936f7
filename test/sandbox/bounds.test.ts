import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baseOf, Tables } from '../../src/state/index.ts'
import { parseLines } from '../../src/store/parse-stored.ts'
import { newDb } from '../store/support.ts'
import { openEvents } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { forEach, pooledClient } from '../support/raw-http.ts'

const row = (n: number, more = {}) => ({ id: `ak_${n}`, owner_id: 'usr_a', token_sha256: 'x', ...more })

describe('What was created and deleted', () => {
  it('leaves nothing in an index to look through', () => {
    const keys = new Tables({}).of('api_keys')
    keys.put(row(0, { token_sha256: 'other' }))
    for (let i = 1; i <= 5_000; i++) {
      keys.put(row(i))
      keys.remove(`ak_${i}`)
    }
    expect(keys.where('token_sha256', 'x')).toEqual([])
    expect(keys.shared.idsWhere('token_sha256', 'x').size).toBe(0)
    keys.put(row(3))
    expect(keys.where('token_sha256', 'x')).toEqual([row(3)])
    expect(keys.where('token_sha256', 'other')).toHaveLength(1)
  })

  it('is remembered for pages to continue from, but not without end', () => {
    const tables = new Tables(baseOf({ api_keys: [row(0)] }))
    const op = (n: number, made: boolean) => [
      { table: 'api_keys', id: `ak_${n}`, before: made ? null : row(n), after: made ? row(n) : null },
    ]
    const snapshot = tables.copy()
    for (let i = 1; i <= 50_000; i++) {
      tables.apply(op(i, true))
      if (i % 10_000 !== 0) tables.apply(op(i, false))
    }
    const keys = tables.of('api_keys')
    const alive = ['ak_50000', 'ak_40000', 'ak_30000', 'ak_20000', 'ak_10000', 'ak_0']
    expect(Array.from(keys.newestFirst(), ({ id }) => id)).toEqual(alive)
    expect(tables.deleted().api_keys!.length).toBeLessThan(20_000)
    expect(Array.from(keys.newestFirst(keys.placeOf('ak_45000')), ({ id }) => id)).toEqual(alive.slice(1))
    expect(keys.placeOf('ak_5')).toBeUndefined()
    expect(snapshot.rows().api_keys).toEqual([row(0)])
    expect(snapshot.hasPlacesOf(tables)).toBe(false)
  })
})

describe('The journal', () => {
  it('counts rules, warnings and explanations among its bytes', async () => {
    const { call, port } = await simulate()
    const rules = Array.from({ length: 300 }, (_, i) => ({
      name: `${'rule '.repeat(18)}${i}`,
      latency: '1ms',
      times: 1,
    }))
    await call('PUT', '/_sim/sandboxes/ruled', { scenario: { rules } })
    const client = pooledClient(port)
    await forEach(Array(480).keys(), 8, async () => {
      await client.send({ method: 'GET', path: '/api_keys?limit=1', token: 'sim_admin~ruled' })
    })
    client.close()
    const { text } = await call('GET', '/_sim/sandboxes/ruled/requests?limit=1000')
    expect(text.length).toBeLessThan(1.1 * 16 * 1024 * 1024)
  })
})

describe('Events', () => {
  it('are kept for a reader that comes back up to 4 MB', async () => {
    const { url, call } = await simulate()
    const listen = (last?: string) =>
      openEvents(`${url}/_sim/events`, last === undefined ? {} : { 'last-event-id': last })
    const state = (metadata: string) => ({
      users: [{ id: 'usr_a', admin: true }],
      api_keys: Array.from({ length: 150 }, (_, i) => ({
        id: `ak_${i}`,
        owner_id: 'usr_a',
        metadata: metadata.repeat(4_000),
      })),
    })
    const first = await listen()
    await call('PUT', '/_sim/state', state('a'))
    await first.untilCount(1)
    const { id } = first.events[0]!
    first.leave()
    await call('PUT', '/_sim/state', state('b'))
    const second = await listen(id)
    await second.untilCount(1)
    expect(second.events[0]).toMatchObject({ type: 'change', data: { cause: { kind: 'state' } } })
    second.leave()
    for (const metadata of 'cdefghij') await call('PUT', '/_sim/state', state(metadata))
    const third = await listen(id)
    await third.untilCount(1)
    expect(third.events[0]!.type).toBe('missed')
    third.leave()
  })
})

describe('A database too large for one string', () => {
  it('is read a line at a time, to the same result', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    await call('POST', '/api_keys', { description: 'a "quoted", [bracketed]\n  "users": [' })
    await call('DELETE', '/api_keys/ak_ci')
    await close()
    const bytes = readFileSync(db)
    expect(parseLines(bytes)).toEqual(JSON.parse(bytes.toString()))
    expect(() => parseLines(bytes.subarray(0, -20))).toThrow()
    expect(() => parseLines(Buffer.from('{\n"name": "mine"\n}'))).toThrow(/not as edgesim wrote it/)
  })
})
