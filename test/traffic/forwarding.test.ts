import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { afterwards } from '../support/afterwards.ts'
import { ask, listening } from '../support/http.ts'
import { dial, talk } from '../support/raw-http.ts'
import { UPGRADE, withEdges } from './edges.ts'

const EDGE = 'edghts_a'

/** An HTTP server that also keeps the bytes it got, connection by connection. */
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

/** The bytes on an open connection until that many answers are complete. */
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

const HIDDEN = 'GET /admin HTTP/1.1\r\nHost: h\r\n\r\n'
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
const KEEP = 'Connection: keep-alive\r\n'

describe('An HTTPS edge forwards', () => {
  it.each<[what: string, sent: string, reached: string]>([
    ['a plain GET', 'GET /open HTTP/1.1\r\nHost: h\r\n\r\n', `GET /open HTTP/1.1\r\nHost: h\r\n${KEEP}\r\n`],
    [
      'two spellings of one name as they are',
      'GET /open HTTP/1.1\r\nHost: h\r\nX-a: 1\r\nx-A: 2\r\n\r\n',
      `GET /open HTTP/1.1\r\nHost: h\r\nX-a: 1\r\nx-A: 2\r\n${KEEP}\r\n`,
    ],
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap(method => [
      [
        `a ${method} whose Connection names Content-Length, with its length`,
        `${method} /open HTTP/1.1\r\nHost: h\r\nConnection: Content-Length\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
        `${method} /open HTTP/1.1\r\nHost: h\r\nContent-Length: ${HIDDEN.length}\r\n${KEEP}\r\n${HIDDEN}`,
      ] as [string, string, string],
      [
        `a ${method} whose Connection names Transfer-Encoding, in chunks`,
        `${method} /open HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
        `${method} /open HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n${KEEP}\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
      ] as [string, string, string],
    ]),
    [
      'a POST without a body as one of length 0',
      'POST /open HTTP/1.1\r\nHost: h\r\n\r\n',
      `POST /open HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n${KEEP}\r\n`,
    ],
    [
      'what the edge adds although Connection names it, and not what the client sent by that name',
      'GET /add HTTP/1.1\r\nHost: h\r\nConnection: close, X-Edge\r\nX-Edge: forged\r\n\r\n',
      `GET /add HTTP/1.1\r\nHost: h\r\nx-edge: edgesim\r\n${KEEP}\r\n`,
    ],
    [
      'no header of the connection, in any spelling, and none that Connection names',
      'GET /open HTTP/1.1\r\nHost: h\r\nconnection: X-One , x-two\r\nCONNECTION: x-three\r\nX-One: 1\r\nX-Two: 2\r\nX-Three: 3\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: p\r\nX-Four: 4\r\n\r\n',
      `GET /open HTTP/1.1\r\nHost: h\r\nX-Four: 4\r\n${KEEP}\r\n`,
    ],
    [
      'the Host although Connection names it',
      'GET /open HTTP/1.1\r\nHost: h\r\nConnection: host\r\n\r\n',
      `GET /open HTTP/1.1\r\nHost: h\r\n${KEEP}\r\n`,
    ],
    [
      'a target that is a whole URL as its path, with its host',
      'GET http://real.test:81/open?a=1 HTTP/1.1\r\nHost: other.test\r\nX-A: 1\r\n\r\n',
      `GET /open?a=1 HTTP/1.1\r\nHost: real.test:81\r\nX-A: 1\r\n${KEEP}\r\n`,
    ],
    [
      'a request to go on in HTTP/2 as a plain one',
      'GET /open HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
      `GET /open HTTP/1.1\r\nHost: h\r\n${KEEP}\r\n`,
    ],
    [
      'the body of a request to go on in HTTP/2',
      'POST /open HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 3\r\n\r\nabc',
      `POST /open HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n${KEEP}\r\nabc`,
    ],
    [
      'a WebSocket request that has a body as a plain one',
      `GET /open HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
      `GET /open HTTP/1.1\r\nHost: h\r\nContent-Length: ${HIDDEN.length}\r\n${KEEP}\r\n${HIDDEN}`,
    ],
    ['HTTP/1.0 with its Host', 'GET /open HTTP/1.0\r\nHost: h\r\n\r\n', `GET /open HTTP/1.1\r\nHost: h\r\n${KEEP}\r\n`],
    ['HTTP/1.0 without a Host', 'GET /open HTTP/1.0\r\n\r\n', `GET /open HTTP/1.1\r\nHost: EDGE\r\n${KEEP}\r\n`],
    [
      'HTTP/1.0 without a Host, for a whole URL',
      'GET http://real.test/open HTTP/1.0\r\nA: 1\r\n\r\n',
      `GET /open HTTP/1.1\r\nHost: real.test\r\nA: 1\r\n${KEEP}\r\n`,
    ],
  ])('exactly one request: %s', async (_, sent, reached) => {
    const { port, bytes, requests } = await recorder()
    const { portOf } = await withEdges(edge(port))
    const at = await portOf(EDGE)
    expect(await answers(at, sent)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(bytes).toEqual([reached.replace('EDGE', `127.0.0.1:${at}`)])
    expect(requests).toHaveLength(1)
  })

  it('what POST /_sim/traffic/check says it would', async () => {
    const { port, bytes } = await recorder()
    const { call, portOf } = await withEdges(edge(port))
    const headers = { Host: 'h', Connection: 'close, X-Edge, X-Own', 'X-Edge': 'forged', 'X-Own': '1', 'X-Kept': '2' }
    const { body } = await call('POST', '/_sim/traffic/check', { edge: EDGE, path: '/add', headers })
    expect(body).toMatchObject({
      headers: { Host: 'h', 'X-Kept': '2', 'x-edge': 'edgesim' },
      added: { 'x-edge': 'edgesim' },
    })
    expect(Object.keys(body.headers)).toHaveLength(3)
    await answers(await portOf(EDGE), `GET /add HTTP/1.1\r\n${linesOf(headers)}\r\n`)
    expect(bytes).toEqual([`GET /add HTTP/1.1\r\nHost: h\r\nX-Kept: 2\r\nx-edge: edgesim\r\n${KEEP}\r\n`])
  })

  const OWN = 'X-Own: 1\r\nUser-Agent: mine\r\n'

  it.each<[what: string, rules: object, documented: string, wide: string]>([
    [
      'added names in lower case, beside those of the client as they came',
      { add: { 'X-Edge': 'e', lower: 'l' } },
      `Host: h\r\n${OWN}x-edge: e\r\nlower: l\r\n`,
      `Host: h\r\n${OWN}X-Edge: e\r\nlower: l\r\n`,
    ],
    ['a Host that is added instead of its own', { add: { Host: 'x' } }, `${OWN}host: x\r\n`, `${OWN}Host: x\r\n`],
    [
      'a Host that is removed and added, once',
      { add: { Host: 'x' }, remove: ['hOST'] },
      `${OWN}host: x\r\n`,
      `${OWN}Host: x\r\n`,
    ],
    [
      'its own Host where a fixture only removes it',
      { remove: ['host', 'x-own', 'user-agent'] },
      'Host: h\r\n',
      'Host: h\r\n',
    ],
  ])('%s, and POST /_sim/traffic/check says the same', async (_, request_headers, documented, wide) => {
    for (const [header_limits, expected] of Object.entries({ documented, wide })) {
      const { port, bytes } = await recorder()
      const { call, portOf } = await withEdges(edge(port, { request_headers }), { assume: { header_limits } })
      await answers(await portOf(EDGE), `GET /open HTTP/1.1\r\nHost: h\r\n${OWN}\r\n`)
      expect(bytes).toEqual([`GET /open HTTP/1.1\r\n${expected}${KEEP}\r\n`])
      const headers = { Host: 'h', 'X-Own': '1', 'User-Agent': 'mine' }
      const { body } = await call('POST', '/_sim/traffic/check', { edge: EDGE, path: '/open', headers })
      expect(linesOf(body.headers)).toBe(expected)
    }
  })

  it('no malformed request, which it answers in JSON', async () => {
    const { port, bytes } = await recorder()
    const { portOf } = await withEdges(edge(port))
    const at = await portOf(EDGE)
    for (const [sent, status, says] of [
      ['GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, /2 Host headers came; send one/],
      ['GET /open HTTP/1.1\r\n\r\n', 400, /The Host header is missing/],
      ['GET http:///open HTTP/1.1\r\nHost: a\r\n\r\n', 400, /http:\/\/\/open/],
      ['GET http://user@a/open HTTP/1.1\r\nHost: a\r\n\r\n', 400, /user@a/],
      ['GET http://user:pw@a HTTP/1.1\r\nHost: a\r\n\r\n', 400, /user:pw@a/],
      ['GET ftp://a/open HTTP/1.1\r\nHost: a\r\n\r\n', 400, /ftp:\/\/a\/open/],
      ['GET /open HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400, /cannot be read/],
      [
        'POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
        /cannot/,
      ],
      ['POST /open HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 400, /transfer coding/],
      [`GET /open HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /headers/],
      ['nonsense\r\n\r\n', 400, /cannot be read/],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405, /CONNECT/],
      ['GET /open HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n', 417, /miracles/],
    ] as const) {
      const said = await answers(at, sent)
      expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      const body = JSON.parse(said.slice(said.indexOf('\r\n\r\n')))
      expect(body).toMatchObject({ status_code: status, msg: expect.stringMatching(says) })
    }
    expect(bytes).toEqual([])
  })

  const ENDS = 'Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n\r\n'

  it.each([
    [
      'without headers that its Connection names, except for its length',
      'HTTP/1.1 200 OK\r\nConnection: close, X-Hop, Content-Length\r\nX-Hop: 1\r\nX-End: 2\r\nContent-Length: 2\r\n\r\nok',
      `HTTP/1.1 200 OK\r\nX-End: 2\r\nContent-Length: 2\r\n${ENDS}ok`,
    ],
    ...['204 No Content', '304 Not Modified'].map(status => [
      `with the status ${status} without its length and body`,
      `HTTP/1.1 ${status}\r\nContent-Length: 2\r\nX-End: 2\r\n\r\nok`,
      `HTTP/1.1 ${status}\r\nX-End: 2\r\n${ENDS}`,
    ]),
  ])('a response %s', async (_, raw, expected) => {
    const { portOf } = await withEdges(edge(await rawUpstream(raw!)))
    const { socket, said } = dial(await portOf(EDGE))
    socket.write('GET /open HTTP/1.1\r\nHost: h\r\n\r\n')
    await expect.poll(said).toBe(expected)
  })

  it('to an upstream connection of its own for each client, and closes it when the client leaves', async () => {
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

  it('one pipelined request at a time, and none after the client has left', async () => {
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

  it.each([
    ['a status below 100', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', /status 99/],
    ['control characters in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n', /reason/],
    [
      'another protocol unasked',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      /another protocol/,
    ],
    ['a 101 that does not say how it goes on', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', /status 101/],
    ['the transfer coding gzip', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', /transfer coding "gzip"/],
    ['two transfer codings', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', /"gzip, chunked"/],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', /HTTP/],
    ['half a head', 'HTTP/1.1 200 OK\r\nX-A', /./],
  ])('an answer with %s as 502 with the reason, and goes on serving', async (_, raw, says) => {
    const fine = await recorder()
    const upstream = `http://127.0.0.1:${await rawUpstream(raw)}`
    const { portOf, decisions } = await withEdges(edge(fine.port, { upstream }))
    const url = `http://127.0.0.1:${await portOf(EDGE)}`
    expect(await ask(`${url}/open`)).toMatchObject({ status: 502, body: { msg: expect.stringMatching(says) } })
    expect((await decisions())[0]).toMatchObject({ status: 502, failure: expect.stringMatching(says) })
    expect((await ask(`${url}/add`)).text).toBe('ok')
  })

  it.each([
    ['at once', 0],
    ['after it has begun to read', 1],
  ])('a large body to an upstream that answers and closes %s, and its answer comes back', async (_, after) => {
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

  it('to IPv6 upstreams, of fixtures and backends, and carries WebSockets there', async ({ skip }) => {
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

  it.each([
    'GET',
    'HEAD',
    'OPTIONS',
    'DELETE',
    'PUT',
  ])('a %s again that met a connection closed by the upstream', async method => {
    let connections = 0
    const upstream = await listening(
      createServer(socket => {
        const first = ++connections === 1
        let answered = 0
        socket.on('data', () => {
          // The first connection closes without an answer when it is used again.
          if (first && answered++ > 0) return socket.destroy()
          return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        })
      }),
    )
    const { portOf, decisions } = await withEdges(edge(upstream))
    const one = `${method} /open HTTP/1.1\r\nHost: h\r\n\r\n`
    const said = await talk(await portOf(EDGE), one + one.replace('Host', 'Connection: close\r\nHost'), { end: false })
    expect(said.said.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect((await decisions()).map(({ status }) => status)).toEqual([200, 200])
    expect(connections).toBe(2)
  })

  it('a POST only once, whatever its upstream does', async () => {
    let seen = 0
    const upstream = await listening(
      createServer(socket => {
        let answered = 0
        socket.on('data', () => {
          seen++
          if (answered++ > 0) return socket.destroy()
          return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        })
      }),
    )
    const { portOf } = await withEdges(edge(upstream))
    const one = 'POST /open HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n'
    const said = await answers(await portOf(EDGE), one + one, 2)
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 502'])
    expect(seen).toBe(2)
  })
})

/** An upstream that answers any request with those bytes and ends. */
function rawUpstream(bytes: string) {
  return listening(createServer(socket => socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1')))))
}
