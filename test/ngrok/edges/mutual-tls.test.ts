import { Agent } from 'node:https'
import { describe, expect, it } from 'vitest'
import { type AskOptions, ask } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { authority } from './authority.ts'
import { echo, headerEcho, withEdges } from './edges.ts'

const HTTPS = 'edghts_a'
const TLS = 'edgtls_a'
const MODULE = { mutual_tls: { certificate_authority_ids: ['ca_a'] } }

const [a, b, late] = await Promise.all([authority('A'), authority('B'), authority('Late', { expired: true })])

/** An HTTPS edge and a TLS edge with the same modules. */
async function edges(modules: object, listen = '127.0.0.1:0', inner: Parameters<typeof withEdges>[2] = {}) {
  const [http, tcp] = [await headerEcho(), await echo()]
  const simulator = await withEdges(
    {
      certificate_authorities: [
        { id: 'ca_a', ca_pem: a.pem },
        { id: 'ca_b', ca_pem: b.pem },
        { id: 'ca_late', ca_pem: late.pem },
      ],
      https_edges: [
        { id: HTTPS, listen, ...modules, routes: [{ id: 'edghtsrt_a', upstream: `http://127.0.0.1:${http}` }] },
      ],
      tls_edges: [
        {
          id: TLS,
          listen: '127.0.0.1:0',
          upstream: `127.0.0.1:${tcp}`,
          tls_termination: { terminate_at: 'edge' },
          ...modules,
        },
      ],
    },
    {},
    inner,
  )
  const ca = (await simulator.traffic()).certificate as string
  const [https, tls] = [await simulator.portOf(HTTPS), await simulator.portOf(TLS)]
  const visit = {
    [HTTPS]: async (client: AskOptions = {}) => {
      const { status, error } = await ask(`https://127.0.0.1:${https}/`, { ca, ...client })
      return error ?? (status === 200 ? undefined : String(status))
    },
    [TLS]: async (client: AskOptions = {}) => {
      const { said, error } = await talk(tls, 'hello', { ca, ...client })
      return said === 'hello' ? error : (error ?? 'closed')
    },
  }
  const countersOf = async (edge: string) =>
    (await simulator.traffic()).listeners.find((each: { edge: string }) => each.edge === edge)
  return { ...simulator, ca, ports: { [HTTPS]: https, [TLS]: tls }, visit, countersOf }
}

describe.each([HTTPS, TLS] as const)('The mutual TLS module of %s', id => {
  const kind = id === TLS ? 'tls' : 'https'
  const path = `/edges/${kind}/${id}`

  it('allows a client with a certificate signed by one of its authorities', async () => {
    const { visit, latest, countersOf } = await edges({ mutual_tls: { certificate_authority_ids: ['ca_b', 'ca_a'] } })
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
      for (const { client } of [a, b]) expect(await visit[id]({ ...client, maxVersion })).toBeUndefined()
    const text = expect.stringContaining(`The mutual TLS module of ${id} accepts the certificate of "client of B". `)
    const allowed = { kind, verdict: 'allow', decided_by: 'mutual_tls', explanation: { text } }
    expect(await latest()).toMatchObject(allowed)
    expect(await countersOf(id)).toMatchObject({ allowed: 4, refused: 0 })
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('blocks a client without a certificate, over %s', async maxVersion => {
    const { visit, decisions, countersOf } = await edges(MODULE)
    expect(await visit[id]({ maxVersion })).toMatch(/^(EPROTO|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ECONNRESET)$/)
    expect(await decisions()).toMatchObject([
      {
        edge: id,
        kind,
        verdict: 'refuse',
        decided_by: 'mutual_tls',
        source_ip: '127.0.0.1',
        method: null,
        path: null,
        upstream: null,
        explanation: {
          section: '10.9',
          text: `The mutual TLS module of ${id} blocks 127.0.0.1: the client sent no certificate. It needs one signed by ca_a.`,
        },
      },
    ])
    await expect.poll(() => countersOf(id)).toMatchObject({ connections: 1, open: 0, allowed: 0, refused: 1 })
  })

  it.each([
    ['from another authority', b.client, 'ca_a', 'is not signed by ca_a (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['that has expired', late.client, 'ca_late', 'has expired (CERT_HAS_EXPIRED)'],
  ])('rejects a certificate %s', async (_, client, ca, why) => {
    const { visit, decisions, countersOf } = await edges({ mutual_tls: { certificate_authority_ids: [ca] } })
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
      expect(await visit[id]({ ...client, maxVersion, from: '127.0.0.2' })).toBeDefined()
    await expect.poll(() => countersOf(id)).toMatchObject({ open: 0, allowed: 0, refused: 2 })
    for (const decision of await decisions()) {
      expect(decision).toMatchObject({ verdict: 'refuse', decided_by: 'mutual_tls', source_ip: '127.0.0.2' })
      expect(decision.explanation.text).toContain(`blocks 127.0.0.2: the client certificate ${why}.`)
    }
  })

  it('applies changes at the same port', async () => {
    const { call, visit, ports, portOf } = await edges({})
    expect(await visit[id]()).toBeUndefined()
    await call('PUT', `${path}/mutual_tls`, MODULE.mutual_tls)
    expect(await visit[id]()).toBeDefined()
    expect(await visit[id](a.client)).toBeUndefined()
    await call('PUT', `${path}/mutual_tls`, { certificate_authority_ids: ['ca_b'] })
    expect(await visit[id](a.client)).toBeDefined()
    expect(await visit[id](b.client)).toBeUndefined()
    await call('PUT', `${path}/mutual_tls`, { enabled: false, certificate_authority_ids: ['ca_b'] })
    expect(await visit[id]()).toBeUndefined()
    await call('DELETE', `${path}/mutual_tls`)
    expect(await visit[id]()).toBeUndefined()
    expect(await portOf(id)).toBe(ports[id])
  })

  it('blocks all clients if it has no authorities', async () => {
    const { visit, latest } = await edges({ mutual_tls: { certificate_authority_ids: [] } })
    expect(await visit[id](a.client)).toBeDefined()
    expect((await latest()).explanation.text).toContain('is not signed by an authority (none is set)')
  })

  it('does not resume a session from before it was set', async () => {
    const { call, ca, ports, visit } = await edges({})
    const session = await new Promise<Buffer>(resolve => {
      const { socket } = dial(ports[id], { ca })
      socket.once('session' as never, resolve as never)
    })
    await call('PUT', `${path}/mutual_tls`, MODULE.mutual_tls)
    expect(await visit[id]({ session } as AskOptions)).toBeDefined()
  })

  it('is named by a check, which has no certificate', async () => {
    const { check } = await edges(MODULE)
    expect(await check({ edge: id })).toMatchObject({
      verdict: 'allow',
      warnings: [
        `The mutual TLS module of ${id} also requires a certificate signed by ca_a. This check does not cover certificates.`,
      ],
    })
  })
})

describe('An HTTPS edge with TLS modules', () => {
  it('serves several requests on a connection, with a decision for each', async () => {
    const { ports, ca, decisions, countersOf } = await edges({ ...MODULE, tls_termination: { min_version: '1.3' } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; i < 3; i++)
      expect((await ask(`https://127.0.0.1:${ports[HTTPS]}/${i}`, { ca, ...a.client, agent })).status).toBe(200)
    agent.destroy()
    expect((await decisions()).map(({ path }) => path)).toEqual(['/2', '/1', '/0'])
    expect(await countersOf(HTTPS)).toMatchObject({ connections: 1, allowed: 3 })
  })

  it('rejects TLS 1.2 if the minimum version is 1.3', async () => {
    const { call, visit, decisions, countersOf } = await edges({})
    const old = { maxVersion: 'TLSv1.2' } as const
    expect(await visit[HTTPS](old)).toBeUndefined()
    await call('PUT', `/edges/https/${HTTPS}/tls_termination`, { min_version: '1.3' })
    expect(await visit[HTTPS](old)).toBe('EPROTO')
    expect(await visit[HTTPS]()).toBeUndefined()
    const text = `The TLS termination module of ${HTTPS} blocks 127.0.0.1: the client does not support TLS 1.3, the minimum version.`
    const refused = { kind: 'https', verdict: 'refuse', decided_by: 'tls_termination', source_ip: '127.0.0.1' }
    expect((await decisions())[1]).toMatchObject({ ...refused, explanation: { text } })
    await expect.poll(() => countersOf(HTTPS)).toMatchObject({ allowed: 2, refused: 1, failed: 0, open: 0 })
  })

  it('uses HTTP/1.1 with clients that also offer HTTP/2, and reports its URL to plain HTTP clients', async () => {
    const { ports, ca } = await edges(MODULE)
    const { socket } = dial(ports[HTTPS], { ca, ...a.client, ALPNProtocols: ['h2', 'http/1.1'] } as never)
    await new Promise(resolve => socket.once('secureConnect', resolve))
    expect((socket as unknown as { alpnProtocol: string }).alpnProtocol).toBe('http/1.1')
    const { said } = await talk(ports[HTTPS], 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', { end: false })
    expect(said).toMatch(/^HTTP\/1\.1 400 .*https:\/\/127\.0\.0\.1/s)
  })

  it('warns if mutual TLS has no effect', async () => {
    const { check, countersOf, decisions } = await edges(MODULE, 'http://127.0.0.1:0')
    const { url } = await countersOf(HTTPS)
    const warning = `The mutual TLS module of ${HTTPS} has no effect: this address serves plain HTTP.`
    expect((await ask(url)).status).toBe(200)
    expect(await decisions()).toMatchObject([{ verdict: 'allow', warnings: [warning] }])
    expect((await check({ edge: HTTPS })).warnings).toEqual([warning])
  })

  it.each([
    ['with', MODULE],
    ['without', {}],
  ])('closes a connection if the handshake never ends, %s modules', async (_, modules) => {
    const { ports, countersOf } = await edges(modules, '127.0.0.1:0', {
      listenerTimeouts: { headers: 0.2, request: 1 },
    })
    await dial(ports[HTTPS]).closed
    await expect.poll(() => countersOf(HTTPS)).toMatchObject({ open: 0, refused: 0 })
  })
})

describe('A TLS edge without TLS termination', () => {
  it('warns that mutual TLS has no effect', async () => {
    const { check, portOf, decisions } = await withEdges({
      certificate_authorities: [{ id: 'ca_a', ca_pem: a.pem }],
      tls_edges: [{ id: TLS, listen: '127.0.0.1:0', upstream: `127.0.0.1:${await echo()}`, ...MODULE }],
    })
    const warning = `The mutual TLS module of ${TLS} has no effect: TLS ends at the upstream, so the edge sees no certificates.`
    expect((await talk(await portOf(TLS), 'x')).said).toBe('x')
    expect(await decisions()).toMatchObject([{ verdict: 'allow', warnings: [warning] }])
    expect((await check({ edge: TLS })).warnings).toEqual([warning])
  })
})
