import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ask, listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echoHeaders, headerEcho, pairs, UPGRADE, withEdges, withRoute } from './edges.ts'

const EDGE = 'edghts_a'

/** The upstream responds with the request headers. */
const withEcho = (route: Record<string, unknown> = {}, options = {}) => withRoute(route, echoHeaders, options)

describe('An HTTPS edge with several routes', async () => {
  const upstream = `http://127.0.0.1:${await headerEcho()}`
  const routes = [
    { id: 'edghtsrt_root', match: '/', upstream },
    { id: 'edghtsrt_v2', match: '/api/v2', upstream },
    { id: 'edghtsrt_api', match: '/api', upstream },
    { id: 'edghtsrt_exact', match_type: 'exact_path', match: '/status', upstream },
    { id: 'edghtsrt_long', match: '/status/deeper', upstream },
  ]
  const { portOf, latest } = await withEdges({ https_edges: [{ id: EDGE, listen: 'http://127.0.0.1:0', routes }] })
  const url = `http://127.0.0.1:${await portOf(EDGE)}`

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
    expect((await ask(url + path)).body.url).toBe(path)
    expect(await latest()).toMatchObject({ route, path: path.split('?')[0], status: 200, method: 'GET' })
  })
})

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

  it('changes only the configured headers', async () => {
    const request_headers = {
      add: { 'X-Both': 'new', 'X-There': 'second', Host: 'inner.test' },
      remove: ['x-both', 'COOKIE', 'X-Absent'],
    }
    const { at, latest } = await withEcho({ request_headers })
    const sent = 'Host outer.test cookie a=1 X-Both old X-There first x-Odd-CASE kept X-Forwarded-For 10.0.0.1'
    const { body } = await ask(at, { headers: sent.split(' ') })
    expect(body.headers.join(' ')).toBe(
      'X-There first x-Odd-CASE kept X-Forwarded-For 10.0.0.1 x-both new x-there second host inner.test Connection keep-alive',
    )
    expect(await latest()).toMatchObject({
      headers: {
        added: { 'x-both': 'new', 'x-there': 'second', host: 'inner.test' },
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

  it.each([
    ['is not enabled', { request_headers: { enabled: false, add: { 'X-A': '1' }, remove: ['x-b'] } }],
    ['is not set', {}],
  ])('changes no header when the module %s', async (_, route) => {
    const { at, latest } = await withEcho(route)
    const { body } = await ask(at, { headers: ['Host', 'h', 'X-B', '2'] })
    expect(body.headers).toEqual(['Host', 'h', 'X-B', '2', 'Connection', 'keep-alive'])
    expect((await latest()).headers).toBeNull()
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

  it.each([
    ['its upstream is down', 502, /^HTTP\/1\.1 502 Bad Gateway/, { upstream: 'http://127.0.0.1:1' }],
    ['its upstream ignores the upgrade', 426, /^HTTP\/1\.1 426 Upgrade Required/, {}],
  ])('returns an error for a WebSocket if %s', async (_, status, says, route) => {
    const { edgePort, latest } = await withRoute(route, (_req, res) => res.writeHead(status).end('no'))
    expect((await talk(edgePort, UPGRADE, { end: false })).said).toMatch(says)
    expect(await latest()).toMatchObject({ path: '/ws', status })
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

  // Others are in upstreams.hostile.test.ts. Windows cannot connect to this address.
  it.skipIf(process.platform === 'win32')('forwards to another host only with --allow-upstream', async () => {
    const upstream = `http://0.0.0.0:${await headerEcho()}`
    const { at } = await withRoute({ upstream }, undefined, { allowUpstream: ['0.0.0.0'] })
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
