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

describe('The rule of a form', () => {
  const error = { fault: { type: 'error', status: 503, retry_after: '2s' } }

  it.each<[what: string, form: Partial<RuleForm>, rule: object]>([
    ['is an error of all calls at first', {}, { name: 'error', ...error }],
    ['is about one method', { methods: ['PUT'] }, { name: 'error for PUT', when: { method: 'PUT' }, ...error }],
    [
      'is about several operations',
      { operations: ['a', 'b'] },
      { name: 'error for a, b', when: { operation: ['a', 'b'] }, ...error },
    ],
    ['has the name that was given', { name: ' teapot ' }, { name: 'teapot', ...error }],
    ['has a probability', { percent: '12.5' }, { name: 'error', probability: 0.125, ...error }],
    ['has no probability of 100 %', { percent: '100' }, { name: 'error', ...error }],
    ['has a number of times', { times: '3' }, { name: 'error', times: 3, ...error }],
    [
      'leaves out a setting that was emptied',
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

  it('has a name of at most 100 characters', () => {
    expect(nameOf({ ...EMPTY_FORM, operations: ['x'.repeat(200)] })).toHaveLength(100)
  })
})

describe('A rule added to the text of a scenario', () => {
  const rule = 'rules:\n  - name: new\n    latency: 5ms\n'

  it.each([
    ['is the whole of an empty text', '', rule],
    ['follows what is there', 'name: x', `name: x\n${rule}`],
    ['fills an empty list', 'rules: [ ] # none\nname: x\n', `${rule}name: x\n`],
    [
      'is the last of the list, before comments on what follows',
      'rules: # mine\n- latency: 1s\n\n# The clock.\nseed: 1\n',
      'rules: # mine\n- latency: 1s\n- name: new\n  latency: 5ms\n\n# The clock.\nseed: 1\n',
    ],
    [
      'is indented like the others',
      'rules:\n    - latency: 1s\n',
      'rules:\n    - latency: 1s\n    - name: new\n      latency: 5ms\n',
    ],
    ['does not fit a list on one line', 'rules: [{ latency: 1s }]\n', undefined],
  ])('%s', (_, text, wanted) => {
    expect(withRule(text, rule)).toBe(wanted)
  })
})

describe('The bins of a latency', () => {
  it.each<[latency: Latency, least: number, most: number]>([
    ['5ms', 5, 5],
    [{ min: '10ms', max: '1s' }, 10, 1000],
    [{ p50: '100ms', p95: '500ms', p99: '2s' }, 50, 2400],
  ])('declared as %j have all calls', (latency, least, most) => {
    const points = pointsOf(latency)
    const axis = axisFor(points, [])
    expect(axis).toEqual({ least, most })
    const bins = declaredBins(points, axis)
    expect(bins).toHaveLength(BINS)
    expect(sum(bins)).toBeCloseTo(1)
  })

  it('declared by percentiles have half of the calls up to p50', () => {
    const bins = declaredBins(pointsOf({ p50: '24ms', p95: '30ms', p99: '40ms' }), { least: 0, most: 48 })
    expect(sum(bins.slice(0, 24))).toBeCloseTo(0.5)
    expect(sum(bins.slice(0, 30))).toBeCloseTo(0.95)
  })

  it.each([
    ['is that of what is declared', [], { least: 10, most: 20 }],
    ['is longer for calls of up to twice as long', [50, 5], { least: 5, most: 50 }],
    ['leaves out those beyond', [51, 12], { least: 10, most: 20 }],
  ])('have an axis that %s', (_, durations, axis) => {
    expect(axisFor(pointsOf({ min: '10ms', max: '20ms' }), durations)).toEqual(axis)
  })

  it('observed have the share of each, but none for calls beyond the axis', () => {
    const bins = observedBins([0, 0, 48, 49], { least: 0, most: 48 })
    expect([bins[0], bins.at(-1), sum(bins)]).toEqual([0.5, 0.25, 0.75])
  })
})

describe('The durations of a rule', () => {
  const seen = (duration_ms: number | null, fired: boolean, name = 'slow') =>
    entry({ duration_ms, rules: [{ name, fired, effect: '' }] })

  it('are those of calls on which it fired, as many as it has counted', () => {
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
