import { describe, expect, it } from 'vitest'
import { startServer } from './client.ts'
import { effectsOf } from './rules-of.ts'

const rules = [
  { name: 'some', when: { method: 'GET' }, probability: 0.5, fault: { type: 'error', status: 503 } },
  { name: 'others', probability: 0.3, latency: { min: '1ms', max: '4ms' } },
]
const scenario = { name: 'draws', seed: 'tuesday', rules }
const CALLS = 30

async function effectsIn(client: Awaited<ReturnType<typeof server.under>>) {
  for (let i = 0; i < CALLS; i++) await client.send('GET', '/api_keys/ak_ci')
  return (await client.journal()).reverse().map(entry => entry.rules.map(({ effect }) => effect).join())
}

/** Per call, which rules fired. */
async function firedUnder(seed: string, ...given: object[]) {
  const next = await effectsOf(seed, ...given)
  return Array.from({ length: CALLS }, () => next().fired)
}

const server = await startServer()

describe('With a seed', () => {
  it('the same calls get the same results in any sandbox, after a reset and after a restart', async () => {
    const client = await server.under(scenario)
    const first = await effectsIn(client)
    expect(new Set(first).size).toBeGreaterThan(3)
    await client.control('POST', '/reset')
    expect(await effectsIn(client)).toEqual(first)
    expect(await effectsIn(await server.under(scenario))).toEqual(first)
    const other = await startServer({ scenario })
    expect(await effectsIn(other.default)).toEqual(first)
  })

  it('the random values of a rule do not depend on other rules', async () => {
    const first = (calls: boolean[][]) => calls.map(([fired]) => fired)
    const more = await firedUnder('1', rules[0]!, { probability: 0.9, latency: '1ms' })
    expect(first(more)).toEqual(first(await firedUnder('1', rules[0]!)))
  })

  it('two rules of a scenario have independent random values', async () => {
    const twin = { probability: 0.5, latency: '1ms' }
    const differ = (await firedUnder('1', twin, twin)).filter(([one, other]) => one !== other).length
    expect(differ).toBeGreaterThan(5)
    expect(differ).toBeLessThan(25)
  })

  it('a different seed gives different random values', async () => {
    expect(await firedUnder('tuesday', ...rules)).not.toEqual(await firedUnder('wednesday', ...rules))
  })
})

it('Without a seed, every sandbox has a random seed and reports it', async () => {
  const { seed: _, ...unseeded } = scenario
  const client = await server.under(unseeded)
  const effects = await effectsIn(client)
  expect(await effectsIn(await server.under(unseeded))).not.toEqual(effects)
  const { seed } = (await client.control('GET', '/scenario')).body
  expect(await effectsIn(await server.under({ ...unseeded, seed }))).toEqual(effects)
})
