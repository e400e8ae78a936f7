import { describe, expect, it } from 'vitest'
import { startServer } from './client.ts'
import { effectsOf } from './rules-of.ts'

const server = await startServer({ trustProxy: true })
const refuse = { type: 'error', status: 503 }

interface How {
  token?: string
  from?: string
  body?: unknown
}
type Step = [method: string, path: string, how?: How]
const as = ([method, path]: Step, how: How): Step => [method, path, how]

/** The statuses of the calls under one rule, and the rule's counts. */
async function statusesOf(rule: Record<string, unknown>, steps: Step[]) {
  const client = await server.underRules({ fault: refuse, ...rule })
  const statuses: (number | undefined)[] = []
  for (const [method, path, { token, from, body } = {}] of steps) {
    const own = token ? { token: `${token}~${client.name}` } : {}
    const headers: Record<string, string> = from ? { 'x-forwarded-for': from } : {}
    statuses.push((await client.send(method, path, { ...own, headers, body })).status)
  }
  return { statuses, counts: (await client.counts())[0] }
}

const GET: Step = ['GET', '/api_keys']
const ONE: Step = ['GET', '/api_keys/ak_ci']
const POST: Step = ['POST', '/api_keys']
const MODULE: Step = ['GET', '/edges/tcp/edgtcp_database/ip_restriction']

describe('A rule matches calls', () => {
  it('of one or several operations', async () => {
    const one = await statusesOf({ when: { operation: 'list_api_keys' } }, [GET, ONE, POST])
    expect(one).toEqual({ statuses: [503, 200, 201], counts: [1, 1] })
    const two = await statusesOf({ when: { operation: ['list_api_keys', 'create_api_key'] } }, [GET, ONE, POST])
    expect(two).toEqual({ statuses: [503, 200, 503], counts: [2, 2] })
  })

  it('with a method', async () => {
    const { statuses } = await statusesOf({ when: { method: 'GET' } }, [GET, ONE, POST, MODULE])
    expect(statuses).toEqual([503, 503, 201, 503])
    expect((await statusesOf({ when: { method: ['POST', 'PUT'] } }, [GET, POST])).statuses).toEqual([200, 503])
  })

  it.each([
    ['/api_keys', [503, 200, 503, 200]],
    ['/api_keys/ak_ci', [200, 503, 201, 200]],
    ['/api_keys/{id}', [200, 503, 201, 200]],
    ['/api_keys/ak_a*', [200, 200, 201, 200]],
    ['/*', [503, 200, 503, 200]],
    ['/edges/**', [200, 200, 201, 503]],
    ['/**/ip_restriction', [200, 200, 201, 503]],
    ['/**', [503, 503, 503, 503]],
  ])('with the path %s', async (path, expected) => {
    expect((await statusesOf({ when: { path } }, [GET, ONE, POST, MODULE])).statuses).toEqual(expected)
  })

  it('with any spelling of slashes', async () => {
    const { statuses } = await statusesOf({ when: { path: '/api_keys' } }, [
      ['GET', '//api_keys'],
      ['GET', '/api_keys/'],
      ['GET', '/api_keys?limit=1'],
    ])
    expect(statuses).toEqual([503, 503, 503])
  })

  it('with any encoding of an id, even if it has a slash', async () => {
    const one = await statusesOf({ when: { path: '/api_keys/ak_ci' } }, [['GET', '/api_keys/ak%5Fci']])
    const route = await statusesOf({ when: { path: '/api_keys/{id}' } }, [['GET', '/api_keys/a%2Fb']])
    expect([one.statuses, route.statuses]).toEqual([[503], [503]])
  })

  it('of an owner', async () => {
    const steps: Step[] = ['sim_admin', 'sim_member', 'sim_ci'].map(token => as(GET, { token }))
    expect((await statusesOf({ when: { owner: 'usr_member' } }, steps)).statuses).toEqual([200, 503, 200])
    expect((await statusesOf({ when: { owner: ['usr_member', 'bot_ci'] } }, steps)).statuses).toEqual([200, 503, 503])
  })

  it('from a source', async () => {
    const steps: Step[] = ['10.1.2.3', '10.200.0.1', '2001:db8::7', '::ffff:10.1.2.3'].map(from => as(GET, { from }))
    const under = async (source_ip: unknown) => (await statusesOf({ when: { source_ip } }, steps)).statuses
    expect(await under('10.1.2.3')).toEqual([503, 200, 200, 503])
    expect(await under('10.0.0.0/8')).toEqual([503, 503, 200, 503])
    expect(await under(['2001:db8::/32', '10.200.0.1'])).toEqual([200, 503, 503, 200])
    expect(await under('2001:db8:0:0::7')).toEqual([200, 200, 503, 200])
  })

  it('only if all conditions match', async () => {
    const when = { method: 'GET', path: '/api_keys/*', owner: 'usr_admin' }
    const { statuses } = await statusesOf({ when }, [GET, ONE, as(ONE, { token: 'sim_ci' }), POST])
    expect(statuses).toEqual([200, 503, 200, 201])
  })

  it('only after routing and authentication', async () => {
    const { statuses, counts } = await statusesOf({}, [
      ['GET', '/nowhere'],
      ['PUT', '/api_keys'],
      as(GET, { token: 'wrong' }),
      ['POST', '/api_keys', { body: { nope: 1 } }],
    ])
    expect(statuses).toEqual([404, 405, 401, 503])
    expect(counts).toEqual([1, 1])
  })
})

describe('A rule fires', () => {
  it.each([
    [{ when: { calls: 2 } }, [0, 1, 0, 0, 0]],
    [{ when: { calls: '2' } }, [0, 1, 0, 0, 0]],
    [{ when: { calls: '2-3' } }, [0, 1, 1, 0, 0]],
    [{ when: { calls: '4-' } }, [0, 0, 0, 1, 1]],
    [{ when: { calls: '1-1' } }, [1, 0, 0, 0, 0]],
    [{ when: { calls: '2-' }, times: 2 }, [0, 1, 1, 0, 0]],
  ])('for some of its matches: %j', async (rule, expected) => {
    const next = await effectsOf('1', { ...rule, fault: refuse })
    expect(expected.map(() => Number(next().fired[0]))).toEqual(expected)
  })

  it('for calls that it matches, without counting others', async () => {
    const when = { operation: 'list_api_keys', calls: '2' }
    expect(await statusesOf({ when }, [GET, ONE, GET])).toEqual({ statuses: [200, 200, 503], counts: [2, 1] })
  })

  it('between two times of the sandbox clock, the second excluded', async () => {
    const client = await server.under({
      name: 'test',
      clock: { now: '2026-01-01T00:00:00Z', frozen: true },
      rules: [{ when: { between: ['2026-01-01T00:10:00Z', '2026-01-01T01:20:00+01:00'] }, fault: refuse }],
    })
    const status = async (step: string) => {
      await client.advance(step)
      return (await client.send('GET', '/api_keys')).status
    }
    const statuses = [await status('599s'), await status('1s'), await status('599s'), await status('1s')]
    expect(statuses).toEqual([200, 503, 503, 200])
    expect(await client.counts()).toEqual([[4, 2]])
    expect((await client.entry()).explanation!.text).toMatch(/clock is frozen at 2026-01-01T00:20:00Z/)
  })

  it('about as often as "probability" specifies', async () => {
    const next = await effectsOf('3', { probability: 0.25, fault: refuse })
    const fired = Array.from({ length: 1000 }, () => next().fired[0]).filter(Boolean).length
    expect(Math.abs(fired - 250)).toBeLessThan(50)
  })
})

describe('Rules are evaluated in order:', () => {
  it('the first fault wins, and each rule counts the call', async () => {
    const client = await server.underRules(
      { name: 'a', when: { calls: '2-' }, fault: { type: 'error', status: 500 } },
      { name: 'b', when: { method: 'GET' }, fault: { type: 'error', status: 503 } },
      { name: 'c', fault: { type: 'reset' } },
    )
    expect((await client.send('GET', '/api_keys')).status).toBe(503)
    expect((await client.send('GET', '/api_keys')).status).toBe(500)
    expect(await client.counts()).toEqual([
      [2, 1],
      [2, 1],
      [2, 0],
    ])
    expect((await client.entry()).rules).toEqual([
      { name: 'a', fired: true, effect: 'error 500, request not executed' },
      { name: 'b', fired: false, effect: 'none' },
      { name: 'c', fired: false, effect: 'none' },
    ])
  })

  it('a skipped fault does not use up its "times"', async () => {
    const next = await effectsOf('1', { when: { calls: 1 }, fault: refuse }, { times: 1, fault: refuse })
    expect([next().fired, next().fired, next().fired]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  it('latencies add up, even before a fault', async () => {
    const client = await server.underRules(
      { latency: '60ms' },
      { latency: '70ms', fault: { type: 'error', status: 500 } },
      { latency: '80ms', when: { method: 'POST' } },
      { latency: '50ms', fault: { type: 'reset' } },
    )
    const seen = await client.send('GET', '/api_keys')
    expect(seen.status).toBe(500)
    expect(seen.ms).toBeGreaterThan(178)
    const { explanation, rules } = await client.entry()
    expect(rules.map(({ effect }) => effect)).toEqual([
      '60 ms of latency',
      '70 ms of latency, error 500, request not executed',
      '50 ms of latency',
    ])
    expect(explanation!.text).toMatch(/"rule 1" .*60 ms.*"rule 2" .*70 ms.*"rule 4" .*50 ms/)
  })
})
