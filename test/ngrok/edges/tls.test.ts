import { randomBytes } from 'node:crypto'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../../src/simulator/tls/create-certificate.ts'
import { listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echo, withEdges } from './edges.ts'

const EDGE = 'edgtls_a'
const TERMINATION = `/edges/tls/${EDGE}/tls_termination`

const edge = (upstream: number, more: object = { tls_termination: {} }) => ({
  ip_policies: [{ id: 'ipp_two', rules: [{ id: 'ipr_two', action: 'allow', cidr: '127.0.0.2/32' }] }],
  tls_edges: [{ id: EDGE, listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream}`, ...more }],
})

async function tlsEcho() {
  const own = await createCertificate(['127.0.0.1'], 1)
  const port = await listening(createTlsServer({ ...own, allowHalfOpen: true }, socket => socket.pipe(socket)))
  return { port, ca: own.cert }
}

/** A TLS edge that terminates TLS by default, and the certificate that its clients trust. */
async function withTlsEdge(...given: Parameters<typeof withEdges>) {
  const simulator = await withEdges(...given)
  const { listeners, certificate } = await simulator.traffic()
  return { ...simulator, port: listeners[0].port as number, ca: certificate as string }
}

describe('A TLS edge', () => {
  it('terminates TLS with the simulator certificate and forwards plain bytes in both directions', async () => {
    const upstream = await echo()
    const { port, ca, traffic, decisions } = await withTlsEdge(edge(upstream))
    expect(await talk(port, 'hello', { ca })).toEqual({ said: 'hello', error: undefined })
    expect(await decisions()).toMatchObject([
      { edge: EDGE, kind: 'tls', verdict: 'allow', source_ip: '127.0.0.1', upstream: `127.0.0.1:${upstream}` },
    ])
    const [listener] = (await traffic()).listeners
    expect(listener).toMatchObject({ edge: EDGE, kind: 'tls', url: `tls://127.0.0.1:${port}`, allowed: 1, refused: 0 })
  })

  it('forwards 4 MB both ways unchanged', async () => {
    const upstream = await echo()
    const { port, ca } = await withTlsEdge(edge(upstream))
    const sent = randomBytes(4 * 1024 * 1024)
    const { said } = await talk(port, sent, { ca })
    expect(Buffer.from(said, 'latin1').equals(sent)).toBe(true)
  })

  it.each([
    ['has no TLS termination module', {}],
    ['terminates at the upstream', { tls_termination: { terminate_at: 'upstream' } }],
    ['has a disabled module', { tls_termination: { enabled: false, terminate_at: 'edge' } }],
  ])('forwards TLS unchanged if it %s', async (_, modules) => {
    const upstream = await tlsEcho()
    const { port, ca, decisions } = await withTlsEdge(edge(upstream.port, modules))
    expect((await talk(port, 'hello', { ca: upstream.ca })).said).toBe('hello')
    expect((await talk(port, 'hello', { ca })).error).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await decisions()).toHaveLength(2)
  })

  it.each(['edge', 'upstream'])('uses TLS once to a TLS backend, with termination at the %s', async at => {
    const upstream = await tlsEcho()
    const { port, ca } = await withTlsEdge({
      backends: [{ id: 'bkdsc_a', address: `127.0.0.1:${upstream.port}`, tls: { enabled: true } }],
      ...edge(1, { backend: { backend_id: 'bkdsc_a' }, tls_termination: { terminate_at: at } }),
    })
    expect((await talk(port, 'hello', { ca: at === 'edge' ? ca : upstream.ca })).said).toBe('hello')
  })

  it('applies changes to its TLS termination module at the same port', async () => {
    const [plain, tls] = [await echo(), await tlsEcho()]
    const { call, port, ca } = await withTlsEdge(edge(plain, {}))
    const upstream = (to: number) => call('PATCH', `/_sim/db/tls_edges/${EDGE}`, { upstream: `127.0.0.1:${to}` })
    expect((await talk(port, 'plain')).said).toBe('plain')
    await call('PUT', TERMINATION, { terminate_at: 'edge' })
    expect((await talk(port, 'ended', { ca })).said).toBe('ended')
    await call('PUT', TERMINATION, { terminate_at: 'upstream', min_version: null })
    await upstream(tls.port)
    expect((await talk(port, 'passed', { ca: tls.ca })).said).toBe('passed')
    await call('DELETE', TERMINATION)
    expect((await talk(port, 'passed', { ca: tls.ca })).said).toBe('passed')
  })

  it('blocks a source before the handshake', async () => {
    let reached = 0
    const upstream = await echo(() => reached++)
    const { port, ca, decisions } = await withTlsEdge(
      edge(upstream, { tls_termination: {}, ip_restriction: { ip_policy_ids: ['ipp_two'] } }),
    )
    expect((await talk(port, 'x', { ca })).error).toBe('ECONNRESET')
    expect(reached).toBe(0)
    expect((await talk(port, 'x', { ca, from: '127.0.0.2' })).said).toBe('x')
    expect((await decisions()).map(({ verdict, decided_by }) => [verdict, decided_by])).toEqual([
      ['allow', 'ip_restriction'],
      ['refuse', 'ip_restriction'],
    ])
  })

  it.each([
    ['plain text', 'hello, are you there?', /^the TLS handshake failed: wrong version number$/],
    ['a truncated record', '\x16\x03\x01nonsense', /^the TLS handshake failed: (packet|data) length too long$/],
    ['plain HTTP', 'GET / HTTP/1.1\r\n\r\n', /^the TLS handshake failed: http request$/],
  ])('closes the connection of a client that sends %s', async (_, bytes, why) => {
    const upstream = await echo()
    const { port, ca, decisions, traffic } = await withTlsEdge(edge(upstream))
    await talk(port, Buffer.from(bytes, 'latin1'), { end: false })
    expect(await decisions()).toMatchObject([{ verdict: 'allow', upstream: null, failure: expect.stringMatching(why) }])
    expect((await traffic()).listeners[0]).toMatchObject({ failed: 1, open: 0 })
    expect((await talk(port, 'fine', { ca })).said).toBe('fine')
  })

  it('closes a connection if the handshake never ends or the client disconnects during it', async () => {
    const upstream = await echo()
    const { port, decisions, traffic } = await withTlsEdge(
      edge(upstream),
      {},
      { listenerTimeouts: { headers: 0.2, request: 1 } },
    )
    const { closed } = dial(port)
    expect(await closed).toEqual({ said: '', error: undefined })
    expect((await decisions())[0]!.failure).toBe('the TLS handshake failed: TLS handshake timeout')
    dial(port).socket.end('\x16')
    await expect.poll(decisions).toHaveLength(2)
    expect((await decisions())[0]!.explanation.text).toContain('The client disconnected during the TLS handshake.')
    await expect.poll(async () => (await traffic()).listeners[0]).toMatchObject({ open: 0 })
  })

  it('resets connections and truncates upstream data as scenario rules specify', async () => {
    const upstream = await echo()
    const { call, port, ca, decisions } = await withTlsEdge(edge(upstream))
    const { status } = await call('PUT', '/_sim/scenario', {
      rules: [
        { name: 'reset', when: { edge: EDGE, calls: 1 }, fault: { type: 'reset' } },
        // Later, after the client has read the whole handshake. Its system might report an end instead.
        { name: 'later', when: { edge: EDGE, calls: 2 }, latency: '50ms', fault: { type: 'reset' } },
        { name: 'cut', when: { edge: EDGE }, fault: { type: 'truncate', after: 3 } },
      ],
    })
    expect(status).toBe(200)
    expect((await talk(port, 'hello', { ca, end: false })).said).toBe('')
    expect(await talk(port, 'hello', { ca, end: false })).toEqual({ said: '', error: 'ECONNRESET' })
    expect((await talk(port, 'hello', { ca, end: false })).said).toBe('hel')
    expect((await decisions()).map(({ rules }) => rules.filter(({ fired }) => fired).map(({ name }) => name))).toEqual([
      ['cut'],
      ['later'],
      ['reset'],
    ])
  })

  it('survives clients that disconnect at any moment of the handshake', async () => {
    const upstream = await echo()
    const { port, ca, traffic } = await withTlsEdge(edge(upstream))
    const leave = (_: unknown, i: number) => {
      const { socket, closed } = dial(port, i % 2 ? { ca } : {})
      if (i % 2 === 0) socket.write('\x16\x03\x01', () => socket.resetAndDestroy())
      else if (i % 4 === 1) socket.once('connect', () => socket.destroy())
      else socket.once('secureConnect', () => socket.destroy())
      return closed
    }
    await Promise.all(Array.from({ length: 40 }, leave))
    await expect.poll(async () => (await traffic()).listeners[0].open).toBe(0)
    expect((await talk(port, 'fine', { ca })).said).toBe('fine')
  })
})

it.each(['tcp_edges', 'tls_edges'])('A traffic policy in %s is stored, and decisions report it', async table => {
  const id = table === 'tcp_edges' ? 'edgtcp_a' : 'edgtls_a'
  const traffic_policy = { value: '{"on_tcp_connect":[]}' }
  const { check, portOf, decisions } = await withEdges({
    [table]: [{ id, listen: '127.0.0.1:0', upstream: `127.0.0.1:${await echo()}`, traffic_policy }],
  })
  const warning = `The traffic policy module of ${id} is stored but has no effect: connections pass unchanged.`
  expect((await talk(await portOf(id), 'x')).said).toBe('x')
  expect(await decisions()).toMatchObject([{ verdict: 'allow', warnings: [warning] }])
  expect((await check({ edge: id })).warnings).toEqual([warning])
})
