import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { failureOf, reasonOf } from '../../src/dashboard/state/failure.ts'
import { clearCounts, countEntry, countJournal, stepsOf, updateCounts } from '../../src/dashboard/state/last-hour.ts'
import { type Filter, linesOf, matcher, sortEntries } from '../../src/dashboard/views/requests/entries.ts'
import { entry } from './entries.ts'

interface Cases {
  filters: [filter: Filter, found: string][]
  sorts: [sort: string, order: string][]
}
const cases: Cases = parse(readFileSync(new URL('requests.yaml', import.meta.url), 'utf8'))

const reset = { name: 'outage', fired: true, effect: '5 ms of latency, reset' }
const idle = { name: 'idle', fired: false, effect: 'none' }
const missing = { decided_by: 'missing_record', section: '4.1', text: 'There is none. Create one.', nearest: null }
const byRule = { ...missing, decided_by: 'rule' }

/** Newest first, as in the journal. */
const ENTRIES = [
  entry({ id: 'own', at: '2030-01-01T10:04:00.000Z', path: '/what', operation: null, status: 404, duration_ms: 3 }),
  entry({ id: 'lost', at: '2030-01-01T10:03:30.000Z', status: null, duration_ms: null, rules: [idle, reset] }),
  entry({ id: 'gone', at: '2030-01-01T10:03:00.000Z', path: '/api_keys/a', status: 404, explanation: missing }),
  entry({ id: 'made', at: '2030-01-01T10:00:00.900Z', method: 'POST', operation: 'create_api_key', status: 201 }),
  entry({ id: 'slow', at: '2029-12-31T10:00:00.000Z', rules: [idle], duration_ms: 20, sandbox: 'other' }),
]
const CALLERS = ENTRIES.map((each, i) => (i % 2 ? each : { ...each, caller: { id: `usr_${i}`, key_id: 'ak' } }))

const surroundings = { now: Date.parse('2030-01-01T10:04:00Z'), isOwn: ({ id }: { id: string }) => id === 'own' }

describe('The request filter', () => {
  it.each(cases.filters)('%j finds: %s', (filter, found) => {
    expect(ENTRIES.filter(matcher(filter, surroundings)).map(({ id }) => id)).toEqual(found.split(' '))
  })
})

describe('The type and reason of a failure', () => {
  const late = { ...reset, effect: '5 ms of latency' }
  const left = { ...reset, effect: '5 ms of latency, but the client disconnected before that' }

  it.each([
    ['undefined for a success', { status: 302, explanation: missing }, undefined, undefined],
    ['the check that rejected it', { status: 404, explanation: missing }, 'missing_record', 'There is none.'],
    [
      'the rule, without latency',
      { status: 503, explanation: byRule, rules: [idle, reset] },
      'reset',
      'Rule "outage": reset',
    ],
    [
      'the disconnection of the client during latency',
      { status: null, explanation: byRule, rules: [left] },
      'the client disconnected before that',
      'Rule "outage": the client disconnected before that',
    ],
    ['"no response" by default', { status: null, rules: [late] }, 'no response', undefined],
  ])('are %s', (_, given, kind, reason) => {
    expect(failureOf(entry(given))).toBe(kind)
    expect(reasonOf(entry(given))).toBe(reason)
  })
})

describe('Sorted requests', () => {
  it.each(cases.sorts)('by %s are %s, then newest first', (sort, order) => {
    expect(sortEntries(CALLERS, sort).map(({ id }) => id)).toEqual(order.split(' '))
  })
})

describe('Requests counted by operation', () => {
  it('have an error rate, and percentiles of known durations', () => {
    const took = [4, 1, 3, 2, null].map((duration_ms, i) =>
      entry({ duration_ms, status: [200, 404, 200, 503, null][i]! }),
    )
    expect(linesOf([...took, entry({ operation: null, status: 404, duration_ms: null })])).toEqual([
      { operation: 'list_api_keys', count: 5, errors: 3, share: 0.6, p50: 2, p95: 4, slowest: 4 },
      { operation: 'none', count: 1, errors: 1, share: 1, p50: undefined, p95: undefined, slowest: undefined },
    ])
  })
})

it('A request with a sandbox time outside the last hour is counted on arrival', () => {
  const late = entry({ at: '2001-01-01T00:00:00.000Z' })
  clearCounts()
  countJournal([late], true)
  countEntry(late, Date.now())
  countEntry(late, Date.now())
  updateCounts()
  expect(stepsOf(60).reduce((sum, { requests }) => sum + requests, 0)).toBe(1)
})
