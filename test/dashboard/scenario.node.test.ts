import { describe, expect, it } from 'vitest'
import type { Latency } from '../../src/dashboard/types.ts'
import {
  axisFor,
  BINS,
  declaredBins,
  durationsByRule,
  durationsOf,
  medianOf,
  observedBins,
  pointsOf,
} from '../../src/dashboard/views/scenario/latency-bins.ts'
import { EMPTY_FORM, nameOf, type RuleForm, ruleOf, withRule } from '../../src/dashboard/views/scenario/rule-form.ts'
import { entry } from './entries.ts'

const sum = (list: number[]) => list.reduce((all, each) => all + each, 0)

describe('A rule from the form', () => {
  const error = { fault: { type: 'error', status: 503, retry_after: '2s' } }

  it.each<[what: string, form: Partial<RuleForm>, rule: object]>([
    ['is an error for all calls by default', {}, { name: 'error', ...error }],
    ['applies to one method', { methods: ['PUT'] }, { name: 'error for PUT', when: { method: 'PUT' }, ...error }],
    [
      'applies to several operations',
      { operations: ['a', 'b'] },
      { name: 'error for a, b', when: { operation: ['a', 'b'] }, ...error },
    ],
    ['has the entered name', { name: ' teapot ' }, { name: 'teapot', ...error }],
    ['has a probability', { percent: '12.5' }, { name: 'error', probability: 0.125, ...error }],
    ['has no probability of 100 %', { percent: '100' }, { name: 'error', ...error }],
    ['has a maximum number of times', { times: '3' }, { name: 'error', times: 3, ...error }],
    [
      'omits a cleared setting',
      { settings: { 'error status': '418', 'error retry_after': '', 'hang for': '1s' } },
      { name: 'error', fault: { type: 'error', status: 418 } },
    ],
    ['is a fault without settings', { effect: 'reset' }, { name: 'reset', fault: { type: 'reset' } }],
    ['is a latency', { effect: 'latency' }, { name: 'latency', latency: '200ms' }],
    [
      'is a latency by percentiles',
      { effect: 'latency percentiles', settings: { 'latency percentiles p99': '2s' } },
      { name: 'latency percentiles', latency: { p50: '80ms', p95: '300ms', p99: '2s' } },
    ],
    [
      'is a rate limit',
      { effect: 'rate limit' },
      { name: 'rate limit', rate_limit: { requests: 120, per: '60s', window: 'rolling' } },
    ],
  ])('%s', (_, form, rule) => {
    expect(ruleOf({ ...EMPTY_FORM, ...form })).toEqual(rule)
  })

  it('has a name of up to 100 characters', () => {
    expect(nameOf({ ...EMPTY_FORM, operations: ['x'.repeat(200)] })).toHaveLength(100)
  })
})

describe('A rule added to scenario YAML', () => {
  const rule = 'rules:\n  - name: new\n    latency: 5ms\n'

  it.each([
    ['is the only content of an empty file', '', rule],
    ['follows existing content', 'name: x', `name: x\n${rule}`],
    ['fills an empty list', 'rules: [ ] # none\nname: x\n', `${rule}name: x\n`],
    [
      'is last in the list, before later comments',
      'rules: # mine\n- latency: 1s\n\n# The clock.\nseed: 1\n',
      'rules: # mine\n- latency: 1s\n- name: new\n  latency: 5ms\n\n# The clock.\nseed: 1\n',
    ],
    [
      'is indented like other rules',
      'rules:\n    - latency: 1s\n',
      'rules:\n    - latency: 1s\n    - name: new\n      latency: 5ms\n',
    ],
    ['is not added to a list on one line', 'rules: [{ latency: 1s }]\n', undefined],
  ])('%s', (_, text, wanted) => {
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
})

describe('Rule durations', () => {
  const seen = (duration_ms: number | null, fired: boolean, name = 'slow') =>
    entry({ duration_ms, rules: [{ name, fired, effect: '' }] })

  it('are from calls on which the rule fired, up to its count', () => {
    const found = durationsByRule([seen(3, true), seen(9, false), seen(null, true), seen(1, true), seen(7, true, 'b')])
    const rule = (name: string, fired: number) => ({ name, matched: 9, fired })
    expect(durationsOf(rule('slow', 2), found)).toEqual([3, 1])
    expect(durationsOf(rule('slow', 1), found)).toEqual([3])
    expect(durationsOf(rule('quiet', 1), found)).toEqual([])
  })

  it('have a median', () => {
    expect(medianOf([30, 1, 20])).toBe(20)
  })
})
