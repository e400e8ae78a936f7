import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echo, freePort, tcpEdge, withEdges } from './edges.ts'

const EDGE = 'edgtcp_a'
const MODULE = `/edges/tcp/${EDGE}/ip_restriction`

const policies = [
  { id: 'ipp_two', rules: [{ id: 'ipr_two', action: 'allow', cidr: '127.0.0.2/32' }] },
  { id: 'ipp_all', rules: [{ id: 'ipr_all', action: 'allow', cidr: '127.0.0.0/8' }] },
]

describe('A TCP edge', () => {
  it('forwards bytes both ways, and ends each direction separately', async () => {
    const upstream = await echo()
    const { portOf, decisions } = await withEdges(tcpEdge(upstream))
    expect(await talk(await portOf(EDGE), 'hello')).toEqual({ said: 'hello', error: undefined })
    expect(await decisions()).toMatchObject([
      { edge: EDGE, kind: 'tcp', verdict: 'allow', source_ip: '127.0.0.1', upstream: `127.0.0.1:${upstream}` },
    ])
  })

  it('forwards 16 MB at the speed of the slower side', async () => {
    const sent = createHash('sha256')
    const write = (socket: Socket, size: number) => {
      const chunk = randomBytes(size)
      sent.update(chunk)
      socket.write(chunk)
    }
    const upstream = await listening(
      createServer(socket => {
        // Large writes, then many small ones with pauses, so each is read separately.
        for (let i = 0; i < 60; i++) write(socket, 256 * 1024)
        let left = 1024
        const next = () => {
          for (let i = 0; i < 8; i++) write(socket, 1024)
          left -= 8
          if (left > 0) setImmediate(next)
          else socket.end()
        }
        next()
      }),
    )
    const { portOf, traffic } = await withEdges(tcpEdge(upstream))
    const port = await portOf(EDGE)
    const got = createHash('sha256')
    let bytes = 0
    await new Promise<void>(resolve => {
      const socket = connect(port, '127.0.0.1')
      socket.on('data', chunk => {
        got.update(chunk)
        bytes += chunk.length
        socket.pause()
        setImmediate(() => socket.resume())
      })
      socket.on('close', () => resolve())
    })
    expect(bytes).toBe(16 * 1024 * 1024)
    expect(got.digest('hex')).toBe(sent.digest('hex'))
    await expect.poll(async () => (await traffic()).listeners[0]).toMatchObject({ open: 0, bytes_out: bytes })
  })

  it('blocks a source before data reaches the upstream, and applies module changes to the next connection', async () => {
    let reached = 0
    const upstream = await echo(() => reached++)
    const { call, portOf, decisions, traffic } = await withEdges({
      ip_policies: policies,
      ...tcpEdge(upstream, { ip_restriction: { ip_policy_ids: ['ipp_two'] } }),
    })
    const port = await portOf(EDGE)
    expect((await talk(port, 'x')).said).toBe('')
    expect(reached).toBe(0)
    expect((await talk(port, 'x', { from: '127.0.0.2' })).said).toBe('x')
    await call('PUT', MODULE, { ip_policy_ids: ['ipp_all'] })
    expect((await talk(port, 'y')).said).toBe('y')
    await call('PUT', MODULE, { enabled: false, ip_policy_ids: [] })
    expect((await talk(port, 'z', { from: '127.0.0.9' })).said).toBe('z')
    const found = await decisions()
    expect(found.map(({ verdict, source_ip, rule }) => [verdict, source_ip, rule?.id])).toEqual([
      ['allow', '127.0.0.9', undefined],
      ['allow', '127.0.0.1', 'ipr_all'],
      ['allow', '127.0.0.2', 'ipr_two'],
      ['refuse', '127.0.0.1', undefined],
    ])
    expect(found[3]!.explanation).toEqual({
      section: '4.3',
      text: `The IP restriction module of ${EDGE} blocks 127.0.0.1: none of the 1 allow rules of its IP policies matches.`,
    })
    expect((await traffic()).listeners[0]).toMatchObject({ allowed: 3, refused: 1, failed: 0 })
  })

  it('opens, moves and closes its port before the API responds', async () => {
    const [taken, first, second] = [await listening(createServer()), await freePort(), await freePort()]
    const { call, traffic } = await withEdges({})
    const { body: backend } = await call('POST', '/backends/static', { address: `127.0.0.1:${await echo()}` })
    const hostport = `127.0.0.1:${first}`
    const { body: edge } = await call('POST', '/edges/tcp', {
      hostports: [hostport, 'elsewhere.example.com:1'],
      backend: { backend_id: backend.id },
    })
    expect((await talk(first, 'a')).said).toBe('a')
    const open = { edge: edge.id, kind: 'tcp', hostport, port: first }
    expect((await traffic()).listeners).toMatchObject([open])
    const move = (to: string) => call('PATCH', `/edges/tcp/${edge.id}`, { hostports: [to] })
    expect((await move(`127.0.0.1:${taken}`)).status).toBe(200)
    expect((await talk(first, 'a')).error).toBe('ECONNREFUSED')
    const error = `port ${taken} on 127.0.0.1 is already in use`
    const unopened = { edge: edge.id, kind: 'tcp', hostport: `127.0.0.1:${taken}`, error }
    expect((await traffic()).listeners).toEqual([unopened])
    await move(`localhost:${second}`)
    expect((await talk(second, 'b')).said).toBe('b')
    await call('DELETE', `/edges/tcp/${edge.id}`)
    expect((await talk(second, 'c')).error).toBe('ECONNREFUSED')
    expect((await traffic()).listeners).toEqual([])
  })

  it('retries a used port on every traffic request', async () => {
    const held = createServer()
    const port = await listening(held)
    const { traffic } = await withEdges({ tcp_edges: [{ id: EDGE, listen: `127.0.0.1:${port}` }] })
    expect((await traffic()).listeners).toMatchObject([
      { edge: EDGE, error: `port ${port} on 127.0.0.1 is already in use` },
    ])
    await new Promise(resolve => held.close(resolve))
    expect((await traffic()).listeners).toMatchObject([{ edge: EDGE, port }])
  })

  it('closes its connections when it is deleted, and when the simulator closes', async () => {
    const upstream = await echo()
    const { call, portOf, decisions } = await withEdges(tcpEdge(upstream))
    const talking = talk(await portOf(EDGE), 'still here', { end: false })
    await expect.poll(decisions).toHaveLength(1)
    await call('DELETE', `/edges/tcp/${EDGE}`)
    expect((await talking).said).toMatch(/^(still here)?$/)
  })

  it.each([
    ['the port is closed', '127.0.0.1:1', /cannot reach the upstream 127\.0\.0\.1:1: .*ECONNREFUSED/],
    ['it is on another machine', '192.0.2.1:80', /192\.0\.2\.1 is not on this machine.*--allow-upstream 192\.0\.2\.1/],
    ['unknown name', 'nowhere.invalid:80', /cannot use the upstream/],
  ])('closes the connection if its upstream is unusable: %s', async (_, upstream, says) => {
    const { portOf, latest, traffic } = await withEdges(tcpEdge(1, { upstream }))
    expect((await talk(await portOf(EDGE), 'x')).said).toBe('')
    const failure = expect.stringMatching(says)
    expect(await latest()).toMatchObject({ verdict: 'allow', upstream, failure, explanation: { text: failure } })
    expect((await traffic()).listeners[0].failed).toBe(1)
  })

  it('closes the connection if it has no upstream or its backend is off', async () => {
    const upstream = await echo()
    const { call, portOf, latest } = await withEdges({
      backends: [{ id: 'bkdsc_a', address: `127.0.0.1:${upstream}` }],
      tcp_edges: [{ id: EDGE, listen: '127.0.0.1:0' }],
    })
    const port = await portOf(EDGE)
    expect((await talk(port, 'x')).said).toBe('')
    await call('PUT', `/edges/tcp/${EDGE}/backend`, { backend_id: 'bkdsc_a' })
    expect((await talk(port, 'x')).said).toBe('x')
    await call('PUT', `/edges/tcp/${EDGE}/backend`, { enabled: false, backend_id: 'bkdsc_a' })
    expect((await talk(port, 'x')).said).toBe('')
    expect((await latest()).explanation.text).toContain('the edge has no upstream')
  })

  it('survives clients that disconnect at any moment', async () => {
    const upstream = await echo()
    const { portOf, call, traffic } = await withEdges(tcpEdge(upstream))
    const port = await portOf(EDGE)
    const leave = async (_: unknown, i: number) => {
      const { socket, closed } = dial(port)
      await once(socket, 'connect')
      if (i % 3 === 0) socket.resetAndDestroy()
      else if (i % 3 === 1) socket.write('x'.repeat(100_000), () => socket.destroy())
      else socket.destroy()
      await closed
    }
    await Promise.all(Array.from({ length: 100 }, leave))
    await expect.poll(async () => (await traffic()).listeners[0].open).toBe(0)
    expect((await talk(port, 'fine')).said).toBe('fine')
    expect((await call('GET', '/api_keys')).status).toBe(200)
  })
})
