import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as realTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EventHub } from '../../src/control/journal/event-hub.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { afterwards, folderWith } from '../support/afterwards.ts'
import { listening, openEvents } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { bytesOf, dial } from '../support/raw-http.ts'

const LONG_AGO = new Date('2001-01-01T00:00:00Z')
const realNow = Date.now

beforeEach(() => void vi.useFakeTimers({ now: LONG_AGO }))
afterEach(() => void vi.useRealTimers())

/** Waits on real timers, because expect.poll advances fake ones. */
async function until(fulfilled: () => boolean | Promise<boolean>) {
  while (!(await fulfilled())) await realTimeout(5)
}

describe('With fake timers in the same process,', () => {
  const rules = [
    { when: { method: 'GET' }, latency: '20ms' },
    { when: { method: 'POST' }, fault: { type: 'hang' } },
  ]

  it('--delay still ends', async () => {
    const { call } = await simulate({ delay: '20ms' })
    expect((await call('GET', '/api_keys')).status).toBe(200)
  })

  it('POST /_sim/call still times out', async () => {
    const { call } = await simulate({ scenario: { rules } })
    const { body } = await call('POST', '/_sim/call', { method: 'POST', path: '/api_keys', timeout: '50ms' })
    expect(body.failure).toBe('no response within 50 ms')
  })

  it('unused sandboxes are still dropped', async () => {
    const { as, sandboxes } = await simulate({ sandboxTtl: '50ms' })
    await as('sim_admin~mine')('GET', '/api_keys')
    await until(() => sandboxes.get('mine') === undefined)
    expect(sandboxes.list().map(({ name }) => name)).toEqual(['default'])
  })

  it('event streams still have a heartbeat', async () => {
    const hub = new EventHub({ heartbeatMs: 5 })
    afterwards(() => hub.close())
    const port = await listening(createServer((_req, res) => hub.subscribe('default', res, undefined)))
    const { comments } = await openEvents(`http://127.0.0.1:${port}`)
    await until(() => comments.length >= 3)
    expect(comments).toContain(': still here')
  })

  it('closing still does not wait for open connections', async () => {
    const { port, close, sandboxes } = await simulate({ scenario: { rules }, stopGrace: '20ms' })
    dial(port).socket.write(bytesOf(port, { method: 'POST', path: '/api_keys' }))
    await until(() => sandboxes.useOf(sandboxes.default).activeRequests === 1)
    await expect(close()).resolves.toBeUndefined()
  })

  it('a database is still written, locked, and read again', async () => {
    const db = `${folderWith()}/edgesim.json`
    const first = await simulate({ db, durability: 'fsync' })
    expect((await first.call('POST', '/api_keys', { description: 'kept' })).status).toBe(201)
    await expect(runSimulator({ port: 0, db })).rejects.toThrow('is locked by')
    await first.close()
    const { body } = await (await simulate({ db })).call('GET', '/api_keys')
    expect(body.keys[0].description).toBe('kept')
  })

  it('the simulator uses real time, including for its certificate', async () => {
    const began = Math.floor(realNow() / 1000) * 1000
    const { call, as } = await simulate()
    const { body, headers } = await call('POST', '/api_keys')
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(began)
    expect(Date.parse(headers.get('date')!)).toBeGreaterThanOrEqual(began)
    const seeded = (await as('sim_admin~new')('GET', '/api_keys/ak_ci')).body
    expect(Date.parse(seeded.created_at)).toBeLessThanOrEqual(realNow())
    const { certificate } = await simulate({ tls: true })
    expect(Date.parse(new X509Certificate(certificate!).validTo)).toBeGreaterThan(realNow())
  })

  it('latencies of rules still end, and durations in the journal are real', async () => {
    const { call } = await simulate({ scenario: { rules } })
    await call('GET', '/api_keys')
    const [entry] = (await call('GET', '/_sim/requests')).body.requests
    expect(entry.duration_ms).toBeGreaterThan(15)
  })
})
