import { describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echo, httpsEdge, httpUpstream, tcpEdge, withEdges } from './edges.ts'

async function edges(rules: object[]) {
  const [bytes, http] = [await echo(), await httpUpstream((_req, res) => res.end('0123456789'))]
  return withEdges({ ...tcpEdge(bytes), ...httpsEdge(http) }, { scenario: { name: 'edges', rules } })
}

describe('Scenario rules', () => {
  it('reset matching edge connections', async () => {
    const { portOf, decisions, call } = await edges([
      { name: 'cut', when: { edge: 'edgtcp_a', calls: 1 }, fault: { type: 'reset' } },
      { name: 'api', when: { method: 'GET' }, latency: '1ms' },
    ])
    const port = await portOf('edgtcp_a')
    expect((await talk(port, 'x')).error).toBe('ECONNRESET')
    expect(await talk(port, 'x')).toEqual({ said: 'x', error: undefined })
    const [second, first] = await decisions()
    expect(first!.rules).toEqual([{ name: 'cut', fired: true, effect: 'connection reset, request not executed' }])
    expect(first!.explanation.text).toContain('The rule "cut" of the scenario "edges"')
    expect(second!.rules).toEqual([{ name: 'cut', fired: false, effect: 'none' }])
    const { body } = await call('GET', '/_sim/scenario')
    expect(body.rules[0]).toMatchObject({ matched: 2, fired: 1 })
    expect(body.rules[1]).toMatchObject({ matched: 0 })
  })

  it('reset matching edge requests, including over HTTPS', async () => {
    const { call, traffic } = await edges([{ when: { edge: 'edghts_a' }, fault: { type: 'reset' } }])
    await call('PATCH', '/edges/https/edghts_a', { hostports: ['127.0.0.1:0', 'http://127.0.0.1:0'] })
    const { listeners, certificate: ca } = await traffic()
    const urls = listeners.flatMap(({ edge, url }: Record<string, string>) => (edge === 'edghts_a' ? url! : []))
    expect(urls).toHaveLength(2)
    for (const url of urls) expect((await ask(url, { ca })).error).toBe('ECONNRESET')
  })

  it('add latency on an edge', async () => {
    const { portOf, decisions } = await edges([{ when: { edge: ['edgtcp_a', 'edghts_a'] }, latency: '30ms' }])
    const began = performance.now()
    expect((await talk(await portOf('edgtcp_a'), 'x')).said).toBe('x')
    expect((await ask(`http://127.0.0.1:${await portOf('edghts_a')}/`)).text).toBe('0123456789')
    expect(performance.now() - began).toBeGreaterThanOrEqual(57)
    for (const { rules } of await decisions())
      expect(rules[0]).toMatchObject({ fired: true, effect: '30 ms of latency' })
  })

  it('hang an edge connection until its client disconnects or the sandbox is reset', async () => {
    const { portOf, call, decisions } = await edges([{ when: { edge: 'edgtcp_a' }, fault: { type: 'hang' } }])
    const port = await portOf('edgtcp_a')
    const { socket: left } = dial(port)
    left.write('x')
    await expect.poll(async () => (await decisions()).length).toBe(1)
    left.destroy()
    const held = talk(port, 'y', { end: false })
    await expect.poll(async () => (await decisions()).length).toBe(2)
    await call('POST', '/_sim/reset')
    expect((await held).said).toBe('')
  })

  it('hang an edge request for a set time', async () => {
    const { portOf } = await edges([{ when: { edge: 'edghts_a' }, fault: { type: 'hang', for: '20ms' } }])
    expect((await ask(`http://127.0.0.1:${await portOf('edghts_a')}/`)).error).toBe('ECONNRESET')
  })

  it('slow down edge data without loss', async () => {
    const { portOf } = await edges([
      { when: { edge: ['edgtcp_a', 'edghts_a'] }, fault: { type: 'slow-body', bytes_per_second: 100 } },
    ])
    let began = performance.now()
    expect((await talk(await portOf('edgtcp_a'), '0123456789')).said).toBe('0123456789')
    expect(performance.now() - began).toBeGreaterThanOrEqual(49)
    began = performance.now()
    expect((await ask(`http://127.0.0.1:${await portOf('edghts_a')}/`)).text).toBe('0123456789')
    expect(performance.now() - began).toBeGreaterThanOrEqual(49)
  })

  it('end a slow edge response when the sandbox is reset', async () => {
    const { portOf, call } = await edges([
      { when: { edge: 'edghts_a' }, fault: { type: 'slow-body', bytes_per_second: 1 } },
    ])
    const { socket, said } = dial(await portOf('edghts_a'))
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
    await expect.poll(() => said()).toMatch(/\r\n\r\n0$/)
    await call('POST', '/_sim/reset')
    await expect.poll(() => socket.closed).toBe(true)
    expect(said()).toMatch(/\r\n\r\n01?$/)
  })

  it('apply on an edge only to a matching source', async () => {
    const { portOf } = await edges([{ when: { edge: 'edgtcp_a', source_ip: '127.0.0.3' }, fault: { type: 'reset' } }])
    const port = await portOf('edgtcp_a')
    expect((await talk(port, 'x')).said).toBe('x')
    expect((await talk(port, 'x', { from: '127.0.0.3' })).error).toBe('ECONNRESET')
  })

  it.each<[rule: { when?: object; [effect: string]: unknown }, says: RegExp]>([
    [{ when: { edge: 'edgtcp_b' }, latency: '1ms' }, /unknown edge edgtcp_b\. Did you mean edgtcp_a\?/],
    [{ when: { method: 'GET' }, latency: '1ms' }, /edge cannot be combined with operation, method, path or owner/],
    [
      { fault: { type: 'error', status: 503 } },
      /error is not supported on an edge\. Supported: reset, hang, truncate, slow-body/,
    ],
    [{ fault: { type: 'stale-reads', delay: '1s' } }, /stale-reads is not supported on an edge/],
    [{ rate_limit: { requests: 1, per: '1s' } }, /a rate limit is not supported on an edge/],
    [{ latency: { min: '1ms', max: '2ms', after: true } }, /after is not supported on an edge/],
  ])('are rejected if they cannot apply to an edge: %j', async ({ when, ...effect }, says) => {
    const { call } = await edges([{ when: { edge: 'edgtcp_a' }, latency: '1ms' }])
    const rules = [{ when: { edge: 'edgtcp_a', ...when }, ...effect }]
    const { status, body } = await call('PUT', '/_sim/scenario', { name: 'wrong', rules })
    expect(status).toBe(400)
    expect(body.msg).toMatch(says)
  })
})
