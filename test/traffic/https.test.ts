import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ask, listening } from '../support/http.ts'
import { dial, talk } from '../support/raw-http.ts'
import { headerEcho, httpUpstream, pairs, withEdges } from './edges.ts'

const EDGE = 'edghts_a'

const edge = (upstream: number, routes: object[] = [{}], listen = 'http://127.0.0.1:0') => ({
  https_edges: [
    {
      id: EDGE,
      listen,
      routes: routes.map((route, i) => ({ id: `edghtsrt_${i}`, upstream: `http://127.0.0.1:${upstream}`, ...route })),
    },
  ],
})

describe('An HTTPS edge', () => {
  it('terminates TLS with the certificate of the simulator, or speaks plain HTTP', async () => {
    const upstream = await headerEcho()
    const state = edge(upstream)
    state.https_edges[0]!.listen = '127.0.0.1:0'
    const { call, traffic, url: origin } = await withEdges(state)
    await call('PATCH', `/edges/https/${EDGE}`, { hostports: ['127.0.0.1:0', 'http://127.0.0.1:0'] })
    const { listeners, certificate } = await traffic()
    const urls = listeners.map(({ url }: { url: string }) => url)
    expect(urls).toEqual([expect.stringMatching(/^https:\/\/127/), expect.stringMatching(/^http:\/\/127/)])
    for (const url of urls) expect((await ask(`${url}/x`, { ca: certificate })).status).toBe(200)
    expect((await ask(urls[0])).error).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
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
  ])('routes %s to %s: exact before prefix, and the longest wins', async (path, route) => {
    const upstream = await headerEcho()
    const { portOf, decisions } = await withEdges(
      edge(upstream, [
        { id: 'edghtsrt_root', match: '/' },
        { id: 'edghtsrt_v2', match: '/api/v2' },
        { id: 'edghtsrt_api', match: '/api' },
        { id: 'edghtsrt_exact', match_type: 'exact_path', match: '/status' },
        { id: 'edghtsrt_long', match: '/status/deeper' },
      ]),
    )
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}${path}`)
    expect(JSON.parse(text).url).toBe(path)
    expect((await decisions())[0]).toMatchObject({ route, path: path.split('?')[0], status: 200, method: 'GET' })
  })

  it('cuts off an answer that its upstream cuts off', async () => {
    const upstream = await httpUpstream((_req, res) => {
      res.writeHead(200, { 'Content-Length': 1000 }).write('half of it', () => res.socket!.resetAndDestroy())
    })
    const { portOf } = await withEdges(edge(upstream))
    expect((await ask(`http://127.0.0.1:${await portOf(EDGE)}/`)).error).toBe('ECONNRESET')
  })

  it('changes the headers it is told to, and nothing else', async () => {
    const upstream = await headerEcho()
    const request_headers = {
      add: { 'X-Both': 'new', 'X-There': 'second', 'X-New': 'n', Host: 'inner.test' },
      remove: ['x-both', 'COOKIE', 'X-Absent'],
    }
    const { portOf, decisions } = await withEdges(edge(upstream, [{ request_headers }]))
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
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`, { headers: sent })
    const got = pairs(JSON.parse(text).headers).filter(([name]) => name !== 'Connection')
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
    expect((await decisions())[0]).toMatchObject({
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

  it.each(['__proto__', 'constructor', 'toString'])('passes a header on that is called %s', async name => {
    const upstream = await headerEcho()
    const { call, portOf } = await withEdges(edge(upstream, [{ request_headers: { add: { 'X-A': '1' } } }]))
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`, { headers: ['Host', 'h', name, 'mine'] })
    expect(pairs(JSON.parse(text).headers)).toContainEqual([name, 'mine'])
    const { body } = await call('POST', '/_sim/traffic/check', { edge: EDGE, headers: { 'X-B': '2' } })
    expect(body.headers).toEqual({ 'X-B': '2', 'x-a': '1' })
  })

  it('replaces an existing header if add_existing_header=replace', async () => {
    const upstream = await headerEcho()
    const { portOf } = await withEdges(edge(upstream, [{ request_headers: { add: { 'X-A': 'new' } } }]), {
      assume: { add_existing_header: 'replace' },
    })
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`, { headers: { 'x-a': ['1', '2'] } })
    const own = pairs(JSON.parse(text).headers).filter(([name]) => /^x-a$/i.test(name))
    expect(own).toEqual([['x-a', 'new']])
  })

  it.each([
    ['is not enabled', { request_headers: { enabled: false, add: { 'X-A': '1' }, remove: ['x-b'] } }],
    ['is not set', {}],
  ])('changes nothing when the module %s', async (_, route) => {
    const upstream = await headerEcho()
    const { portOf, decisions } = await withEdges(edge(upstream, [route]))
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`, { headers: ['Host', 'h', 'X-B', '2'] })
    expect(pairs(JSON.parse(text).headers)).toEqual([
      ['Host', 'h'],
      ['X-B', '2'],
      ['Connection', 'keep-alive'],
    ])
    expect((await decisions())[0]!.headers).toBeNull()
  })

  it('passes the answer on unchanged', async () => {
    const upstream = await httpUpstream((_req, res) => {
      res.sendDate = false
      res.writeHead(207, 'Quite So', [
        'X-Odd-CASE',
        '1',
        'Set-Cookie',
        'a',
        'Set-Cookie',
        'b',
        'x-twice',
        '1',
        'X-Twice',
        '2',
      ])
      res.end('body')
    })
    const { portOf } = await withEdges(edge(upstream))
    const { status, rawHeaders, text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`)
    expect({ status, text }).toEqual({ status: 207, text: 'body' })
    expect(pairs(rawHeaders).filter(([name]) => !/^(connection|transfer-encoding|keep-alive)$/i.test(name))).toEqual([
      ['X-Odd-CASE', '1'],
      ['Set-Cookie', 'a'],
      ['Set-Cookie', 'b'],
      ['x-twice', '1'],
      ['X-Twice', '2'],
    ])
  })

  it.each([
    ['with a length', { 'Content-Length': '5' }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('passes bodies on, %s, with any method', async (_, headers) => {
    const upstream = await httpUpstream((req, res) => {
      let text = ''
      req.on('data', chunk => {
        text += chunk
      })
      req.on('end', () => res.end(`${req.method} ${text}`))
    })
    const { portOf } = await withEdges(edge(upstream))
    const url = `http://127.0.0.1:${await portOf(EDGE)}/`
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
      expect((await ask(url, { method, headers, body: 'hello' })).text).toBe(`${method} hello`)
  })

  it('adds no length to a request without a body', async () => {
    const upstream = await headerEcho()
    const { portOf } = await withEdges(edge(upstream))
    for (const method of ['DELETE', 'OPTIONS', 'HEAD', 'GET']) {
      const { status, text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/`, { method, headers: ['Host', 'h'] })
      expect(status).toBe(200)
      if (method !== 'HEAD')
        expect(pairs(JSON.parse(text).headers).map(([name]) => name)).toEqual(['Host', 'Connection'])
    }
  })

  it('streams: the client has the first part before the upstream sends the second', async () => {
    let finish = () => {}
    const upstream = await httpUpstream((_req, res) => {
      res.write('first')
      finish = () => res.end('second')
    })
    const { portOf } = await withEdges(edge(upstream))
    const response = await fetch(`http://127.0.0.1:${await portOf(EDGE)}/`)
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
    finish()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('second')
  })

  it('keeps the connection for the next request', async () => {
    const upstream = await headerEcho()
    const { portOf, traffic } = await withEdges(edge(upstream))
    const port = await portOf(EDGE)
    const { socket, closed } = dial(port)
    socket.write('GET /1 HTTP/1.1\r\nHost: h\r\n\r\n')
    await once(socket, 'data')
    socket.write('GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
    expect((await closed).said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect((await traffic()).listeners[0]).toMatchObject({ connections: 1, allowed: 2 })
  })

  it('carries WebSockets', async () => {
    const server = createHttpServer()
    const seen: string[][] = []
    server.on('upgrade', (req, socket) => {
      seen.push(req.rawHeaders)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
    const upstream = await listening(server)
    const { portOf, decisions } = await withEdges(edge(upstream, [{ request_headers: { add: { 'X-Edge': 'e' } } }]))
    const port = await portOf(EDGE)
    const { socket, said } = dial(port)
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: k\r\n\r\n',
    )
    await expect.poll(said).toMatch(/^HTTP\/1\.1 101 .*\r\n\r\n$/s)
    socket.write('ping')
    await expect.poll(said).toMatch(/\r\n\r\nping$/)
    expect(pairs(seen[0]!)).toContainEqual(['x-edge', 'e'])
    expect((await decisions())[0]).toMatchObject({ status: 101, path: '/ws', route: 'edghtsrt_0' })
  })

  it.each([
    ['nobody is there', undefined, /^HTTP\/1\.1 502 Bad Gateway/],
    ['it is not taken up', 426, /^HTTP\/1\.1 426 Upgrade Required/],
  ])('answers a WebSocket if %s', async (_, answered, says) => {
    const there = await httpUpstream((_req, res) => res.writeHead(answered ?? 200).end('no'))
    const { portOf, decisions } = await withEdges(edge(answered ? there : 1))
    const port = await portOf(EDGE)
    const { said } = await talk(
      port,
      'GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      { end: false },
    )
    expect(said).toMatch(says)
    expect((await decisions())[0]).toMatchObject({ path: '/ws', status: answered ?? 502 })
  })

  it('sends no Host where the request has none', async () => {
    const upstream = await listening(
      createServer(socket => {
        socket.once('data', chunk => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${chunk.length}\r\n\r\n${chunk}`))
      }),
    )
    const { portOf } = await withEdges(edge(upstream))
    const { said } = await talk(await portOf(EDGE), 'GET /x HTTP/1.0\r\nX-A: 1\r\n\r\n', { end: false })
    expect(said).toMatch(/\r\n\r\nGET \/x HTTP\/1\.1\r\nX-A: 1\r\nConnection: .*\r\n\r\n$/)
  })

  it('notes a client that leaves before the answer', async () => {
    let asked = () => {}
    const arrived = new Promise<void>(resolve => {
      asked = resolve
    })
    const upstream = await httpUpstream(() => asked())
    const { portOf, decisions } = await withEdges(edge(upstream))
    const { socket } = dial(await portOf(EDGE))
    socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
    await arrived
    socket.destroy()
    await expect.poll(decisions).toMatchObject([{ path: '/slow', status: null }])
    expect((await decisions())[0]!.explanation.text).toContain('The client left before it was answered.')
  })

  it('answers 404 where no route matches, 502 where the upstream is down, in JSON', async () => {
    const { portOf, decisions } = await withEdges(
      {
        https_edges: [
          {
            id: EDGE,
            listen: 'http://127.0.0.1:0',
            routes: [
              { id: 'edghtsrt_down', match: '/down', upstream: 'http://127.0.0.1:1' },
              { id: 'edghtsrt_none', match: '/none' },
              { id: 'edghtsrt_away', match: '/away', upstream: 'http://192.0.2.1' },
            ],
          },
        ],
      },
      { vendor: 'ngrok' },
    )
    const url = `http://127.0.0.1:${await portOf(EDGE)}`
    const answers = await Promise.all(['/nope', '/down', '/none', '/away'].map(path => ask(url + path)))
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).error_code])).toEqual([
      [404, 'ERR_EDGESIM_404'],
      [502, 'ERR_EDGESIM_502'],
      [502, 'ERR_EDGESIM_502'],
      [502, 'ERR_EDGESIM_502'],
    ])
    expect(JSON.parse(answers[1]!.text).msg).toMatch(
      /edghts_a cannot reach its upstream http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    )
    expect(JSON.parse(answers[2]!.text).msg).toContain('edghtsrt_none has no upstream')
    expect(JSON.parse(answers[3]!.text).msg).toContain('--allow-upstream 192.0.2.1')
    expect(await decisions()).toHaveLength(4)
  })

  it('sends the path of an upstream before that of the request', async () => {
    const upstream = await headerEcho()
    const { portOf } = await withEdges(edge(upstream, [{ upstream: `http://127.0.0.1:${upstream}/base/` }]))
    const { text } = await ask(`http://127.0.0.1:${await portOf(EDGE)}/a?b`)
    expect(JSON.parse(text).url).toBe('/base/a?b')
  })

  it('forwards to another host only with --allow-upstream', async () => {
    const upstream = await headerEcho()
    const options = { allowUpstream: ['localhost'] }
    const { portOf } = await withEdges(edge(upstream, [{ upstream: `http://localhost:${upstream}` }]), options)
    expect((await ask(`http://127.0.0.1:${await portOf(EDGE)}/`)).status).toBe(200)
  })

  it('fails a request if the upstream breaks off, and goes on with others', async () => {
    let broken = true
    const upstream = await listening(
      createServer(socket => {
        socket.once('data', () => {
          if (broken) return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
          return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwhole')
        })
      }),
    )
    const { portOf } = await withEdges(edge(upstream))
    const url = `http://127.0.0.1:${await portOf(EDGE)}/`
    expect((await ask(url)).error).toBe('ECONNRESET')
    broken = false
    expect((await ask(url)).text).toBe('whole')
  })

  it('survives bytes that are not HTTP, and clients that leave', async () => {
    const upstream = await headerEcho()
    const { portOf } = await withEdges(edge(upstream))
    const port = await portOf(EDGE)
    for (const bytes of [
      '\x16\x03\x01nonsense',
      'GET / HTTP/1.1\r\n',
      'GET / HTTP/1.1\r\nHost: h\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\n\r\n',
    ]) {
      const { socket, closed } = dial(port)
      socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()))
      await closed
    }
    expect((await ask(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })
})
