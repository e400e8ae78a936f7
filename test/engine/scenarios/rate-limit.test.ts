import { describe, expect, it } from 'vitest'
import { ALL } from '../../support/long.ts'
import { bytesOf, dial } from '../../support/raw-http.ts'
import { type Client, startServer } from './client.ts'
import { effectsOf } from './rules-of.ts'

const server = await startServer()
const clock = { now: '2026-01-01T00:00:00Z', frozen: true }
const limited = (more: Record<string, unknown> = {}, top: Record<string, unknown> = { clock }) =>
  server.under({ name: 'test', ...top, rules: [{ name: 'limit', rate_limit: { requests: 3, per: '60s' }, ...more }] })

const standing = ({ headers }: { headers: Record<string, unknown> }) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map(name => Number(headers[name]))

async function use(client: Client, times: number) {
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < times; i++) statuses.push((await client.send('GET', '/api_keys')).status)
  return statuses
}

it('A rate limit rejects excess calls like the vendor, with Retry-After', async () => {
  const client = await limited()
  expect(standing(await client.send('GET', '/api_keys'))).toEqual([3, 2, 60])
  await client.advance('15s')
  expect(standing(await client.send('GET', '/api_keys/ak_nobody'))).toEqual([3, 1, 45])
  expect(standing(await client.send('POST', '/api_keys'))).toEqual([3, 0, 45])
  const seen = await client.send('POST', '/api_keys', { body: { description: 'too much' } })
  expect(seen).toMatchObject({
    status: 429,
    headers: { 'retry-after': '45', 'content-type': 'application/json' },
    body: { error_code: 'ERR_SERVICE_226', status_code: 429, msg: expect.stringMatching(/3 requests in 60s.*45 s/) },
  })
  expect(standing(seen)).toEqual([3, 0, 45])
  expect(await client.keys()).not.toContain('too much')
})

describe('A rate limit window', () => {
  /** What calls at these times in milliseconds get. `reset` is in seconds. */
  async function seenAt(times: number[], limit: object = {}) {
    const next = await effectsOf('1', { rate_limit: { requests: 3, per: '60s', ...limit } })
    const seen = times.map(now => {
      const { fault, headers } = next(now)
      return [fault ? 429 : 200, ...Object.values(headers).map(Number).slice(1)]
    })
    const column = (i: number) => seen.map(each => each[i])
    return { status: column(0), remaining: column(1), reset: column(2) }
  }
  const TIMES = [0, 50, 50, 60, 60, 60, 100, 110].map(seconds => seconds * 1000)

  it.each([{}, { window: 'rolling' }])('rolls by default: any minute is within the limit (%j)', async window => {
    expect(await seenAt(TIMES, window)).toEqual({
      status: [200, 200, 200, 200, 429, 429, 429, 200],
      remaining: [2, 1, 0, 0, 0, 0, 0, 1],
      reset: [60, 10, 10, 50, 50, 50, 10, 10],
    })
  })

  it('can be fixed: the same calls succeed around its end', async () => {
    expect(await seenAt(TIMES, { window: 'fixed' })).toEqual({
      status: [200, 200, 200, 200, 200, 200, 429, 429],
      remaining: [2, 1, 0, 2, 1, 0, 0, 0],
      reset: [60, 10, 10, 60, 60, 60, 20, 10],
    })
  })

  it.each(['rolling', 'fixed'])('(%s) matches Retry-After to the second', async window => {
    const round = [0, 7_300, 7_300, 59_300, 60_300]
    const { status, reset } = await seenAt([...round, ...round.map(ms => ms + 4_000_000)], { requests: 2, window })
    expect(status).toEqual([200, 200, 429, 429, 200, 200, 200, 429, 429, 200])
    expect(reset[2]).toBe(53)
  })

  it('can be shorter than a second, and Retry-After is never zero', async () => {
    const seen = await seenAt([0, 199, 200, 200], { requests: 1, per: '200ms' })
    expect(seen).toMatchObject({ status: [200, 429, 200, 429], reset: [1, 1, 1, 1] })
  })

  it('drops only future requests when the clock is set back', async () => {
    const seen = await seenAt([0, 30, 30, 30, 10, 10, 10, 60, 60].map(seconds => seconds * 1000))
    expect(seen.status).toEqual([200, 200, 200, 429, 200, 200, 429, 200, 429])
    expect([seen.remaining[4], seen.reset[4]]).toEqual([1, 50])
  })

  it.each(['rolling', 'fixed'])('(%s) starts again if the clock is set back before it', async window => {
    expect((await seenAt([5, 5, 5, 5, 0], { window })).status).toEqual([200, 200, 200, 429, 200])
  })

  it('also counts calls that another rule rejects', async () => {
    const client = await server.under({
      clock,
      rules: [
        { when: { method: 'POST' }, fault: { type: 'error', status: 503 } },
        { rate_limit: { requests: 2, per: '60s' } },
      ],
    })
    expect((await client.send('POST', '/api_keys', { body: {} })).status).toBe(503)
    expect(await use(client, 2)).toEqual([200, 429])
  })

  it('drops only future requests when the clock is set back', async () => {
    const client = await limited()
    expect(await use(client, 1)).toEqual([200])
    await client.advance('30s')
    expect(await use(client, 3)).toEqual([200, 200, 429])
    await client.control('PUT', '/clock', { now: '2026-01-01T00:00:10Z', frozen: true })
    expect(standing(await client.send('GET', '/api_keys'))).toEqual([3, 1, 50])
    expect(await use(client, 2)).toEqual([200, 429])
    await client.advance('50s')
    expect(await use(client, 2)).toEqual([200, 429])
  })

  it('has a maximum over all rules if it rolls, and none if it is fixed', async () => {
    const put = (...limits: object[]) =>
      server.control('PUT', '/scenario?dry_run=true', {
        rules: limits.map((rate_limit, i) => ({ when: { method: i ? 'GET' : 'POST' }, rate_limit })),
      })
    expect((await put({ requests: 60_000, per: '1d' }, { requests: 40_000, per: '1d' })).status).toBe(200)
    expect((await put({ requests: 1e15, per: '1d', window: 'fixed' })).status).toBe(200)
    const { status, body } = await put({ requests: 60_000, per: '1d' }, { requests: 40_001, per: '1d' })
    expect(status).toBe(400)
    expect(body.msg).toMatch(/rules\[1\]\.rate_limit\.requests: .* 100000 .* in total, got 100001\. Use window: fixed/)
  })
})

it('A rate limit fires when it rejects a call, and its explanation mentions a frozen clock', async () => {
  const client = await limited()
  await use(client, 5)
  expect(await client.counts()).toEqual([[5, 2]])
  const entry = await client.entry()
  expect(entry).toMatchObject({
    status: 429,
    change: null,
    rules: [{ name: 'limit', fired: true, effect: 'rejected: more than 3 requests in 60s' }],
    explanation: { decided_by: 'rate_limited', section: '8' },
  })
  expect(entry.explanation!.text).toMatch(/"limit" of the scenario "test"/)
  expect(entry.explanation!.text).toMatch(/clock is frozen at 2026-01-01T00:00:00Z/)
})

it('A rate limit does not mention a running clock', async () => {
  const client = await limited({}, {})
  expect(await use(client, 4)).toEqual([200, 200, 200, 429])
  expect((await client.entry()).explanation!.text).not.toMatch(/clock/)
})

it('Rate limits report to a rejected client which limit it exceeded', async () => {
  const client = await server.under({
    clock,
    rules: [{ rate_limit: { requests: 1, per: '60s' } }, { rate_limit: { requests: 100, per: '1h' } }],
  })
  expect((await client.send('GET', '/api_keys')).headers['x-ratelimit-limit']).toBe('100')
  const refused = await client.send('GET', '/api_keys')
  expect(refused).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-reset': '60' } })
})

describe('rate_limit=documented', async () => {
  const documented = await startServer({ assume: { rate_limit: 'documented' } })
  const GET = '/api_keys/ak_ci'
  const fill = async (client: Client, count = 120) => {
    const seen = await Promise.all(Array.from({ length: count }, () => client.send('GET', GET)))
    expect(seen.filter(({ status }) => status !== 200)).toEqual([])
  }
  const refused = { status: 429, body: { error_code: 'ERR_SERVICE_226', status_code: 429 } }
  const freeze = (client: Client) => client.control('PUT', '/clock', { frozen: true })
  async function plain() {
    const { body } = await documented.control('POST', '/sandboxes', {})
    const client = documented.clientOf(body.name, body.token)
    await freeze(client)
    return client
  }

  it('allows 120 requests in a rolling minute per sandbox, and explains why the next is rejected', async () => {
    const [client, other] = [await plain(), await plain()]
    expect(standing(await client.send('GET', GET))).toEqual([120, 119, 60])
    expect(await client.entry()).toMatchObject({ assumptions: [], rules: [] })
    await client.advance('20s')
    await fill(client, 119)
    const seen = await client.send('POST', '/api_keys', { body: { description: 'too much' } })
    expect(seen).toMatchObject({ ...refused, headers: { 'retry-after': '40' } })
    expect(standing(seen)).toEqual([120, 0, 40])
    const { explanation, assumptions, rules, change } = await client.entry()
    expect({ assumptions, rules, change }).toEqual({
      assumptions: [{ name: 'rate_limit', value: 'documented' }],
      rules: [],
      change: null,
    })
    expect(explanation).toMatchObject({ decided_by: 'rate_limited', section: '8' })
    expect(explanation!.text).toMatch(/120 requests in 60s.*40 s.*rate_limit=documented.*--assume rate_limit=none/)
    expect(explanation!.text).not.toMatch(/scenario/)
    await fill(other)
    await client.advance('39s')
    expect(await client.send('GET', GET)).toMatchObject(refused)
    await client.advance('1s')
    await fill(client, 1)
    expect(await client.send('GET', GET)).toMatchObject({ ...refused, headers: { 'retry-after': '20' } })
  })

  it('counts authenticated API calls, not control plane calls or calls without a valid key', async () => {
    const client = await plain()
    for (let i = 0; i < 5; i++) {
      expect((await client.send('GET', GET, { token: `wrong.${client.name}` })).status).toBe(401)
      expect((await client.send('GET', '/nowhere')).status).toBe(404)
      expect((await client.control('GET', '/scenario')).body).toMatchObject({ name: null, rules: [] })
    }
    expect((await client.send('GET', '/api_keys/ak_nobody')).status).toBe(404)
    await fill(client, 119)
    expect((await client.control('GET', '/state')).status).toBe(200)
    expect(await client.send('GET', GET)).toMatchObject(refused)
  })

  it('starts at zero after a reset, a new scenario and its end', async () => {
    const client = await plain()
    await fill(client)
    expect(await client.send('GET', GET)).toMatchObject(refused)
    const steps = [
      ['POST', '/reset'],
      ['PUT', '/scenario', { seed: 7 }],
      ['DELETE', '/scenario'],
    ] as const
    for (const [method, path, body] of steps) {
      await client.control(method, path, body)
      await freeze(client)
      expect(standing(await client.send('GET', GET))).toEqual([120, 119, 60])
    }
  })

  it('does not count a call if its body arrives after a reset', async () => {
    const client = await plain()
    const bytes = bytesOf(documented.port, { method: 'POST', path: '/api_keys', token: client.token, body: {} })
    const { socket, said } = dial(documented.port)
    socket.write(bytes.subarray(0, -1))
    await expect.poll(client.requests).toHaveLength(1)
    await client.control('POST', '/reset')
    socket.write(bytes.subarray(-1))
    await expect.poll(said).toMatch(/^HTTP\/1\.1 503 /)
    expect(standing(await client.send('GET', GET))).toEqual([120, 119, 60])
  })

  it.runIf(ALL)('applies before the scenario rules, which continue to count', async () => {
    const client = await documented.under({
      name: 'both',
      clock,
      rules: [
        { name: 'slow', when: { calls: '121-' }, latency: '1ms' },
        { name: 'tenth', when: { method: 'GET', calls: 10 }, fault: { type: 'error', status: 500 } },
        { name: 'late', when: { calls: '121-' }, fault: { type: 'error', status: 500 } },
      ],
    })
    const seen = await Promise.all(Array.from({ length: 121 }, () => client.send('GET', GET)))
    const statuses = seen.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(119).fill(200), 429, 500])
    expect(await client.counts()).toEqual([
      [121, 1],
      [121, 1],
      [121, 0],
    ])
    const entry = (await client.journal()).find(({ status }) => status === 429)!
    expect(entry.rules).toMatchObject([{ name: 'slow', fired: true }, { fired: false }, { name: 'late', fired: false }])
    expect(entry.explanation!.text).toMatch(/"slow" of the scenario "both".*rate_limit=documented/)
  })

  it.runIf(ALL)('can be assumed by a scenario until the scenario ends', async () => {
    const client = await server.under({ clock, assume: { rate_limit: 'documented' } })
    await fill(client)
    expect(await client.send('GET', GET)).toMatchObject(refused)
    await client.control('DELETE', '/scenario')
    const seen = await client.send('GET', GET)
    expect(seen.status).toBe(200)
    expect(seen.headers).not.toHaveProperty('x-ratelimit-limit')
    expect((await client.entry()).assumptions).toEqual([])
  })
})
