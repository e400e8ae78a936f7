import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { afterwards } from '../../support/afterwards.ts'
import { ask, listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { tableIn } from '../../support/tables.ts'
import { UPGRADE, withEdges } from './edges.ts'

type Forwarded = [what: string, sent: string, reached: string]
interface Tables {
  forwarded: Forwarded[]
  anyMethod: Forwarded[]
  ruled: [what: string, rules: object, documented: string, wide: string][]
  malformed: [sent: string, status: number, says: string][]
  responses: [what: string, raw: string, expected: string][]
  wrong: [what: string, raw: string, says: string][]
}

const tables: Tables = tableIn(import.meta.url, 'forwarding.yaml')
for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  for (const row of tables.anyMethod)
    tables.forwarded.push(row.map(text => text.replace('METHOD', method)) as Forwarded)
tables.malformed.push([`GET /open HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers'])

const EDGE = 'edghts_a'

/** An HTTP server that records the received bytes per connection. */
async function recorder() {
  const bytes: string[] = []
  const requests: string[] = []
  const server = createHttpServer(async (req, res) => {
    requests.push(`${req.method} ${req.url} ${(await req.toArray()).join('')}`)
    res.end('ok')
  })
  server.on('connection', socket => {
    const at = bytes.push('') - 1
    socket.on('data', (chunk: Buffer) => {
      bytes[at] += chunk.toString('latin1')
    })
  })
  return { port: await listening(server), bytes, requests }
}

const edge = (port: number, route: object = {}) => ({
  https_edges: [
    {
      id: EDGE,
      listen: 'http://127.0.0.1:0',
      routes: [
        { id: 'edghtsrt_a', match: '/open', upstream: `http://127.0.0.1:${port}`, ...route },
        { id: 'edghtsrt_b', match: '/add', upstream: `http://127.0.0.1:${port}`, request_headers: RULES },
      ],
    },
  ],
})

const RULES = { add: { 'X-Edge': 'edgesim' }, remove: ['cookie'] }

/** The bytes on an open connection until `count` responses are complete. */
async function answers(port: number, text: string, count = 1): Promise<string> {
  const { socket, said, closed } = dial(port)
  socket.write(text, 'latin1')
  socket.on('data', () => {
    if ((said().match(/HTTP\/1\.1 \d+/g) ?? []).length >= count && /ok$|\}$/.test(said())) socket.destroy()
  })
  return (await closed).said
}

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
const KEEP = 'Connection: keep-alive\r\n'

describe('An HTTPS edge forwards', () => {
  it.each(tables.forwarded)('exactly one request: %s', async (_, sent, reached) => {
    const { port, bytes, requests } = await recorder()
    const { portOf } = await withEdges(edge(port))
    const at = await portOf(EDGE)
    expect(await answers(at, sent)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(bytes).toEqual([reached.replace('EDGE', `127.0.0.1:${at}`)])
    expect(requests).toHaveLength(1)
  })

  it('the request that POST /_sim/traffic/check predicts', async () => {
    const { port, bytes } = await recorder()
    const { check, portOf } = await withEdges(edge(port))
    const headers = { Host: 'h', Connection: 'close, X-Edge, X-Own', 'X-Edge': 'forged', 'X-Own': '1', 'X-Kept': '2' }
    const predicted = await check({ edge: EDGE, path: '/add', headers })
    expect(predicted.headers).toEqual({ Host: 'h', 'X-Kept': '2', 'x-edge': 'edgesim' })
    expect(predicted.added).toEqual({ 'x-edge': 'edgesim' })
    await answers(await portOf(EDGE), `GET /add HTTP/1.1\r\n${linesOf(headers)}\r\n`)
    expect(bytes).toEqual([`GET /add HTTP/1.1\r\nHost: h\r\nX-Kept: 2\r\nx-edge: edgesim\r\n${KEEP}\r\n`])
  })

  const OWN = 'X-Own: 1\r\nUser-Agent: mine\r\n'

  it.each(tables.ruled)('%s, and POST /_sim/traffic/check agrees', async (_, request_headers, documented, wide) => {
    for (const [header_limits, expected] of Object.entries({ documented, wide })) {
      const { port, bytes } = await recorder()
      const { check, portOf } = await withEdges(edge(port, { request_headers }), { assume: { header_limits } })
      await answers(await portOf(EDGE), `GET /open HTTP/1.1\r\nHost: h\r\n${OWN}\r\n`)
      expect(bytes).toEqual([`GET /open HTTP/1.1\r\n${expected}${KEEP}\r\n`])
      const headers = { Host: 'h', 'X-Own': '1', 'User-Agent': 'mine' }
      expect(linesOf((await check({ edge: EDGE, path: '/open', headers })).headers)).toBe(expected)
    }
  })

  it('no malformed request, and returns a JSON error', async () => {
    const { port, bytes } = await recorder()
    const { portOf } = await withEdges(edge(port))
    const at = await portOf(EDGE)
    for (const [sent, status, says] of tables.malformed) {
      const said = await answers(at, sent)
      expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      const body = JSON.parse(said.slice(said.indexOf('\r\n\r\n')))
      expect(body).toMatchObject({ status_code: status, msg: expect.stringMatching(says) })
    }
    expect(bytes).toEqual([])
  })

  it.each(tables.responses)('a response %s', async (_, raw, expected) => {
    const { portOf } = await withEdges(edge(await rawUpstream(raw)))
    const { socket, said } = dial(await portOf(EDGE))
    socket.write('GET /open HTTP/1.1\r\nHost: h\r\n\r\n')
    await expect.poll(said).toBe(expected)
  })

  it('to one upstream connection per client, closed when the client disconnects', async () => {
    const sockets: Socket[] = []
    const server = createHttpServer((_req, res) => res.end('ok'))
    server.on('connection', socket => sockets.push(socket))
    const { portOf } = await withEdges(edge(await listening(server)))
    const at = await portOf(EDGE)
    const GET = 'GET /open HTTP/1.1\r\nHost: h\r\n\r\n'
    expect(await answers(at, GET + GET + GET, 3)).toMatch(/ok$/)
    expect(await answers(at, GET, 1)).toMatch(/ok$/)
    expect(sockets).toHaveLength(2)
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })

  it('one pipelined request at a time, and none after the client disconnects', async () => {
    const asked: string[] = []
    const open = new Set<Socket>()
    const server = createHttpServer(req => void asked.push(req.url!))
    server.on('connection', socket => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    const { portOf, decisions, traffic } = await withEdges(edge(await listening(server)))
    const at = await portOf(EDGE)
    const ahead = Array.from({ length: 20 }, (_, i) => `GET /open/${i} HTTP/1.1\r\nHost: h\r\n\r\n`)
    const socket = connect(at, '127.0.0.1', () => socket.write(ahead.join('')))
    await expect.poll(() => asked).toEqual(['/open/0'])
    socket.destroy()
    await expect.poll(() => open.size).toBe(0)
    await expect.poll(async () => (await traffic()).listeners[0].open).toBe(0)
    expect(asked).toEqual(['/open/0'])
    expect((await decisions()).map(({ path, status }) => [path, status])).toEqual([['/open/0', null]])
  })

  it.each(tables.wrong)('a response with %s as 502 with the reason, and continues to serve', async (_, raw, says) => {
    const fine = await recorder()
    const upstream = `http://127.0.0.1:${await rawUpstream(raw)}`
    const { portOf, latest } = await withEdges(edge(fine.port, { upstream }))
    const url = `http://127.0.0.1:${await portOf(EDGE)}`
    expect(await ask(`${url}/open`)).toMatchObject({ status: 502, body: { msg: expect.stringMatching(says) } })
    expect(await latest()).toMatchObject({ status: 502, failure: expect.stringMatching(says) })
    expect((await ask(`${url}/add`)).text).toBe('ok')
  })

  it.each([
    ['immediately', 0],
    ['while it reads', 1],
  ])('a large body to an upstream that responds and closes %s, and returns that response', async (_, after) => {
    const upstream = await listening(
      createServer(socket => {
        const reply = () => socket.end('HTTP/1.1 413 Too Much\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
        if (after === 0) reply()
        else socket.once('data', reply)
        socket.resume()
      }),
    )
    const { portOf } = await withEdges(edge(upstream))
    const body = 'x'.repeat(300_000)
    const seen = await ask(`http://127.0.0.1:${await portOf(EDGE)}/open`, { method: 'POST', body })
    expect(seen).toMatchObject({ status: 413, text: 'ok' })
  })

  it('requests and WebSockets to IPv6 upstreams of fixtures and backends', async ({ skip }) => {
    const server = createHttpServer((_req, res) => res.end('ok'))
    server.on('upgrade', (_req, socket) => socket.end(`${SWITCHING}\r\nok`))
    const bound = await new Promise<boolean>(resolve =>
      server.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true)),
    )
    if (!bound) skip('this machine has no IPv6')
    afterwards(() => server.close())
    const { port } = server.address() as { port: number }
    const { call, portOf } = await withEdges(edge(port, { upstream: `http://[::1]:${port}` }))
    const at = await portOf(EDGE)
    expect((await ask(`http://127.0.0.1:${at}/open`)).text).toBe('ok')
    const { body } = await call('POST', '/backends/static', { address: `[::1]:${port}` })
    await call('PUT', `/edges/https/${EDGE}/routes/edghtsrt_a/backend`, { backend_id: body.id })
    expect((await ask(`http://127.0.0.1:${at}/open`)).text).toBe('ok')
    const { said } = await talk(at, UPGRADE.replace('/ws', '/open'), { end: false })
    expect(said).toMatch(/^HTTP\/1\.1 101 [\s\S]*ok$/)
  })

  /** Closes the first connection without a response when it is reused. */
  async function closingOnce() {
    const seen = { connections: 0, requests: 0 }
    const server = createServer(socket => {
      const isFirst = ++seen.connections === 1
      let answered = 0
      socket.on('data', () => {
        seen.requests++
        if (isFirst && answered++ > 0) return socket.destroy()
        return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      })
    })
    return { ...(await withEdges(edge(await listening(server)))), seen }
  }

  const REPEATED = ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT']
  it.each(REPEATED)('a %s again if the upstream closed its connection', async method => {
    const { portOf, decisions, seen } = await closingOnce()
    const one = `${method} /open HTTP/1.1\r\nHost: h\r\n\r\n`
    const said = await talk(await portOf(EDGE), one + one.replace('Host', 'Connection: close\r\nHost'), { end: false })
    expect(said.said.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect((await decisions()).map(({ status }) => status)).toEqual([200, 200])
    expect(seen).toEqual({ connections: 2, requests: 3 })
  })

  it('a POST only once, even if its upstream disconnects', async () => {
    const { portOf, seen } = await closingOnce()
    const one = 'POST /open HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n'
    const said = await answers(await portOf(EDGE), one + one, 2)
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 502'])
    expect(seen).toEqual({ connections: 1, requests: 2 })
  })
})

function rawUpstream(bytes: string) {
  return listening(createServer(socket => socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1')))))
}
