import { describe, expect, it } from 'vitest'
import { startServer } from './client.ts'

type Rule = Record<string, unknown>
const error = { type: 'error', status: 500 }
const reset = { type: 'reset' }
const limit = { requests: 5, per: '1m' }
const on = (when: object, more: object = { fault: error }): Rule => ({ when, ...more })
const night = ['2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z']
const READS = ['list_api_keys', 'get_api_key']

const server = await startServer()
const check = async (rules: Rule[]) => (await server.control('PUT', '/scenario?dry_run=true', { rules })).body

describe('A rule that can never fire is rejected', () => {
  it.each<[why: string, rules: Rule[]]>([
    ['behind a fault without a when', [{ fault: error }, on({ method: 'GET' })]],
    ['behind a fault on more operations', [on({ operation: READS }), on({ operation: READS[0] })]],
    ['behind a fault on more methods', [on({ method: ['GET', 'POST'] }), on({ method: 'POST' })]],
    ['behind a fault on every path', [on({ path: '/**' }), { fault: reset }]],
    ['behind a fault on calls from the first on', [on({ calls: '1-' }), { fault: reset }]],
    ['behind a fault on its route', [on({ path: '/api_keys/{id}' }), on({ operation: 'get_api_key' })]],
    ['behind a fault on all paths of its route', [on({ path: '/api_keys/*' }), on({ path: '/api_keys/ak_*' })]],
    [
      'behind a fault on the same paths and more',
      [on({ path: ['/api_keys', '/api_keys/ak_*'] }), on({ path: '/api_keys/ak_*', method: 'GET' })],
    ],
    ['with any conditions', [{ fault: error }, on({ owner: 'usr_admin', calls: 3, between: night })]],
    ['as a rate limit behind a fault', [{ fault: error }, { rate_limit: limit }]],
  ])('%s', async (_, rules) => {
    expect((await check(rules)).msg).toContain(
      'rules[1]: can never fire, because the fault of rules[0] acts on every call it matches',
    )
  })

  it('behind a fault on more edges', async () => {
    const fault = reset
    const rules = [on({ edge: ['edgtcp_ssh', 'edghts_web'] }, { fault }), on({ edge: 'edghts_web' }, { fault })]
    expect((await check(rules)).msg).toContain('the fault of rules[0] acts on everything it matches')
  })

  it('with the rule that hides it', async () => {
    const { msg } = await check([
      on({ operation: READS[0] }),
      on({ method: 'GET' }),
      ...READS.map(id => on({ operation: id })),
    ])
    expect(msg).toMatch(
      /rules\[2\]: can never fire, because the fault of rules\[0\].*rules\[3\]: can never fire, because the fault of rules\[1\]/s,
    )
  })
})

describe('A rule is accepted', () => {
  it.each<[why: string, rules: Rule[]]>([
    ['on an edge, behind a fault on every call', [{ fault: error }, on({ edge: 'edghts_web' }, { fault: reset })]],
    ['on another edge', [on({ edge: 'edgtcp_ssh' }, { fault: reset }), on({ edge: 'edghts_web' }, { fault: reset })]],
    ['with a latency', [{ fault: error }, { latency: '1ms', fault: error }]],
    ['behind a latency', [{ latency: '1ms' }, { fault: error }]],
    ['behind a rate limit', [{ rate_limit: limit }, { fault: error }]],
    ['behind stale reads', [{ fault: { type: 'stale-reads', delay: '1s' } }, { fault: error }]],
    ['behind a fault with a probability', [{ fault: error, probability: 0.9 }, { fault: error }]],
    ['behind a fault with "times"', [{ fault: error, times: 3 }, { fault: error }]],
    ['behind a fault on the first calls', [on({ calls: '1-3' }), { fault: error }]],
    ['behind a fault on later calls', [on({ calls: '2-' }), { fault: error }]],
    ['behind a fault with "between"', [on({ between: night }), { fault: error }]],
    ['behind a fault for an owner', [on({ owner: 'bot_ci' }), { fault: error }]],
    ['behind a fault on some addresses', [on({ source_ip: '10.0.0.0/8' }), { fault: error }]],
    ['behind a fault on some of its operations', [on({ operation: READS[0] }), on({ operation: READS })]],
    ['behind a fault on some paths of its route', [on({ path: '/api_keys/ak_*' }), on({ operation: 'get_api_key' })]],
    [
      'behind a fault on some of its paths',
      [on({ path: '/api_keys/a*' }), on({ path: ['/api_keys/a*', '/api_keys/b'] })],
    ],
    [
      'behind a fault on other operations of its path',
      [on({ path: '/api_keys/a', method: 'GET' }), on({ path: '/api_keys/a' })],
    ],
    // Too hard to detect: the list of unused rules reports these.
    [
      'behind two faults that share its operations',
      [...READS.map(id => on({ operation: id })), on({ operation: READS })],
    ],
    ['behind a fault for the same owner', [on({ owner: 'bot_ci' }), on({ owner: 'bot_ci' })]],
    ['behind a fault on a wider block', [on({ source_ip: '10.0.0.0/8' }), on({ source_ip: '10.2.0.0/16' })]],
    ['behind a fault on the same calls', [on({ calls: '1-3' }), on({ calls: 2 })]],
    ['as a rate limit that its calls cannot exceed', [on({ calls: '3-7' }, { rate_limit: limit })]],
  ])('%s', async (_, rules) => {
    expect(await check(rules)).toMatchObject({ valid: true, rules: rules.length })
  })
})

it('A rule on a route path matches every call of the route, even with a slash in the id', async () => {
  const client = await server.underRules(on({ path: '/api_keys/{id}' }))
  expect((await client.send('GET', '/api_keys/a%2Fb')).status).toBe(500)
})
