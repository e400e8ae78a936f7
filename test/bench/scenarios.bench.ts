import { expect, it } from 'vitest'
import type { Call } from '../../src/engine/sandbox/index.ts'
import type { RuleSet } from '../../src/engine/scenarios/rule-set.ts'
import { operations } from '../../src/ngrok/resources/index.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { compare, report } from './measure.ts'

const elsewhere = ['create_api_key', 'list_api_keys', 'update_api_key', 'delete_api_key', 'list_ip_restrictions'].map(
  operation => ({ when: { operation }, latency: '1s' }),
)

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
