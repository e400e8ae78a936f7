import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openEvents, operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { expectOnDisk, faultyCalls, newDb } from './support.ts'

const clock = { now: '2030-01-01T00:00:00Z', frozen: true }
const rules = [{ name: 'slow', when: { method: 'PUT' }, latency: '1ms' }]

async function look({ call }: Awaited<ReturnType<typeof simulate>>) {
  const whats = ['state', 'clock', 'scenario', 'assumptions', 'requests', 'snapshots', 'sandboxes/default']
  const responses = await Promise.all(whats.map(what => call('GET', `/_sim/${what}`)))
  return Object.fromEntries(whats.map((what, i) => [what, responses[i]!.body]))
}

const sandbox = '/_sim/sandboxes/default'
const elsewhere = { users: [{ id: 'usr_x' }], api_keys: [{ id: 'ak_x', token: 'sim_admin' }] }
const scenario = { seed: 5, clock, assume: { page_order: 'oldest_first' }, state: { bots: [{ id: 'bot_x' }] } }

describe('An action without confirmation by the disk changes nothing:', () => {
  it.each([
    ['a reset', 'POST', '/_sim/reset', undefined],
    ['a reset to another fixture', 'PUT', sandbox, { fixture: 'empty' }],
    ['a reset to another seed', 'PUT', sandbox, { seed: 7, scenario: 'outage' }],
    ['a scenario', 'PUT', '/_sim/scenario', scenario],
    ['another state', 'PUT', '/_sim/state', elsewhere],
    ['a rewind', 'POST', '/_sim/requests/{id}/rewind', undefined],
    ['a restored snapshot', 'POST', '/_sim/snapshots/kept/restore', undefined],
    ['a raw record', 'PUT', '/_sim/db/users/usr_new', {}],
  ])('%s', async (_, method, path, body) => {
    const disk = faultyCalls()
    const db = newDb()
    const sim = await simulate({ db, durability: 'fsync' }, { files: disk.calls })
    await sim.call('PUT', '/_sim/scenario', { rules, assume: { unknown_query: 'reject' }, clock })
    await sim.call('PUT', '/_sim/snapshots/kept')
    const created = await sim.call('POST', '/api_keys', { description: 'mine' })
    const before = await look(sim)
    for (const code of ['ENOSPC', 'EIO']) {
      disk.failEvery(code === 'EIO' ? 'syncNow' : 'write', code)
      expect((await sim.call(method, path.replace('{id}', operationOf(created)), body)).status).toBe(503)
      disk.heal()
      expect(await look(sim)).toEqual(before)
      await expectOnDisk(db, sim.sandboxes.default)
    }
    // The next reset ignores the action.
    await sim.call('POST', '/_sim/reset')
    expect((await sim.call('GET', '/_sim/state')).body.api_keys).toHaveLength(3)
    expect((await sim.call('GET', '/_sim/scenario')).body.name).toBeNull()
  })
})

describe('A dropped sandbox', () => {
  it('is created again by a pending reset to another fixture', async () => {
    const { call } = await simulate()
    for (let i = 0; i < 20; i++) {
      await call('PUT', '/_sim/sandboxes/x')
      const [put, dropped] = await Promise.all([
        call('PUT', '/_sim/sandboxes/x', { fixture: 'empty' }),
        call('DELETE', '/_sim/sandboxes/x'),
      ])
      expect([200, 201]).toContain(put.status)
      expect([204, 404]).toContain(dropped.status)
      await call('DELETE', '/_sim/sandboxes/x')
    }
  })

  it('sends no events to readers of a later sandbox with its name', async () => {
    const { url, call } = await simulate()
    await call('PUT', '/_sim/sandboxes/x')
    const headers = { authorization: 'Bearer sim_admin~x', 'service-version': '2' }
    // The body comes after the sandbox was dropped and created again.
    const late = request(`${url}/api_keys`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': 2 },
    })
    late.write('{')
    const received = async () => (await call('GET', '/_sim/sandboxes/x/requests')).body.requests
    await expect.poll(received).toHaveLength(1)
    await call('DELETE', '/_sim/sandboxes/x')
    await call('PUT', '/_sim/sandboxes/x')
    const { events, untilCount } = await openEvents(`${url}/_sim/sandboxes/x/events`)
    late.end('}')
    const [response] = await once(late, 'response')
    expect(response.statusCode).toBe(503)
    response.resume()
    await fetch(`${url}/ip_restrictions`, { headers })
    await untilCount(1)
    expect(events.map(({ data }) => data.path)).toEqual(['/ip_restrictions'])
  })
})
