import { expect, it } from 'vitest'
import { RuleSet } from '../../../src/engine/scenarios/rule-set.ts'
import { simulate } from '../../support/in-process.ts'

it('An active scenario does not hold the state that it was merged into', async () => {
  const { call, sandboxes } = await simulate()
  const { status } = await call('PUT', '/_sim/scenario', { state: { users: [{ id: 'usr_new', name: 'New' }] } })
  expect(status).toBe(200)
  const rules = sandboxes.default.rules as RuleSet
  expect(rules).toBeInstanceOf(RuleSet)
  expect(rules.scenario.file.state).toBeDefined()
  expect(rules.scenario.merged).toBeUndefined()
})
