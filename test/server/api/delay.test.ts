import { describe, expect, it } from 'vitest'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'

const durations = async ({ call }: Simulated) =>
  (await call('GET', '/_sim/requests')).body.requests.map(({ duration_ms }: { duration_ms: number }) => duration_ms)

describe('--delay', () => {
  it('delays every response, including errors, and is in the explanation', async () => {
    const sim = await simulate({ delay: '60ms' })
    for (const path of ['/api_keys', '/api_keys/ak_nobody', '/nowhere']) await sim.call('GET', path)
    const [{ explanation }] = (await sim.call('GET', '/_sim/requests?path=/api_keys')).body.requests
    expect(explanation.text).toContain('--delay added 60 ms.')
    for (const ms of await durations(sim)) expect(ms).toBeGreaterThan(58)
  })

  it('is added to the latency of a scenario', async () => {
    const sim = await simulate({ delay: '40ms', scenario: { rules: [{ latency: '40ms' }] } })
    await sim.call('GET', '/api_keys')
    expect((await durations(sim))[0]).toBeGreaterThan(78)
  })

  it('accepts a range, with random values derived from the seed', async () => {
    const delays = async () => {
      const sim = await simulate({ delay: '1ms-30ms', seed: 1 })
      for (let i = 0; i < 5; i++) await sim.call('GET', '/api_keys')
      const { text } = await sim.call('GET', '/_sim/requests')
      return Array.from(text.matchAll(/--delay added (\d+) ms/g), ([, ms]) => Number(ms))
    }
    const drawn = await delays()
    expect(drawn).toHaveLength(5)
    expect(new Set(drawn).size).toBeGreaterThan(1)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(30)
    expect(await delays()).toEqual(drawn)
  })

  it('does not delay the control plane', async () => {
    const sim = await simulate({ delay: '1h' })
    expect((await sim.call('GET', '/_sim/health')).status).toBe(200)
  })

  it.each(['200', 'soon', '300ms-50ms', '1ms-2ms-3ms', '-5ms'])('rejects the value %s', async delay => {
    const says = 'delay: must be a duration like 200ms or a range like 50ms-300ms'
    await expect(runSimulator({ delay })).rejects.toThrow(says)
  })
})
