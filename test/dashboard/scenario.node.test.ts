import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Latency } from '../../src/dashboard/types.ts'
import {
  axisFor,
  BINS,
  declaredBins,
  durationsOf,
  medianOf,
  observedBins,
  pointsOf,
} from '../../src/dashboard/views/scenario/latency-bins.ts'
import { EMPTY_FORM, nameOf, type RuleForm, ruleOf, withRule } from '../../src/dashboard/views/scenario/rule-form.ts'
import { entry } from './entries.ts'

interface Cases {
  forms: [what: string, form: Partial<RuleForm>, rule: object][]
  files: [what: string, text: string, wanted?: string][]
}
const cases: Cases = parse(readFileSync(new URL('scenario-rules.yaml', import.meta.url), 'utf8'))

const sum = (list: number[]) => list.reduce((all, each) => all + each, 0)

describe('A rule from the form', () => {
  it.each(cases.forms)('%s', (_, form, rule) => {
    expect(ruleOf({ ...EMPTY_FORM, ...form })).toEqual(rule)
  })

  it('has a name of up to 100 characters', () => {
    expect(nameOf({ ...EMPTY_FORM, operations: ['x'.repeat(200)] })).toHaveLength(100)
  })
})

describe('A rule added to scenario YAML', () => {
  const rule = 'rules:\n  - name: new\n    latency: 5ms\n'

  it.each(cases.files)('%s', (_, text, wanted) => {
    expect(withRule(text, rule)).toBe(wanted)
  })
})

describe('Latency bins', () => {
  it.each<[latency: Latency, least: number, most: number]>([
    ['5ms', 5, 5],
    [{ min: '10ms', max: '1s' }, 10, 1000],
    [{ p50: '100ms', p95: '500ms', p99: '2s' }, 50, 2400],
  ])('declared as %j contain all calls', (latency, least, most) => {
    const points = pointsOf(latency)
    const axis = axisFor(points, [])
    expect(axis).toEqual({ least, most })
    const bins = declaredBins(points, axis)
    expect(bins).toHaveLength(BINS)
    expect(sum(bins)).toBeCloseTo(1)
  })

  it('declared by percentiles contain half of the calls up to p50', () => {
    const bins = declaredBins(pointsOf({ p50: '24ms', p95: '30ms', p99: '40ms' }), { least: 0, most: 48 })
    expect(sum(bins.slice(0, 24))).toBeCloseTo(0.5)
    expect(sum(bins.slice(0, 30))).toBeCloseTo(0.95)
  })

  it.each([
    ['covers the declared range', [], { least: 10, most: 20 }],
    ['extends to slightly slower calls', [50, 5], { least: 5, most: 50 }],
    ['omits much slower calls', [51, 12], { least: 10, most: 20 }],
  ])('have an axis that %s', (_, durations, axis) => {
    expect(axisFor(pointsOf({ min: '10ms', max: '20ms' }), durations)).toEqual(axis)
  })

  it('observed contain the share of each duration, except beyond the axis', () => {
    const bins = observedBins([0, 0, 48, 49], { least: 0, most: 48 })
    expect([bins[0], bins.at(-1), sum(bins)]).toEqual([0.5, 0.25, 0.75])
  })

  it('of a fixed latency contain the calls that took exactly as long', () => {
    const axis = axisFor(pointsOf('5ms'), [5, 5])
    expect(observedBins([5, 5], axis)).toEqual(declaredBins(pointsOf('5ms'), axis))
  })
})

describe('Rule durations', () => {
  const seen = (duration_ms: number | null, fired: boolean, name = 'slow') =>
    entry({ duration_ms, rules: [{ name, fired, effect: '' }] })

  it('are from calls on which the rule fired, up to its count', () => {
    const found = [seen(3, true), seen(9, false), seen(null, true), seen(1, true), seen(7, true, 'b')]
    const rule = (name: string, fired: number) => ({ name, matched: 9, fired })
    expect(durationsOf(rule('slow', 2), found)).toEqual([3, 1])
    expect(durationsOf(rule('slow', 1), found)).toEqual([3])
    expect(durationsOf(rule('quiet', 1), found)).toEqual([])
  })

  it('have a median', () => {
    expect(medianOf([30, 1, 20])).toBe(20)
  })
})
