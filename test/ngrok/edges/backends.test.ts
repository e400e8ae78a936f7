import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ask, listening } from '../../support/http.ts'
import { ALL } from '../../support/long.ts'
import { Connection, talk } from '../../support/raw-http.ts'
import { echo, freePort, httpUpstream, withEdges } from './edges.ts'

const HTTPS = 'edghts_a'
const TCP = 'edgtcp_a'

/** An HTTPS and a TCP edge with this backend, and the views of their clients. */
async function withBackend(backend_id: string, state: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const backend = { backend_id }
  const routes = [{ id: 'edghtsrt_a', match: '/', backend }]
  const edges = {
    https_edges: [{ id: HTTPS, listen: 'http://127.0.0.1:0', routes }],
    tcp_edges: [{ id: TCP, listen: '127.0.0.1:0', backend }],
  }
  const simulator = await withEdges({ ...edges, ...state }, options)
  const url = `http://127.0.0.1:${await simulator.portOf(HTTPS)}/x`
  const check = (edge = HTTPS) => simulator.check({ edge })
  return { ...simulator, url, check, decision: simulator.latest }
}

const named = (name: string) => httpUpstream((_req, res) => res.end(name))
const at = (id: string, port: number) => ({ id, address: `127.0.0.1:${port}` })

describe('An HTTP response backend', () => {
  const response = {
    id: 'bkdhr_a',
    status_code: 503,
    headers: { 'Content-Type': 'text/plain', 'Retry-After': '60' },
    body: 'Später',
  }
  const state = { http_response_backends: [response] }

  it('responds itself, and the connection remains open', async () => {
    const { portOf, url, decision } = await withBackend('bkdhr_a', state, { clock: '2026-01-01T00:00:00Z' })
    const connection = new Connection(await portOf(HTTPS))
    const body = 'x'.repeat(500_000)
    const replies = await connection.send([{ path: '/' }, { method: 'POST', path: '/', body }, { path: '/' }])
    for (const { status, text, headers } of replies) {
      expect({ status, text }).toEqual({ status: 503, text: 'Später' })
      const expected = ['text/plain', '7', 'Thu, 01 Jan 2026 00:00:00 GMT']
      expect(['content-type', 'content-length', 'date'].map(name => headers.get(name))).toEqual(expected)
    }
    connection.close()
    expect(await ask(url, { method: 'HEAD' })).toMatchObject({
      status: 503,
      text: '',
      headers: { 'content-length': '7', 'retry-after': '60' },
    })
    const decided = await decision()
    expect(decided).toMatchObject({ upstream: null, failure: null, status: 503, headers: null })
    expect(decided.explanation.text).toContain('The HTTP response backend bkdhr_a sent the response.')
  })

  it.each([204, 205, 304])('sends no body with status %i', async status_code => {
    const { url } = await withBackend('bkdhr_a', { http_response_backends: [{ ...response, status_code }] })
    const { status, text, headers } = await ask(url)
    expect({ status, text }).toEqual({ status: status_code, text: '' })
    expect(headers).not.toHaveProperty('content-length')
  })

  it('can be truncated by a rule', async () => {
    const rules = [{ when: { edge: HTTPS }, fault: { type: 'truncate', after: 3 } }]
    const { url } = await withBackend('bkdhr_a', state, { scenario: { name: 's', rules } })
    expect(await ask(url)).toMatchObject({ status: 503, text: 'Sp\ufffd', error: 'ECONNRESET' })
  })

  it('serves no TCP connections', async () => {
    const { portOf, decision, check } = await withBackend('bkdhr_a', state)
    expect((await talk(await portOf(TCP), 'hello')).said).toBe('')
    const failure = 'the HTTP response backend bkdhr_a supports only HTTP requests'
    expect(await decision()).toMatchObject({ kind: 'tcp', upstream: null, failure })
    expect((await check(TCP)).explanation.text).toContain(`Forwarding would fail: ${failure}.`)
    expect((await check()).explanation.text).toContain('bkdhr_a would send the response, with status 503.')
  })
})

describe('A weighted backend', () => {
  const weighted = (backends: Record<string, number>, ports: number[] = []) => ({
    backends: ports.map((port, i) => at(`bkdsc_${i}`, port)),
    weighted_backends: [{ id: 'bkdwd_a', backends }],
  })

  it.runIf(ALL)('picks by weight, and with a seed the same again after a reset', async () => {
    const state = weighted({ bkdsc_0: 3, bkdsc_1: 1, bkdsc_2: 0 }, [
      await named('a'),
      await named('b'),
      await freePort(),
    ])
    const { call, url, decision, portOf } = await withBackend('bkdwd_a', state, { seed: 'tuesday' })
    const texts = async (to = url) => {
      const found: string[] = []
      for (let i = 0; i < 40; i++) found.push((await ask(to)).text)
      return found.join('')
    }
    const first = await texts()
    expect(first).toMatch(/^[ab]{40}$/)
    const share = first.replaceAll('b', '').length
    expect(share).toBeGreaterThan(20)
    expect(share).toBeLessThan(40)
    const { upstream, explanation } = await decision()
    const drawn = first.endsWith('a') ? 0 : 1
    expect(upstream).toBe(state.backends[drawn]!.address)
    expect(explanation.text).toContain(
      `The weighted backend bkdwd_a picked bkdsc_${drawn}. The route edghtsrt_a forwarded it to ${upstream}.`,
    )
    await call('PUT', '/_sim/sandboxes/other')
    const other = `http://127.0.0.1:${await portOf(HTTPS, '/_sim/sandboxes/other')}/`
    const inOther = await texts(other)
    await call('POST', '/_sim/reset')
    expect(await texts()).toBe(first)
    expect(inOther).not.toBe(first)
  })

  it('reports its next pick without picking', async () => {
    const ports = [await named('a'), await named('b')]
    const { url, check } = await withBackend('bkdwd_a', weighted({ bkdsc_0: 1, bkdsc_1: 1 }, ports), { seed: '7' })
    for (let i = 0; i < 10; i++) {
      const [foreseen, again] = [await check(), await check()]
      expect(again).toEqual(foreseen)
      const drawn = (await ask(url)).text === 'a' ? 0 : 1
      expect(foreseen.upstream).toBe(`127.0.0.1:${ports[drawn]}`)
      expect(foreseen.explanation.text).toContain(
        `would pick bkdsc_${drawn} next, out of bkdsc_0 (1 of 2), bkdsc_1 (1 of 2).`,
      )
    }
  })

  it('reports only its choices if there is no seed', async () => {
    const { check } = await withBackend('bkdwd_a', weighted({ bkdsc_0: 9, bkdsc_1: 1 }, [1, 2]))
    const { upstream, explanation } = await check()
    expect(upstream).toBeNull()
    expect(explanation.text).toMatch(
      /would pick one of bkdsc_0 \(9 of 10\), bkdsc_1 \(1 of 10\) at random \(no seed is set\)/,
    )
  })

  it('picks for each connection to a TCP edge', async () => {
    const ports = [await echo(), await echo()]
    const state = weighted({ bkdsc_0: 1, bkdsc_1: 1 }, ports)
    const { portOf, decisions } = await withBackend('bkdwd_a', state, { seed: '7' })
    const port = await portOf(TCP)
    for (let i = 0; i < 10; i++) expect((await talk(port, 'hello')).said).toBe('hello')
    expect(new Set((await decisions()).map(({ upstream }) => upstream)).size).toBe(2)
    expect((await decisions())[0]!.explanation.text).toMatch(/The weighted backend bkdwd_a picked bkdsc_[01]\. It was/)
  })

  it.each([
    ['no backends', {}],
    ['weights of 0 only', { bkdsc_0: 0 }],
  ])('serves nothing with %s', async (_, backends) => {
    const { url, decision, check } = await withBackend('bkdwd_a', weighted(backends, [await named('a')]))
    const why = 'the weighted backend bkdwd_a has no backend with a weight above 0'
    expect((await ask(url)).body).toMatchObject({ status_code: 502, msg: expect.stringContaining(why) })
    expect(await decision()).toMatchObject({ failure: why, status: 502, upstream: null })
    expect((await check()).explanation.text).toContain(why)
  })

  it('does not try another backend if its pick is unreachable', async () => {
    const state = weighted({ bkdsc_0: 1, bkdsc_1: 0 }, [await freePort(), await named('b')])
    const { url } = await withBackend('bkdwd_a', state)
    expect((await ask(url)).status).toBe(502)
  })
})

describe('A failover backend', () => {
  const failover = (backends: string[], more: Record<string, unknown>) => ({
    failover_backends: [{ id: 'bkdfo_a', backends }],
    ...more,
  })

  it('forwards to the first reachable backend, with the whole body', async () => {
    const dead = await freePort()
    const live = await httpUpstream((req, res) => {
      let bytes = 0
      req.on('data', chunk => (bytes += chunk.length)).on('end', () => res.end(String(bytes)))
    })
    const state = failover(['bkdsc_far', 'bkdsc_dead', 'bkdsc_live'], {
      backends: [{ id: 'bkdsc_far', address: '192.0.2.1:80' }, at('bkdsc_dead', dead), at('bkdsc_live', live)],
    })
    const { url, decision, portOf, traffic } = await withBackend('bkdfo_a', state)
    const body = Buffer.alloc(3_000_000, 'x')
    expect(await ask(url, { method: 'POST', body })).toMatchObject({ status: 200, text: '3000000' })
    const { upstream, failure, explanation } = await decision()
    expect({ upstream, failure }).toEqual({ upstream: `127.0.0.1:${live}`, failure: null })
    expect(explanation.text).toMatch(
      /bkdfo_a tried bkdsc_far\. It failed: 192\.0\.2\.1 is not on this machine.* tried bkdsc_dead\. It failed: connect ECONNREFUSED .* tried bkdsc_live\. The route edghtsrt_a forwarded it/,
    )
    const connection = new Connection(await portOf(HTTPS))
    const replies = await connection.send([1, 2, 3].map(() => ({ method: 'POST', path: '/', body: 'four' })))
    expect(replies.map(({ text }) => text)).toEqual(['4', '4', '4'])
    connection.close()
    expect((await traffic()).listeners.map(({ failed }: { failed: number }) => failed)).toEqual([0, 0])
  })

  it('does not switch after a connection, even if the upstream fails', async () => {
    const port = await listening(createServer(socket => void socket.once('data', () => socket.destroy())))
    const state = failover(['bkdsc_a', 'bkdsc_b'], { backends: [at('bkdsc_a', port), at('bkdsc_b', await named('b'))] })
    const { url } = await withBackend('bkdfo_a', state)
    expect((await ask(url)).status).toBe(502)
    expect((await ask(url, { method: 'POST', body: 'x' })).status).toBe(502)
  })

  it('responds with its last backend if no upstream is reachable', async () => {
    const dead = at('bkdsc_dead', await freePort())
    const state = failover(['bkdtg_a', 'bkdwd_a', 'bkdhr_a'], {
      backends: [dead],
      tunnel_group_backends: [{ id: 'bkdtg_a', labels: { app: 'none' } }],
      weighted_backends: [{ id: 'bkdwd_a', backends: { bkdsc_dead: 1 } }],
      http_response_backends: [{ id: 'bkdhr_a', body: 'Sorry' }],
    })
    const { url, decision, check } = await withBackend('bkdfo_a', state)
    expect(await ask(url)).toMatchObject({ status: 200, text: 'Sorry' })
    const { upstream, explanation } = await decision()
    expect(upstream).toBeNull()
    expect(explanation.text).toMatch(
      /tried bkdtg_a\. .*6515.* tried bkdwd_a\. .*picked bkdsc_dead\. .*bkdhr_a sent the response\./,
    )
    expect(await check()).toMatchObject({
      // Reachability is not checked.
      upstream: dead.address,
      explanation: { text: expect.stringContaining('would try bkdtg_a, then bkdwd_a, then bkdhr_a') },
    })
  })

  it('forwards connections to the first that accepts them, and skips an HTTP response backend', async () => {
    const live = await echo()
    const dead = await Promise.all(Array.from({ length: 15 }, freePort))
    const backends = [...dead.map((port, i) => at(`bkdsc_dead${i}`, port)), at('bkdsc_live', live)]
    const state = failover(['bkdhr_a', ...backends.map(({ id }) => id)], {
      backends,
      http_response_backends: [{ id: 'bkdhr_a' }],
    })
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const { portOf, decision } = await withBackend('bkdfo_a', state)
    expect((await talk(await portOf(TCP), 'hello')).said).toBe('hello')
    process.off('warning', onWarning)
    expect(await decision()).toMatchObject({ upstream: `127.0.0.1:${live}`, failure: null })
    expect(warnings).toEqual([])
  })

  it('reports why the last backend failed, or that it has none', async () => {
    const dead = await freePort()
    const state = failover(['bkdsc_a', 'bkdtg_a'], {
      backends: [at('bkdsc_a', dead)],
      tunnel_group_backends: [{ id: 'bkdtg_a', labels: { app: 'none' } }],
    })
    const { call, url, portOf, decision } = await withBackend('bkdfo_a', state)
    expect((await ask(url)).body).toMatchObject({ error_code: 'ERR_SERVICE_6515', status_code: 502 })
    await call('PATCH', '/backends/failover/bkdfo_a', { backends: [] })
    expect((await ask(url)).body.msg).toContain('the failover backend bkdfo_a has no backends')
    expect((await talk(await portOf(TCP), 'hello')).said).toBe('')
    expect((await decision()).failure).toBe('the failover backend bkdfo_a has no backends')
  })

  it('never contains itself, even where lists can name missing backends', async () => {
    const { url } = await withBackend('bkdfo_a', failover(['bkdfo_a'], {}), { assume: { unknown_reference: 'accept' } })
    expect((await ask(url)).body).toMatchObject({
      status_code: 502,
      msg: expect.stringContaining('the backend bkdfo_a does not exist'),
    })
  })

  it('stops when the client disconnects', async () => {
    const silent = createServer({ pauseOnConnect: true })
    const port = await listening(silent)
    let reached = false
    const other = await httpUpstream(() => {
      reached = true
    })
    const backends = [{ ...at('bkdsc_a', port), tls: { enabled: true } }, at('bkdsc_b', other)]
    const { portOf, traffic } = await withBackend('bkdfo_a', failover(['bkdsc_a', 'bkdsc_b'], { backends }))
    const client = connect(await portOf(HTTPS), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const [accepted] = await once(silent, 'connection')
    client.destroy()
    await once(accepted.resume(), 'close')
    await expect.poll(async () => (await traffic()).decisions.length).toBe(1)
    expect((await traffic()).decisions[0].explanation.text).toContain('The client disconnected')
    expect(reached).toBe(false)
  })
})

describe('A tunnel group backend', () => {
  const labels = { app: 'web', stage: 'test' }
  const tunnel = (id: string, forwards_to: string, labels: object) => ({
    id,
    tunnel_session_id: 'ts_a',
    forwards_to,
    labels,
  })
  const group = (tunnels: object[]) => ({
    tunnel_sessions: [{ id: 'ts_a' }],
    tunnels,
    tunnel_group_backends: [{ id: 'bkdtg_a', labels }],
  })

  it('forwards to the tunnels with all its labels, each picked equally often', async () => {
    const [a, b, c] = [await named('a'), await named('b'), await named('c')]
    const tunnels = [
      tunnel('tn_a', `http://localhost:${a}`, { ...labels, more: 'x' }),
      tunnel('tn_b', `127.0.0.1:${b}`, labels),
      tunnel('tn_c', `127.0.0.1:${c}`, { app: 'web' }),
    ]
    const { url, decision, check } = await withBackend('bkdtg_a', group(tunnels), { seed: 'x' })
    const { upstream: foreseen } = await check()
    const texts: string[] = [(await ask(url)).text]
    const { upstream, explanation } = await decision()
    expect(upstream).toBe(foreseen)
    expect(explanation.text).toMatch(/The tunnel group backend bkdtg_a picked tn_[ab]\./)
    for (let i = 0; i < 30; i++) texts.push((await ask(url)).text)
    expect([...new Set(texts)].toSorted()).toEqual(['a', 'b'])
    expect(texts.filter(text => text === 'a').length).toBeGreaterThan(5)
  })

  it('returns 502 with error 6515 without tunnels, and serves when one exists', async () => {
    const { call, url, decision, check, portOf } = await withBackend('bkdtg_a', group([]))
    const why = 'no tunnel has all labels of the tunnel group backend bkdtg_a (error 6515)'
    const { body } = await ask(url)
    expect(body).toMatchObject({ error_code: 'ERR_SERVICE_6515', status_code: 502 })
    expect(body.msg).toContain(why)
    expect(await decision()).toMatchObject({ failure: why, status: 502, upstream: null })
    expect((await check()).explanation.text).toContain(`Forwarding would fail: ${why}.`)
    expect((await talk(await portOf(TCP), 'hello')).said).toBe('')
    expect(await decision()).toMatchObject({ kind: 'tcp', failure: why })
    const added = tunnel('tn_new', `http://127.0.0.1:${await named('new')}`, labels)
    expect((await call('POST', '/_sim/db/tunnels', added)).status).toBe(201)
    expect((await ask(url)).text).toBe('new')
  })

  it.each([
    ['', /"", which is not a URL/],
    ['nonsense', /"nonsense", which is not a URL/],
    ['ftp://127.0.0.1:21', /which is not a URL/],
    ['tcp://127.0.0.1', /which is not a URL/],
    ['http://192.0.2.1:80', /192\.0\.2\.1 is not on this machine/],
  ])('does not forward to %j', async (forwards_to, says) => {
    const { url } = await withBackend('bkdtg_a', group([tunnel('tn_a', forwards_to, labels)]))
    const { status, body } = await ask(url)
    expect(status).toBe(502)
    expect(body.msg).toMatch(says)
  })
})
