import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../src/basics/duration.ts'
import { latencyOf } from '../../../src/engine/scenarios/latency.ts'
import { startServer } from './client.ts'
import { effectsOf } from './rules-of.ts'

const server = await startServer()

describe('A latency', () => {
  it('delays the response in real time, even if the clock is frozen', async () => {
    const client = await server.under({
      clock: { now: '2026-01-01T00:00:00Z', frozen: true },
      rules: [{ when: { method: 'POST' }, latency: '150ms' }],
    })
    const seen = await client.send('POST', '/api_keys')
    expect(seen.status).toBe(201)
    expect(seen.headers.date).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    expect(seen.ms).toBeGreaterThan(149)
    const entry = await client.entry()
    expect(entry.duration_ms).toBeGreaterThan(149)
    expect(entry.rules).toEqual([{ name: 'rule 1', fired: true, effect: '150 ms of latency' }])
  })

  it('can be a range', async () => {
    const next = await effectsOf('1', { latency: { min: '20ms', max: '60ms' } })
    const drawn = Array.from({ length: 50 }, () => next().delayMs)
    expect(new Set(drawn).size).toBeGreaterThan(25)
    for (const ms of drawn) expect(ms === Math.min(60, Math.max(20, ms))).toBe(true)
  })

  it('does not delay other calls', async () => {
    const client = await server.underRules({ when: { method: 'POST' }, latency: '1h' })
    const slow = client.send('POST', '/api_keys')
    await client.underWay(1)
    expect((await client.send('GET', '/api_keys')).status).toBe(200)
    await client.underWay(1)
    await client.control('POST', '/reset')
    expect((await slow).status).toBe(503)
  })

  it('is limited to the maximum of a timer', async () => {
    const client = await server.underRules({ when: { method: 'POST' }, latency: '1000h' })
    expect((await client.leave('POST', '/api_keys')).status).toBeUndefined()
    expect(await client.keys()).toHaveLength(3)
  })

  it('changes nothing if the client disconnects before it ends', async () => {
    const client = await server.underRules({ name: 'slow', latency: '1h' })
    const body = { description: 'given up' }
    expect((await client.leave('POST', '/api_keys', { body })).status).toBeUndefined()
    const left = {
      status: null,
      change: null,
      explanation: {
        text: expect.stringMatching(/"slow" of the scenario "test".*the client disconnected before that/),
      },
    }
    expect(await client.journal()).toMatchObject([{ ...left, method: 'POST' }])
    expect((await client.leave('DELETE', '/api_keys/ak_ci')).status).toBeUndefined()
    expect(await client.journal()).toMatchObject([{ ...left, method: 'DELETE' }, left])
    expect(await client.keys()).toHaveLength(3)
  })

  it('ends when the sandbox is reset: waiting calls get 503 and change nothing', async () => {
    const client = await server.underRules({ latency: '1h' })
    const waiting = Array.from({ length: 20 }, () => client.send('POST', '/api_keys'))
    await client.underWay(20)
    expect((await client.control('POST', '/reset')).status).toBe(204)
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses).toEqual(Array(20).fill(503))
    expect(await client.keys()).toHaveLength(3)
  })

  it('preserves its explanation if the scenario ends first', async () => {
    // On a busy machine the latency may end before the scenario does. If so, a longer latency is used.
    for (let ms = 200; ; ms *= 2) {
      const client = await server.underRules({ name: 'slow', latency: `${ms}ms` })
      let over = false
      const slow = client.send('GET', '/api_keys').finally(() => {
        over = true
      })
      await Promise.race([client.underWay(1), slow])
      await client.control('DELETE', '/scenario')
      const inTime = !over
      expect((await slow).status).toBe(200)
      const { text } = (await client.entry()).explanation!
      expect(text).toMatch(new RegExp(`"slow" of the scenario "test": ${ms} ms of latency`))
      if (inTime) break
    }
  })
})

describe('Percentiles', () => {
  const settings = { p50: '80ms', p95: '300ms', p99: '1s' }

  /** Latencies of 10,000 calls in order, picked as in a sandbox. */
  async function draw(seed: string, latency: Record<string, string>): Promise<number[]> {
    const next = await effectsOf(seed, { latency })
    return Array.from({ length: 10_000 }, () => next().delayMs).sort((a, b) => a - b)
  }

  it.each([
    ['a', settings],
    ['c', { p50: '1ms', p95: '2s', p99: '1m' }],
    ['d', { p50: '200ms', p95: '210ms', p99: '5s' }],
  ])('of 10,000 calls with the seed %s are off by less than 5 %%', async (seed, latency) => {
    const sorted = await draw(seed, latency)
    for (const [name, text] of Object.entries(latency)) {
      const realised = sorted[Math.floor((Number(name.slice(1)) / 100) * sorted.length)]!
      expect(Math.abs(realised / parseDuration(text)! - 1), `${name}: ${realised}`).toBeLessThan(0.05)
    }
  })

  it('rise with the random value, up to a maximum', () => {
    const latency = latencyOf(settings)
    const steps = Array.from({ length: 1001 }, (_, i) => latency(() => i / 1000))
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect([steps[0], steps[500], steps[950], steps[990], steps[1000]]).toEqual([40, 80, 300, 1000, 1200])
  })
})
