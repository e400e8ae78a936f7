import { statSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/engine/files/package.ts'
import { faultKinds } from '../../src/engine/scenarios/faults/index.ts'
import { startServer } from '../engine/scenarios/client.ts'
import { echo, withEdges } from '../ngrok/edges/edges.ts'
import { folderWith } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { talk } from '../support/raw-http.ts'
import { family, firedOf, parseMetrics, requestsOf, scrape } from './scrape.ts'

const FIRED = 'edgesim_rules_fired_total'
const DURATION = 'edgesim_request_duration_seconds'

describe('GET /_sim/metrics', () => {
  it("returns Prometheus's text format, without caching", async () => {
    const { url, call } = await simulate({ vendor: 'acme' })
    await call('GET', '/api_keys')
    const response = await fetch(`${url}/_sim/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const text = await response.text()
    const series = parseMetrics(text)
    expect(series.get(`edgesim_info{version="${version}",vendor="acme"}`)).toBe(1)
    expect(series.get('edgesim_uptime_seconds')).toBeGreaterThan(0)
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(series.has(name), name).toBe(true)
    for (const line of ['nonsense', '# SAY a b', 'a{b=c} 1', 'a 1 2', 'a Nan', 'edgesim_sandboxes 1'])
      expect(() => parseMetrics(`${text}${line}\n`), line).toThrow(line)
  })

  it('reports no false event loop delay before the first measurement', async () => {
    const { url } = await simulate()
    // Some scrapes come before a measurement.
    for (const series of await Promise.all(Array.from({ length: 8 }, () => scrape(url))))
      for (const [name, value] of series)
        if (name.startsWith('nodejs_eventloop_lag')) expect(value, name).toBeLessThan(600)
  })

  it('returns the same headers for HEAD, without a body', async () => {
    const { url } = await simulate()
    const response = await fetch(`${url}/_sim/metrics`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000)
    expect(await response.text()).toBe('')
  })
})

describe('Requests are counted', () => {
  it('by operation and status, since startup', async () => {
    const { url, call, as } = await simulate()
    await call('GET', '/_sim/info')
    await call('GET', '/api_keys')
    expect(requestsOf(await scrape(url))).toEqual({ 'list_api_keys 200': 1 })
    for (let i = 0; i < 2; i++) await call('GET', '/api_keys')
    for (let i = 0; i < 2; i++) await call('POST', '/api_keys', { description: 'counted' })
    await call('GET', '/api_keys/ak_nobody')
    await as('sim_wrong')('GET', '/api_keys')
    await as('sim_admin~elsewhere')('GET', '/api_keys')
    await call('GET', '/_sim/info')
    const counted = { 'list_api_keys 200': 4, 'list_api_keys 401': 1, 'create_api_key 201': 2, 'get_api_key 404': 1 }
    expect(requestsOf(await scrape(url))).toEqual(counted)
    await call('PUT', '/nowhere')
    expect(requestsOf(await scrape(url))).toEqual({ ...counted, 'none 404': 1 })
  })

  it('with the status "none" if there was no response', async () => {
    const server = await startServer()
    const client = await server.underRules({ when: { calls: 1 }, fault: { type: 'reset' } })
    expect((await client.send('GET', '/api_keys')).error).toBe('ECONNRESET')
    await client.send('GET', '/api_keys')
    await client.journal()
    expect(requestsOf(await scrape(server.url))).toEqual({ 'list_api_keys none': 1, 'list_api_keys 200': 1 })
  })

  it('even if their sandbox is dropped', async () => {
    const server = await startServer()
    const client = await server.underRules({ fault: { type: 'hang' } })
    const held = client.send('GET', '/api_keys')
    await client.underWay(1)
    await server.control('DELETE', `/sandboxes/${client.name}`)
    expect((await held).status).toBe(503)
    expect(requestsOf(await scrape(server.url))).toEqual({ 'list_api_keys 503': 1 })
    expect(firedOf(await scrape(server.url))).toEqual({ hang: 1 })
  })

  it('separately by each simulator', async () => {
    const [one, other] = [await simulate(), await simulate()]
    await one.call('GET', '/api_keys')
    expect(requestsOf(await scrape(one.url))).toEqual({ 'list_api_keys 200': 1 })
    expect(requestsOf(await scrape(other.url))).toEqual({})
    expect((await scrape(other.url)).get('edgesim_journal_entries')).toBe(0)
  })

  it('in a histogram of their durations', async () => {
    const server = await startServer()
    const client = await server.underRules({ when: { operation: 'list_api_keys', calls: 1 }, latency: '30ms' })
    for (let i = 0; i < 5; i++) await client.send('GET', '/api_keys')
    for (let i = 0; i < 2; i++) await client.send('GET', '/api_keys/ak_admin')
    const series = await scrape(server.url)
    expect(family(series, `${DURATION}_count`)).toEqual({
      '{operation="list_api_keys"}': 5,
      '{operation="get_api_key"}': 2,
    })
    const took = (await client.journal()).filter(({ operation }) => operation === 'list_api_keys')
    const seconds = took.map(({ duration_ms }) => duration_ms! / 1000)
    const total = seconds.reduce((sum, each) => sum + each, 0)
    expect(series.get(`${DURATION}_sum{operation="list_api_keys"}`)).toBeCloseTo(total, 6)
    const buckets = Object.entries(family(series, `${DURATION}_bucket`)).filter(([labels]) => labels.includes('list'))
    expect(buckets).toHaveLength(15)
    for (const [labels, count] of buckets) {
      const bound = Number(/le="(.+?)"/.exec(labels)![1]!.replace('+Inf', 'Infinity'))
      expect(count, labels).toBe(seconds.filter(each => each <= bound).length)
    }
    expect(series.get(`${DURATION}_bucket{le="0.025",operation="list_api_keys"}`)).toBeLessThan(5)
  })
})

describe('Rules that fire are counted', () => {
  const NEEDED: Record<string, object> = {
    error: { status: 503 },
    hang: { for: '1ms' },
    'slow-body': { bytes_per_second: 100_000 },
    'stale-reads': { delay: '1s' },
  }

  it('by effect, for every kind', async () => {
    const server = await startServer()
    const kinds = faultKinds.map(({ type }) => type)
    const before = family(await scrape(server.url), FIRED)
    expect(before).toEqual(
      Object.fromEntries(['latency', 'rate_limit', ...kinds].map(kind => [`{fault="${kind}"}`, 0])),
    )
    const client = await server.underRules(
      ...kinds.map((type, i) => ({
        when: { operation: 'list_api_keys', calls: i + 1 },
        fault: { type, ...NEEDED[type] },
      })),
      { when: { operation: 'get_api_key' }, rate_limit: { requests: 1, per: '1h' } },
      { when: { operation: 'get_api_key', calls: 1 }, latency: '1ms' },
    )
    for (const _ of kinds) await client.send('GET', '/api_keys')
    for (let i = 0; i < 2; i++) await client.send('GET', '/api_keys/ak_admin')
    await client.journal()
    const each = [...kinds, 'rate_limit', 'latency'].map(kind => [kind, 1])
    expect(firedOf(await scrape(server.url))).toEqual(Object.fromEntries(each))
  })

  it('once per call, by fault, or by latency if another fault came first', async () => {
    const server = await startServer()
    const client = await server.underRules(
      { name: 'both', when: { calls: 1 }, latency: '1ms', fault: { type: 'error', status: 500 } },
      { name: 'late', when: { calls: 1 }, latency: '1ms', fault: { type: 'reset' } },
      { name: 'later', fault: { type: 'hang' } },
    )
    expect((await client.send('GET', '/api_keys')).status).toBe(500)
    expect(firedOf(await scrape(server.url))).toEqual({ error: 1, latency: 1 })
    expect((await client.entry()).rules).toEqual([
      { name: 'both', fired: true, effect: '1 ms of latency, error 500, request not executed' },
      { name: 'late', fired: true, effect: '1 ms of latency' },
      { name: 'later', fired: false, effect: 'none' },
    ])
  })

  it('on edges', async () => {
    const { url, portOf, decisions } = await withEdges(
      { tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', upstream: `127.0.0.1:${await echo()}` }] },
      { scenario: { rules: [{ when: { edge: 'edgtcp_a', calls: 1 }, fault: { type: 'reset' } }] } },
    )
    for (let i = 0; i < 2; i++) await talk(await portOf('edgtcp_a'), 'x')
    await expect.poll(async () => (await decisions()).length).toBe(2)
    expect(firedOf(await scrape(url))).toEqual({ reset: 1 })
    expect(requestsOf(await scrape(url))).toEqual({})
  })
})

describe('Gauges', () => {
  it('follow the number of sandboxes and the size of journals', async () => {
    const { url, call, as } = await simulate()
    const now = async () => {
      const series = await scrape(url)
      return ['sandboxes', 'journal_entries', 'journal_bytes'].map(name => series.get(`edgesim_${name}`)!)
    }
    expect(await now()).toEqual([1, 0, 0])
    await call('GET', '/api_keys')
    await as('sim_admin~other')('GET', '/api_keys')
    const [sandboxes, entries, bytes] = await now()
    expect([sandboxes, entries]).toEqual([2, 2])
    expect(bytes).toBeGreaterThan(2000)
    await call('DELETE', '/_sim/sandboxes/other')
    expect(await now()).toEqual([1, 1, expect.closeTo(bytes! / 2, -2)])
    await call('DELETE', '/_sim/requests')
    expect(await now()).toEqual([1, 0, 0])
  })

  it('include the length of the log next to the database file', async () => {
    const db = join(folderWith(), 'db.json')
    const { url, call } = await simulate({ db })
    const length = async () => (await scrape(url)).get('edgesim_log_bytes')
    expect(await length()).toBe(0)
    await call('POST', '/api_keys', { description: 'written down' })
    expect(await length()).toBeGreaterThan(100)
    expect(await length()).toBe(statSync(`${db}.log`).size)
  })
})

describe('The number of series is limited:', () => {
  it('unknown paths and methods are one series', async () => {
    const { url, call } = await simulate()
    const before = await scrape(url)
    for (let i = 0; i < 20; i++) await call(i % 2 ? 'GET' : 'PATCH', `/unknown-${i % 5}/path-${i}?a=${i}`)
    const after = await scrape(url)
    expect(requestsOf(after)).toEqual({ 'none 404': 20 })
    const own = (series: typeof after) => [...series.keys()].filter(name => name.startsWith('edgesim_')).length
    // A counter, 15 buckets, sum and count.
    expect(own(after) - own(before)).toBe(18)
  })

  it('statuses without a name are one series', async () => {
    const server = await startServer()
    const statuses = Array.from({ length: ALL ? 200 : 30 }, (_, i) => 400 + i)
    const client = await server.underRules(
      ...statuses.map((status, i) => ({ when: { calls: i + 1 }, fault: { type: 'error', status } })),
    )
    for (const status of statuses) expect((await client.send('GET', '/api_keys')).status).toBe(status)
    const named = statuses.filter(status => status in STATUS_CODES)
    expect(named.length).toBeGreaterThan(20)
    expect(requestsOf(await scrape(server.url))).toEqual({
      ...Object.fromEntries(named.map(status => [`list_api_keys ${status}`, 1])),
      'list_api_keys other': statuses.length - named.length,
    })
  })

  it('no series contains the name of a sandbox, rule, scenario or caller', async () => {
    const server = await startServer()
    const scenario = { name: 'named-scenario', rules: [{ name: 'named-rule', latency: '1ms' }] }
    const client = await server.under(scenario, { name: 'named-sandbox' })
    await client.send('GET', '/api_keys/named-id')
    const text = await (await fetch(`${server.url}/_sim/metrics`)).text()
    expect(text).toContain('get_api_key')
    expect(text).not.toMatch(/named|usr_|ak_|sim_admin/)
  })
})
