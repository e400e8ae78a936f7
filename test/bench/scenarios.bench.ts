import { expect, it } from 'vitest'
import type { Call } from '../../src/engine/sandbox/index.ts'
import type { RuleSet } from '../../src/engine/scenarios/rule-set.ts'
import { operations } from '../../src/ngrok/resources/index.ts'
import type { SimulatorOptions } from '../../src/simulator/options/options.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { pooledClient } from '../support/raw-http.ts'
import { compare, report } from './measure.ts'

const path = '/api_keys/ak_admin'

const elsewhere = ['create_api_key', 'list_api_keys', 'update_api_key', 'delete_api_key', 'list_ip_restrictions'].map(
  operation => ({ when: { operation }, latency: '1s' }),
)

it('costs nothing without active rules', async () => {
  const started: Awaited<ReturnType<typeof runSimulator>>[] = []
  const start = async (options: SimulatorOptions) => {
    const simulator = await runSimulator(options)
    started.push(simulator)
    const client = pooledClient(simulator.port, 1)
    return () => client.send({ method: 'GET', path })
  }
  const times = await compare(
    {
      none: await start({}),
      'none, once more': await start({}),
      'a scenario without rules': await start({ scenario: { assume: { page_order: 'oldest_first' } } }),
      'a scenario whose rules do not match': await start({ scenario: { rules: elsewhere } }),
    },
    { rounds: 60, each: 100 },
  )
  const noise = Math.abs(times['none, once more']! / times.none! - 1)
  for (const [name, time] of Object.entries(times).slice(2)) {
    const ratio = time / times.none!
    const within = Math.max(0.02, noise)
    const seen = `${ratio.toFixed(3)}× (${times.none!.toFixed(4)} → ${time.toFixed(4)} ms; none against none: ${(1 + noise).toFixed(3)}×)`
    report(name, seen, 'no more than noise', ratio <= 1 + within)
  }
  await Promise.all(started.map(simulator => simulator.close()))
  expect(started).toHaveLength(4)
})

it('evaluates rules that do not match in almost no time', async () => {
  const simulator = await runSimulator({ scenario: { rules: elsewhere } })
  const { rules, tables } = simulator.sandboxes.default
  const call = {
    operation: operations.find(({ id }) => id === 'get_api_key'),
    entry: { rules: [] },
    tables,
  } as unknown as Call
  const { apply } = await compare({ apply: () => (rules as RuleSet).apply(call) }, { rounds: 15, each: 100_000 })
  report('five rules that do not match', `${(apply! * 1e6).toFixed(0)} ns a request`, '≤ 1000 ns', apply! <= 0.001)
  await simulator.close()
  expect(rules!.report()).toMatchObject({ rules: elsewhere.map(() => ({ matched: 0 })) })
})
