import { describe, expect, it } from 'vitest'
import { ALL } from '../../support/long.ts'
import { startServer } from './client.ts'

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

  it.runIf(ALL)('the same calls get the same results while other sandboxes are busy', async () => {
    const alone = await effectsIn(await server.under(scenario))
    const busy = await Promise.all(Array.from({ length: 6 }, () => server.under(scenario)))
    const all = await Promise.all(busy.map(effectsIn))
    for (const effects of all) expect(effects).toEqual(alone)
  })

  it.runIf(ALL)('the random values of a rule do not depend on other rules', async () => {
    const [own, more] = await Promise.all([
      server.under({ seed: 1, rules: [rules[0]!] }),
      server.under({ seed: 1, rules: [rules[0]!, { probability: 0.9, latency: '1ms' }] }),
    ])
    const first = (effects: string[]) => effects.map(effect => effect.split(',')[0])
    expect(first(await effectsIn(more))).toEqual(first(await effectsIn(own)))
  })

  it('two rules of a scenario have independent random values', async () => {
    const twin = { probability: 0.5, latency: '1ms' }
    const client = await server.under({ seed: 1, rules: [twin, twin] })
    const fired = (await effectsIn(client)).map(effects => effects.split(',').map(effect => effect !== 'none'))
    const differ = fired.filter(([one, other]) => one !== other).length
    expect(differ).toBeGreaterThan(5)
    expect(differ).toBeLessThan(25)
  })

  it.runIf(ALL)('a different seed gives different random values', async () => {
    const [one, other] = [await server.under(scenario), await server.under({ ...scenario, seed: 'wednesday' })]
    expect(await effectsIn(one)).not.toEqual(await effectsIn(other))
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
