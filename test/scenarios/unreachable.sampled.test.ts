import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSync } from '../../src/basics/slices.ts'
import { operations } from '../../src/resources/index.ts'
import { makeRule } from '../../src/scenarios/rule.ts'
import { RuleSet } from '../../src/scenarios/rule-set.ts'
import type { Scenario } from '../../src/scenarios/scenario.ts'
import type { RuleFile } from '../../src/scenarios/schema.ts'
import { unreachableRules } from '../../src/scenarios/unreachable.ts'
import type { Subject } from '../../src/scenarios/when.ts'
import { ALL, samples } from '../support/long.ts'
import { startServer } from './client.ts'

type Rule = Record<string, unknown>
const error = { type: 'error', status: 500 }
const reset = { type: 'reset' }
const stale = { type: 'stale-reads', delay: '1s' }
const limit = { requests: 5, per: '1m' }
const on = (when: object, more: object = { fault: error }): Rule => ({ when, ...more })
const night = ['2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z']
const midnight = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
const READS = ['list_api_keys', 'get_api_key']

const server = await startServer()
const check = async (rules: Rule[], more: object = {}) =>
  (await server.control('PUT', '/scenario?dry_run=true', { rules, ...more })).body

describe('A rule that can never fire is refused:', () => {
  it.each<[why: string, rules: Rule[], says: RegExp]>([
    [
      'since a fault without a when matches every call',
      [{ fault: error }, on({ method: 'GET' })],
      /rules\[0\] matches/,
    ],
    ['since the same operation has a fault already', [on({ operation: READS }), on({ operation: READS[0] })], /s\[0\]/],
    ['behind calls from the first on', [on({ calls: '1-' }), { fault: reset }], /the fault of rules\[0\] matches/],
    ['behind every path', [on({ path: '/**' }), { fault: reset }], /the fault of rules\[0\] matches/],
    ['behind more methods', [on({ method: ['GET', 'POST'] }), on({ method: 'POST' })], /rules\[0\]/],
    ['behind the path of its route', [on({ path: '/api_keys/{id}' }), on({ operation: 'get_api_key' })], /rules\[0\]/],
    ['behind a wider path', [on({ path: '/api_keys/a*' }), on({ path: ['/api_keys/ak_*', '/api_keys/a'] })], /s\[0\]/],
    ['behind more owners', [on({ owner: ['usr_admin', 'bot_ci'] }), on({ owner: 'bot_ci' })], /rules\[0\]/],
    ['behind a wider block', [on({ source_ip: '10.0.0.0/8' }), on({ source_ip: '10.2.0.0/16' })], /rules\[0\]/],
    [
      'behind more edges',
      [on({ edge: ['edgtcp_ssh', 'edghts_web'] }, { fault: reset }), on({ edge: 'edghts_web' }, { fault: reset })],
      /rules\[0\] matches everything/,
    ],
    ['behind a longer time', [on({ between: night }), on({ between: midnight })], /rules\[0\]/],
    ['behind the same calls', [on({ method: 'GET', calls: '1-3' }), on({ method: 'GET', calls: 2 })], /rules\[0\]/],
    [
      'behind as many times as its calls',
      [on({ calls: '2-' }, { fault: error, times: 2 }), on({ calls: '2-3' })],
      /s\[0\]/,
    ],
    ['behind later calls of more operations', [on({ calls: '2-' }), on({ method: 'GET', calls: 3 })], /rules\[0\]/],
    [
      'behind two that share its operations',
      [on({ operation: READS[1] }), { latency: '1ms' }, on({ operation: READS[0] }), on({ operation: READS })],
      /the faults of rules\[0\], rules\[2\] match every call it could match/,
    ],
    [
      'behind two that share its owners',
      [on({ owner: 'usr_admin' }), on({ owner: 'bot_ci' }), on({ owner: ['bot_ci', 'usr_admin'] })],
      /rules\[0\], rules\[1\]/,
    ],
    [
      'behind two that share the calls',
      [on({ calls: '1-5' }), on({ calls: '6-' }), on({ method: 'GET' })],
      /rules\[0\], rules\[1\]/,
    ],
    ['as a rate limit behind a fault', [{ fault: error }, { rate_limit: limit }], /the fault of rules\[0\]/],
    [
      'as a rate limit that is never exceeded',
      [on({ calls: '3-7' }, { rate_limit: limit })],
      /counts 5 calls, and its rate_limit lets 5 through/,
    ],
    [
      'as a rate limit as high as another',
      [{ rate_limit: limit }, { rate_limit: { ...limit, window: 'rolling' } }],
      /the rate_limit of rules\[0\] refuses every call/,
    ],
    [
      'as a rate limit of the same calls, told in another way',
      [
        on({ operation: READS[0] }, { rate_limit: limit }),
        on({ operation: READS[0], path: '/api_keys' }, { rate_limit: limit }),
      ],
      /the rate_limit of rules\[0\] refuses every call/,
    ],
    ['as stale reads behind a fault on reads', [on({ method: 'GET' }), { fault: stale }], /the fault of rules\[0\]/],
    ['as a fault on reads behind stale reads', [{ fault: stale }, on({ method: 'GET' })], /the fault of rules\[0\]/],
  ])('%s', async (_, rules, says) => {
    const { msg } = await check(rules)
    expect(msg).toMatch(says)
    expect(msg).toContain(`rules[${rules.length - 1}]: can never fire: `)
  })

  it('its operations are removed by neighbours=absent', async () => {
    const rules = [on({ path: '/ip_policies/**' }, { latency: '1ms' })]
    const says = /rules\[0\]: can never fire: under neighbours=absent the API has no operation that it could affect/
    expect((await check(rules, { assume: { neighbours: 'absent' } })).msg).toMatch(says)
    const absent = await startServer({ assume: { neighbours: 'absent' } })
    const put = (scenario: object) => absent.control('PUT', '/scenario?dry_run=true', scenario)
    expect((await put({ rules })).body.msg).toMatch(says)
    expect((await put({ rules, assume: { neighbours: 'serve' } })).body.msg).toMatch(says)
    const reads = on({ operation: ['list_ip_policies', 'create_api_key'] }, { fault: stale })
    expect((await put({ rules: [reads] })).body.msg).toMatch(says)
    expect((await put({ rules: [on({ path: ['/api_keys', '/ip_policies'] })] })).status).toBe(200)
  })
})

describe('A rule that can fire is accepted:', () => {
  it.each<[why: string, rules: Rule[]]>([
    ['on an edge, behind a fault on every call', [{ fault: error }, on({ edge: 'edghts_web' }, { fault: reset })]],
    ['on another edge', [on({ edge: 'edgtcp_ssh' }, { fault: reset }), on({ edge: 'edghts_web' }, { fault: reset })]],
    ['with a latency', [{ fault: error }, { latency: '1ms', fault: error }]],
    ['on a write, behind stale reads', [{ fault: stale }, on({ method: 'POST' })]],
    ['behind a rate limit', [{ rate_limit: limit }, { fault: error }]],
    ['as a lower rate limit', [{ rate_limit: limit }, { rate_limit: { ...limit, requests: 4 } }]],
    ['as a rate limit on more calls', [on({ calls: '1-9' }, { rate_limit: limit }), { rate_limit: limit }]],
    ['as a rate limit with another window', [{ rate_limit: limit }, { rate_limit: { ...limit, per: '1s' } }]],
    [
      'as a rate limit with a fixed window behind a rolling one',
      [{ rate_limit: limit }, { rate_limit: { ...limit, window: 'fixed' } }],
    ],
    ['behind a latency', [{ latency: '1ms' }, { fault: error }]],
    ['on what a chance leaves', [{ fault: error, probability: 0.9 }, { fault: error }]],
    ['after a number of times', [{ fault: error, times: 3 }, { fault: error }]],
    ['on later calls', [on({ calls: '1-3' }), { fault: error }]],
    ['on the first call of an operation, behind the first of all', [on({ calls: 1 }), on({ method: 'GET', calls: 1 })]],
    ['on a later call of an operation', [on({ method: 'GET', calls: '2-3' }), on({ operation: READS, calls: 3 })]],
    [
      'on the first call of an operation that is the second of two',
      [on({ operation: READS[0], calls: '2-' }), on({ operation: READS[1] }), on({ operation: READS, calls: '2-' })],
    ],
    ['before another time', [on({ between: [midnight[1], night[1]] }), on({ between: night })]],
    ['at another time', [on({ between: midnight }), on({ between: night })]],
    ['at any time', [on({ between: night }), { fault: error }]],
    ['for other owners', [on({ owner: 'bot_ci' }), on({ method: 'GET' })]],
    ['from other addresses', [on({ source_ip: ['10.0.0.0/16', '::/0'] }), on({ source_ip: '10.0.0.0/8' })]],
    ['on other paths of its route', [on({ path: '/api_keys/ak_*' }), on({ operation: 'get_api_key' })]],
    ['where the other path asks for more', [on({ path: '/api_keys/a{more}' }), on({ path: '/api_keys/a*' })]],
    ['as a rate limit that its calls can exceed', [on({ calls: '3-8' }, { rate_limit: limit })]],
    ['before a frozen clock, which can be set back', [on({ between: night })]],
  ])('%s', async (_, rules) => {
    const clock = { now: '2030-01-01T00:00:00Z', frozen: true }
    expect(await check(rules, { clock })).toMatchObject({ valid: true, rules: rules.length })
  })

  it('on an id that contains a slash', async () => {
    const client = await server.underRules(on({ path: '/api_keys/{id}' }))
    expect((await client.send('GET', '/api_keys/a%2Fb')).status).toBe(500)
  })
})

const OPERATIONS = ['list_api_keys', 'get_api_key', 'update_api_key']
const OWNERS = ['usr_admin', 'bot_ci']
const EDGES = ['edgtcp_ssh', 'edghts_web']
const clock = { time: 0, frozen: true, now: () => clock.time }
const minute = (n: number) => new Date(n * 60_000).toISOString()

/** Calls and connections of every kind that the rules below can tell apart. */
const subjects = [
  ...operations
    .filter(({ id }) => OPERATIONS.includes(id))
    .flatMap(operation =>
      (operation.path.includes('{') ? ['ak_x', 'ak_', 'other'] : ['']).flatMap(id =>
        [...OWNERS, 'usr_other'].flatMap(owner =>
          ['10.0.0.1', '10.0.0.2', '10.9.0.1', '192.0.2.1', '::1'].map(sourceIp => ({
            operation,
            path: operation.path.replace('{id}', id),
            caller: { id: owner },
            sourceIp,
          })),
        ),
      ),
    ),
  ...EDGES.flatMap(edge => ['10.0.0.1', '::1'].map(sourceIp => ({ edge, sourceIp, path: '/' }))),
].map(({ path, ...subject }) => {
  const entry = { path, rules: { push() {} } }
  return { ...subject, sandbox: { clock }, entry } as unknown as Subject
})

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const members = {
  path: maybe(some('/api_keys', '/api_keys/{id}', '/api_keys/ak_*', '/api_keys/ak_{any}', '/api_keys/ak_', '/**')),
  owner: maybe(some(...OWNERS)),
  source_ip: maybe(some('10.0.0.0/8', '10.0.0.0/16', '10.0.0.1', '::/0')),
  calls: maybe(fc.constantFrom(1, 2, '1-', '2-', '1-2')),
  between: maybe(fc.constantFrom([minute(0), minute(1)], [minute(0), minute(2)])),
}
const acts = [
  { fault: error },
  { fault: error },
  { fault: stale },
  { fault: error, probability: 0.5 },
  { latency: '1ms' },
  { rate_limit: { requests: 1, per: '10s' } },
]

/** Rules that differ in few ways, so that many hide others. */
const someRules = (count: { minLength: number; maxLength: number }, times: fc.Arbitrary<number | undefined>) =>
  fc.subarray(Object.keys(members) as (keyof typeof members)[], { minLength: 1, maxLength: 2 }).chain(names => {
    const { calls, between, ...others } = Object.fromEntries(names.map(name => [name, members[name]]))
    const timing = { ...(calls && { calls }), ...(between && { between }) }
    const made = (when: Record<string, fc.Arbitrary<unknown>>, act: fc.Arbitrary<Rule>) =>
      fc.record({ when: fc.record(when), times, act }).map(({ act, ...rule }) => ({ ...rule, ...act }) as RuleFile)
    // Of two rate limits, one with a window that is cut short may hide the other.
    const act = fc.constantFrom<Rule>(...(between ? acts.slice(0, -1) : acts))
    const onCalls = made({ operation: some(...OPERATIONS), ...others, ...timing }, act)
    const onEdges = made({ edge: some(...EDGES), ...timing }, fc.constant({ fault: reset }))
    return fc.array(fc.oneof({ weight: 6, arbitrary: onCalls }, { weight: 1, arbitrary: onEdges }), count)
  })

/**
 * Where the clock starts, and how far it goes on after each call. Calls of uneven distance matter: a limit that refuses a
 * call may have a window that ends before those of limits behind it, which count that call too.
 */
const CLOCKS: [start: number, steps: number[]][] = [
  [0, [0, 0, 0]],
  [70_000, [0, 0, 0]],
  [150_000, [0, 0, 0]],
  [-7_000, [7_000, 7_000, 7_000]],
  ...[1, 2, 3, 4, 5, 6, 7].map((bits): [number, number[]] => [0, [1, 2, 4].map(bit => (bits & bit ? 6_000 : 0))]),
]

/** Which rules fire in some sequence of that many calls: all of them are tried. */
function firing(files: RuleFile[], length: number): boolean[] {
  const rules = files.map(makeRule)
  const alike = (subject: Subject) => rules.map(rule => rule.matches(subject) && subject.operation?.method).join()
  // Calls that the same rules match are equivalent.
  const kinds = [...new Map(subjects.map(subject => [alike(subject), subject])).values()]
  const sequences = kinds.length ** length
  // With probabilities, a sequence is tried with several seeds.
  const tries = rules.some(({ probability }) => probability < 1) ? Math.max(300, sequences) : sequences
  const timed = rules.some(({ between, rateLimit }) => between || rateLimit)
  for (let i = 0; i < tries; i++)
    for (const [start, steps] of timed ? CLOCKS : CLOCKS.slice(0, 1)) {
      if (rules.every(({ fired }) => fired > 0)) break
      const set = new RuleSet({ rules } as Scenario, String(i))
      clock.time = start
      for (let call = 0, left = i; call < length; call++, left = Math.floor(left / kinds.length)) {
        set.apply(kinds[left % kinds.length]!)
        clock.time += steps[call] ?? 0
      }
    }
  return rules.map(({ fired }) => fired > 0)
}

const refused = (rules: RuleFile[]) =>
  runSync(unreachableRules(rules.map(makeRule), false)).map(({ path }) => path[1] as number)

const RUNS = ALL ? samples(40, 120) : 10

describe('Compared with all sequences of a few calls, the check', () => {
  it('accepts a limit that fires only if calls are unevenly spaced', () => {
    const limit = (...operation: string[]) =>
      ({ when: { operation }, rate_limit: { requests: 1, per: '10s' } }) as RuleFile
    const rules = [
      limit('list_api_keys', 'update_api_key'),
      limit('list_api_keys', 'get_api_key'),
      limit('list_api_keys'),
    ]
    expect(firing(rules, 4)).toEqual([true, true, true])
    expect(refused(rules)).toEqual([])
  })

  it('accepts a limit behind another if only one of their windows is fixed: each refuses what the other lets through', () => {
    const limit = (window: string) => ({ rate_limit: { requests: 2, per: '10s', window } }) as RuleFile
    const fires = (first: string, second: string) => {
      const rules = [limit(first), limit(second)].map(makeRule)
      const set = new RuleSet({ rules } as Scenario, undefined)
      for (const second of [0, 6, 8, 10, 11, 16]) {
        clock.time = second * 1000
        set.apply(subjects[0]!)
      }
      return rules.map(({ fired }) => fired > 0)
    }
    expect(fires('rolling', 'fixed')).toEqual([true, true])
    expect(fires('fixed', 'rolling')).toEqual([true, true])
    expect(refused([limit('rolling'), limit('fixed')])).toEqual([])
    expect(refused([limit('fixed'), limit('rolling')])).toEqual([])
    expect(refused([limit('fixed'), limit('fixed')])).toEqual([1])
  })

  it('refuses exactly the rules that never fire', () => {
    fc.assert(
      fc.property(someRules({ minLength: 2, maxLength: 3 }, fc.constant(undefined)), rules => {
        const never = firing(rules, 4).flatMap((fired, i) => (fired ? [] : [i]))
        expect(refused(rules)).toEqual(never)
      }),
      { numRuns: RUNS },
    )
  })

  it('refuses no rule that fires, with more rules and "times"', () => {
    fc.assert(
      fc.property(someRules({ minLength: 3, maxLength: 5 }, maybe(fc.constantFrom(1, 2))), rules => {
        const fired = firing(rules, 3)
        expect(refused(rules).filter(i => fired[i])).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
