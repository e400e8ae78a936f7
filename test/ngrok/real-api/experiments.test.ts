import { describe, expect, it } from 'vitest'
import { valuesOf } from '../../../src/engine/assumptions.ts'
import type { AssumptionName } from '../../../src/ngrok/assumed.ts'
import { assumptions, ngrokAssumptions } from '../../../src/ngrok/questions.ts'
import { collectionsWrittenBy } from '../../../src/ngrok/real-api/probe/account.ts'
import type { Step } from '../../../src/ngrok/real-api/probe/experiment.ts'
import { experiments } from '../../../src/ngrok/real-api/probe/experiments.ts'
import { planOf } from '../../../src/ngrok/real-api/probe/plan.ts'
import { collections } from '../../../src/ngrok/resources/index.ts'
import { ALL } from '../../support/long.ts'
import { names, service, tried } from './probing.ts'

const stepsOf = (name: AssumptionName): readonly Step[] => {
  const experiment = experiments[name]
  return 'steps' in experiment ? experiment.steps : []
}
const valuesFoundBy = (name: AssumptionName) =>
  stepsOf(name).flatMap(({ meanings }) => meanings.flatMap(each => ('value' in each ? each.value : [])))

describe('Experiments', () => {
  it('exist for every assumption, or a reason to send nothing', () => {
    expect(Object.keys(experiments).sort()).toEqual(Object.keys(assumptions).sort())
    for (const name of names) {
      const experiment = experiments[name]
      if ('because' in experiment) expect(experiment.because).toMatch(/^[A-Z].{30,}\.$/)
      else expect(experiment.steps.length).toBeGreaterThan(0)
    }
  })

  it.for(tried)('find exactly the values of %s, and end with a verdict', name => {
    expect(new Set(valuesFoundBy(name))).toEqual(new Set(valuesOf(ngrokAssumptions, name)))
    const last = stepsOf(name).at(-1)!
    expect(last.meanings.some(each => 'continues' in each)).toBe(false)
  })

  it('never enforce a restriction, open an address or create a key', () => {
    for (const step of tried.flatMap(stepsOf)) {
      const text = JSON.stringify(step.body ?? {})
      expect(text).not.toMatch(/"enforced":true|listen|upstream/)
    }
    const written = collectionsWrittenBy(names)
    for (const path of '/api_keys /credentials /endpoints /reserved_domains /reserved_addrs /bot_users'.split(' '))
      expect(written).not.toContain(path)
  })

  it('create only records that can be marked, listed and deleted', () => {
    for (const path of collectionsWrittenBy(names)) {
      const collection = collections.find(each => each.path === path)!
      expect(collection, path).toBeDefined()
      expect(collection.listAs, path).toBeDefined()
      expect(Object.keys(collection.fields), path).toContain('metadata')
      expect(collection.only ?? ['delete'], path).toContain('delete')
    }
  })

  it('change and delete only records that they created', () => {
    for (const { method, path } of tried.flatMap(stepsOf))
      if (!['GET', 'HEAD', 'OPTIONS', 'POST'].includes(method)) expect(path).toMatch(/\{\w+\}/)
  })

  it.runIf(ALL)('send only planned requests', async () => {
    const { probe, call } = await service()
    await probe(names)
    const { body } = await call('GET', '/_sim/requests?limit=1000')
    const sent = (body.requests as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`)
    expect(sent.length).toBeGreaterThan(100)
    const planned = planOf(names, 60)
      .map(line => /^ {2}((?:GET|POST|PATCH|PUT|DELETE|HEAD|OPTIONS) [^ ?,]+)/.exec(line)?.[1])
      .filter(line => line !== undefined)
      .map(line => new RegExp(`^${line.replace(/\{[^}]+\}/g, '[\\w-]+')}$`))
    expect(sent.filter(line => !planned.some(pattern => pattern.test(line)))).toEqual([])
  })
})
