import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ask, listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echoHeaders, headerEcho, pairs, UPGRADE, withEdges, withRoute } from './edges.ts'

const EDGE = 'edghts_a'

/** The upstream responds with the request headers. */
const withEcho = (route: Record<string, unknown> = {}, options = {}) => withRoute(route, echoHeaders, options)

describe('An HTTPS edge', () => {
  it('terminates TLS with the simulator certificate, or serves plain HTTP', async () => {
    const { call, traffic, url: origin } = await withEcho()
    await call('PATCH', `/edges/https/${EDGE}`, { hostports: ['127.0.0.1:0', 'http://127.0.0.1:0'] })
    const { listeners, certificate } = await traffic()
    const urls = listeners.map(({ url }: { url: string }) => url).toSorted()
    expect(urls).toEqual([expect.stringMatching(/^http:\/\/127/), expect.stringMatching(/^https:\/\/127/)])
    for (const url of urls) expect((await ask(`${url}/x`, { ca: certificate })).status).toBe(200)
    expect((await ask(urls[1])).error).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect((await fetch(`${origin}/_sim/ca.pem`)).status).toBe(200)
  })

  it.each([
    ['/status', 'edghtsrt_exact'],
    ['/status/', 'edghtsrt_root'],
    ['/api', 'edghtsrt_api'],
    ['/apix', 'edghtsrt_api'],
    ['/api/v2/x', 'edghtsrt_v2'],
    ['/api/v2?status', 'edghtsrt_v2'],
    ['/', 'edghtsrt_root'],
    ['/%61pi', 'edghtsrt_root'],
  ])('routes %s to %s (exact before prefix, longest first)', async (path, route) => {
    const upstream = `http://127.0.0.1:${await headerEcho()}`
    const routes = [
      { id: 'edghtsrt_root', match: '/', upstream },
      { id: 'edghtsrt_v2', match: '/api/v2', upstream },
      { id: 'edghtsrt_api', match: '/api', upstream },
      { id: 'edghtsrt_exact', match_type: 'exact_path', match: '/status', upstream },
      { id: 'edghtsrt_long', match: '/status/deeper', upstream },
    ]
    const { portOf, decisions } = await withEdges({ https_edges: [{ id: EDGE, listen: 'http://127.0.0.1:0', routes }] })
    expect((await ask(`http://127.0.0.1:${await portOf(EDGE)}${path}`)).body.url).toBe(path)
    expect((await decisions())[0]).toMatchObject({ route, path: path.split('?')[0], status: 200, method: 'GET' })
  })

  it('aborts a response that its upstream aborts', async () => {
    const { at } = await withRoute({}, (_req, res) => {
      res.writeHead(200, { 'Content-Length': 1000 }).write('half of it', () => res.socket!.resetAndDestroy())
    })
    expect((await ask(at)).error).toBe('ECONNRESET')
  })

  it('changes only the configured headers', async () => {
    const request_headers = {
      add: { 'X-Both': 'new', 'X-There': 'second', 'X-New': 'n', Host: 'inner.test' },
      remove: ['x-both', 'COOKIE', 'X-Absent'],
    }
    const { at, latest } = await withEcho({ request_headers })
    const sent = [
      ...['Host', 'outer.test'],
      ...['cookie', 'a=1'],
      ...['X-Both', 'old'],
      ...['X-There', 'first'],
      ...['x-Odd-CASE', 'kept'],
      ...['X-Twice', '1'],
      ...['X-Twice', '2'],
      ...['X-Forwarded-For', '10.0.0.1'],
    ]
    const { body } = await ask(at, { headers: sent })
    const got = pairs(body.headers).filter(([name]) => name !== 'Connection')
    expect(got.toSorted()).toEqual(
      [
        ['host', 'inner.test'],
        ['x-both', 'new'],
        ['X-There', 'first'],
        ['x-there', 'second'],
        ['x-new', 'n'],
        ['x-Odd-CASE', 'kept'],
        ['X-Twice', '1'],
        ['X-Twice', '2'],
        ['X-Forwarded-For', '10.0.0.1'],
      ].toSorted(),
    )
    expect(await latest()).toMatchObject({
      headers: {
        added: { 'x-both': 'new', 'x-there': 'second', 'x-new': 'n', host: 'inner.test' },
        removed: ['cookie', 'X-Both'],
      },
      assumptions: [
        { name: 'header_limits', value: 'documented' },
        { name: 'add_existing_header', value: 'append' },
      ],
    })
  })

  it.each(['__proto__', 'constructor', 'toString'])('forwards a header named %s', async name => {
    const { at, check } = await withEcho({ request_headers: { add: { 'X-A': '1' } } })
    const { body } = await ask(at, { headers: ['Host', 'h', name, 'mine'] })
    expect(pairs(body.headers)).toContainEqual([name, 'mine'])
    expect((await check({ headers: { 'X-B': '2' } })).headers).toEqual({ 'X-B': '2', 'x-a': '1' })
  })

  it('replaces an existing header if add_existing_header=replace', async () => {
    const assume = { add_existing_header: 'replace' }
    const { at } = await withEcho({ request_headers: { add: { 'X-A': 'new' } } }, { assume })
    const { body } = await ask(at, { headers: { 'x-a': ['1', '2'] } })
    expect(pairs(body.headers).filter(([name]) => /^x-a$/i.test(name))).toEqual([['x-a', 'new']])
  })

  it.each([
    ['is not enabled', { request_headers: { enabled: false, add: { 'X-A': '1' }, remove: ['x-b'] } }],
    ['is not set', {}],
  ])('changes no header when the module %s', async (_, route) => {
    const { at, latest } = await withEcho(route)
    const { body } = await ask(at, { headers: ['Host', 'h', 'X-B', '2'] })
    expect(body.headers).toEqual(['Host', 'h', 'X-B', '2', 'Connection', 'keep-alive'])
    expect((await latest()).headers).toBeNull()
  })

  it('forwards the response unchanged', async () => {
    const sent = ['X-Odd-CASE', '1', 'Set-Cookie', 'a', 'Set-Cookie', 'b', 'x-twice', '1', 'X-Twice', '2']
    const { at } = await withRoute({}, (_req, res) => {
      res.sendDate = false
      res.writeHead(207, 'Quite So', sent).end('body')
    })
    const { status, rawHeaders, text } = await ask(at)
    expect({ status, text }).toEqual({ status: 207, text: 'body' })
    const got = pairs(rawHeaders).filter(([name]) => !/^(connection|transfer-encoding|keep-alive)$/i.test(name))
    expect(got.flat()).toEqual(sent)
  })

  it.each([
    ['with a length', { 'Content-Length': '5' }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('forwards bodies %s, with any method', async (_, headers) => {
    const { at } = await withRoute({}, async (req, res) => {
      res.end(`${req.method} ${(await req.toArray()).join('')}`)
    })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
      expect((await ask(at, { method, headers, body: 'hello' })).text).toBe(`${method} hello`)
  })

  it('adds no length to a request without a body', async () => {
    const { at } = await withEcho()
    for (const method of ['DELETE', 'OPTIONS', 'HEAD', 'GET']) {
      const { status, body } = await ask(at, { method, headers: ['Host', 'h'] })
      expect(status).toBe(200)
      if (method !== 'HEAD') expect(pairs(body.headers).map(([name]) => name)).toEqual(['Host', 'Connection'])
    }
  })

  it('streams each part to the client before the upstream sends the next', async () => {
    let finish = () => {}
    const { at } = await withRoute({}, (_req, res) => {
      res.write('first')
      finish = () => res.end('second')
    })
    const reader = (await fetch(at)).body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('first')
    finish()
    expect((await reader.read()).value).toBe('second')
  })

  it('forwards WebSockets', async () => {
    const server = createHttpServer()
    const seen: string[][] = []
    server.on('upgrade', (req, socket) => {
      seen.push(req.rawHeaders)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
    const upstream = `http://127.0.0.1:${await listening(server)}`
    const { edgePort, latest } = await withRoute({ upstream, request_headers: { add: { 'X-Edge': 'e' } } })
    const { socket, said } = dial(edgePort)
    socket.write(UPGRADE)
    await expect.poll(said).toMatch(/^HTTP\/1\.1 101 .*\r\n\r\n$/s)
    socket.write('ping')
    await expect.poll(said).toMatch(/\r\n\r\nping$/)
    expect(pairs(seen[0]!)).toContainEqual(['x-edge', 'e'])
    expect(await latest()).toMatchObject({ status: 101, path: '/ws', route: 'edghtsrt_a' })
  })

  it.each([
    ['its upstream is down', 502, /^HTTP\/1\.1 502 Bad Gateway/, { upstream: 'http://127.0.0.1:1' }],
    ['its upstream ignores the upgrade', 426, /^HTTP\/1\.1 426 Upgrade Required/, {}],
  ])('returns an error for a WebSocket if %s', async (_, status, says, route) => {
    const { edgePort, latest } = await withRoute(route, (_req, res) => res.writeHead(status).end('no'))
    expect((await talk(edgePort, UPGRADE, { end: false })).said).toMatch(says)
    expect(await latest()).toMatchObject({ path: '/ws', status })
  })

  it('records a client that disconnects before the response', async () => {
    const { edgePort, counted, decisions } = await withRoute({}, () => {})
    const { socket } = dial(edgePort)
    socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
    await expect.poll(() => counted.requests).toBe(1)
    socket.destroy()
    await expect.poll(decisions).toMatchObject([{ path: '/slow', status: null }])
    expect((await decisions())[0]!.explanation.text).toContain('The client disconnected before the response.')
  })

  it('returns JSON: 404 if no route matches, 502 if the upstream is down', async () => {
    const routes = [
      { id: 'edghtsrt_down', match: '/down', upstream: 'http://127.0.0.1:1' },
      { id: 'edghtsrt_none', match: '/none' },
      { id: 'edghtsrt_away', match: '/away', upstream: 'http://192.0.2.1' },
    ]
    const https_edges = [{ id: EDGE, listen: 'http://127.0.0.1:0', routes }]
    const { portOf, decisions } = await withEdges({ https_edges }, { vendor: 'ngrok' })
    const url = `http://127.0.0.1:${await portOf(EDGE)}`
    for (const [path, status, says] of [
      ['/nope', 404, /./],
      ['/down', 502, /edghts_a cannot reach its upstream http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/],
      ['/none', 502, /edghtsrt_none has no upstream/],
      ['/away', 502, /--allow-upstream 192\.0\.2\.1/],
    ] as const) {
      const response = await ask(url + path)
      const body = { error_code: `ERR_EDGESIM_${status}`, msg: expect.stringMatching(says) }
      expect(response, path).toMatchObject({ status, body })
    }
    expect(await decisions()).toHaveLength(4)
  })

  it('prepends the upstream path to the request path', async () => {
    const upstream = `http://127.0.0.1:${await headerEcho()}/base/`
    const { at } = await withRoute({ upstream })
    expect((await ask(`${at}a?b`)).body.url).toBe('/base/a?b')
  })

  it('forwards to another host only with --allow-upstream', async () => {
    const upstream = `http://localhost:${await headerEcho()}`
    const { at } = await withRoute({ upstream }, undefined, { allowUpstream: ['localhost'] })
    expect((await ask(at)).status).toBe(200)
  })

  it('fails a request if its upstream disconnects, and serves the next', async () => {
    let length = 100
    const upstream = await listening(
      createServer(socket => {
        socket.once('data', () =>
          socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\nwhole`),
        )
      }),
    )
    const { at } = await withRoute({ upstream: `http://127.0.0.1:${upstream}` })
    expect((await ask(at)).error).toBe('ECONNRESET')
    length = 5
    expect((await ask(at)).text).toBe('whole')
  })

  it('survives bytes that are not HTTP and clients that disconnect', async () => {
    const { at, edgePort } = await withEcho()
    for (const bytes of [
      '\x16\x03\x01nonsense',
      'GET / HTTP/1.1\r\n',
      'GET / HTTP/1.1\r\nHost: h\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\n\r\n',
    ]) {
      const { socket, closed } = dial(edgePort)
      socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()))
      await closed
    }
    expect((await ask(at)).status).toBe(200)
  })
})
