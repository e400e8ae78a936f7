import { describe, expect, it } from 'vitest'
import { defaultOf } from '../../../src/engine/assumptions.ts'
import type { AssumptionName } from '../../../src/ngrok/assumed.ts'
import { assumptionSets, ngrokAssumptions } from '../../../src/ngrok/questions.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { cases, service, tried } from './probing.ts'

/** Values that prevent other experiments, and the reported reason. */
const NEEDED: Record<string, RegExp> = {
  'edges=gone': /the API has no edges, or they are read-only$/,
  'edges=read_only': /the API has no edges, or they are read-only$/,
  'neighbours=absent': / does not exist, or this key has no access$/,
}
/** All cases in the long tests, otherwise those that others depend on. */
const some = cases.filter(({ name, value }) => LONG || NEEDED[`${name}=${value}`])

describe('A probe of all assumptions', () => {
  it.for(some)('finds every value with $name=$value', { timeout: LONG_MS }, async ({ name, value, assume }) => {
    const { probe, state } = await service({ assume })
    const before = await state()
    const { verdicts, left, stopped } = await probe(tried)
    expect({ left, stopped }).toEqual({ left: [], stopped: undefined })
    expect(await state()).toBe(before)
    const needed = NEEDED[`${name}=${value}`]
    let found = 0
    for (const each of tried) {
      const verdict = verdicts[each]!
      if ('undecided' in verdict && needed) expect(verdict.undecided).toMatch(needed)
      else {
        expect({ [each]: verdict }).toEqual({ [each]: { value: expectedValue(each, name, value) } })
        found++
      }
    }
    expect(found).toBeGreaterThan(needed ? 5 : tried.length - 1)
  })
})

it('A probe of --assume ngrok finds the same set of values', async () => {
  const { probe } = await service({ assume: 'ngrok' })
  const { verdicts, stopped } = await probe(tried)
  expect(stopped).toBeUndefined()
  const changed = tried.flatMap(name => {
    const verdict = verdicts[name]!
    return 'value' in verdict && verdict.value !== defaultOf(ngrokAssumptions, name) ? [[name, verdict.value]] : []
  })
  expect(Object.fromEntries(changed)).toEqual(assumptionSets.ngrok)
})

const expectedValue = (each: AssumptionName, name: AssumptionName, value: string) =>
  each === name ? value : defaultOf(ngrokAssumptions, each)
