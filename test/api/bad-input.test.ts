import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

const JSON_TYPE = 'Content-Type: application/json'
const PUT_PATH = '/edges/tcp/edgtcp_ssh/ip_restriction'

const simulated = await simulate()
const raw = rawClient(simulated.port)

describe('A path', () => {
  it.each([
    '//api_keys',
    '/api_keys/',
    '///api_keys//',
    '//api_keys//ak_admin/',
    '/api_keys/?limit=1',
    '//api_keys?x=//',
  ])('may have extra slashes: %s', async target => {
    expect((await raw.request({ target })).status).toBe(200)
  })

  it('may lack its first slash, as in OPTIONS *', async () => {
    const answer = await raw.request({ target: '*', method: 'OPTIONS' })
    expect(answer).toMatchObject({ status: 404, body: { error_code: 'ERR_EDGESIM_404', msg: 'There is no path /*.' } })
  })

  it('appears in uris without its extra slashes', async () => {
    const { body } = await raw.request({ target: '//api_keys/' })
    expect(body.uri).toBe(`${simulated.url}/api_keys`)
  })

  it.each([
    '/api_keys/%',
    '/api_keys/%zz',
    '/api_keys/%c3%28',
    '/edges/https/%ff/routes/x/request_headers',
  ])('must have valid percent-encoding: %s', async target => {
    expectRefusal(await raw.request({ target }), 400, 400)
  })

  it.each([
    '/nope',
    '/API_KEYS',
    '/api_keys/ak_admin/token',
    '/edges/tcp/edgtcp_ssh/nope',
    '/backends',
    '/edges',
    '/../api_keys',
    '/favicon.ico',
    '/%61pi_keys',
    '/__proto__',
  ])('%s does not exist', async target => {
    expectRefusal(await raw.request({ target }), 404, 404)
  })

  it('is checked before the token', async () => {
    expectRefusal(await raw.request({ target: '/nope', without: ['authorization', 'service-version'] }), 404, 404)
    expectRefusal(await raw.request({ method: 'DELETE', without: ['authorization'] }), 405, 405)
  })

  it('that does not exist is answered with the nearest one', async () => {
    expect(expectRefusal(await raw.request({ target: '/api_key' }), 404, 404).details.nearest).toBe('/api_keys')
  })

  it('that does not exist is answered in JSON whatever Accept says', async () => {
    const headers = ['Accept: text/html', 'User-Agent: Mozilla/5.0']
    expectRefusal(await raw.request({ target: '/nope', headers }), 404, 404)
    expectRefusal(await raw.request({ target: '/nope?<script>alert(1)</script>', headers }), 404, 404)
    expectRefusal(await raw.request({ method: 'DELETE', headers }), 405, 405)
  })

  it.each([
    ['DELETE', '/api_keys', 'POST, GET'],
    ['PUT', '/api_keys/ak_admin', 'GET, PATCH, DELETE'],
    ['POST', PUT_PATH, 'PUT, GET, DELETE'],
    ['OPTIONS', '/api_keys', 'POST, GET'],
    ['PROPFIND', '/api_keys', 'POST, GET'],
    ['TRACE', '/api_keys', 'POST, GET'],
  ])('answers a method it does not have with those it has: %s %s', async (method, target, allow) => {
    const answer = await raw.request({ method, target })
    expectRefusal(answer, 405, 405)
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('may be a whole URL, whose host is then checked too', async () => {
    const target = (host: string) => ({ target: `http://${host}/api_keys?limit=1` })
    const { status, body } = await raw.request(target(`127.0.0.1:${simulated.port}`))
    expect({ status, items: body.keys.length }).toEqual({ status: 200, items: 1 })
    for (const host of ['evil.example', '127.0.0.1@evil.example', '127.0.0.1.evil.example', ''])
      expectRefusal(await raw.request(target(host)), 403, 403)
  })
})

describe('The Host header', () => {
  const host = (...hosts: string[]) => raw.request({ without: ['host'], headers: hosts.map(name => `Host: ${name}`) })

  it('must be present exactly once', async () => {
    expectRefusal(await host(), 400, 400)
    expectRefusal(await host('127.0.0.1', '127.0.0.1'), 400, 400)
    expectRefusal(await host('127.0.0.1', 'evil.example'), 400, 400)
  })

  it.each([
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost',
    'LocalHost:80',
    'api.localhost',
    '[::1]:80',
    '192.0.2.1',
  ])('may be %s', async name => {
    const { status, body } = await host(name)
    expect({ status, uri: body.uri }).toEqual({ status: 200, uri: `http://${name}/api_keys` })
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil',
    'a@127.0.0.1',
    '[::1',
    '',
    'x y',
  ])('may not be "%s"', async name => {
    const answer = await host(name)
    expectRefusal(answer, 403, 403)
    expect(answer.body.details).toEqual({})
    expect(answer.headers.get('edgesim-operation-id')).toBeNull()
  })
})

describe('A request that is not HTTP', () => {
  it.each([
    ['words', 'hello there\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100f8010000f40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a name', 'GET /api_keys HTTP/1.1\r\n: x\r\n\r\n'],
    ['a blank in a header name', 'GET /api_keys HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n'],
    ['two lengths', 'POST /api_keys HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST /api_keys HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length below zero', 'POST /api_keys HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
    ['a path with a byte beyond ASCII', Buffer.from('GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n', 'latin1')],
  ])('is refused in JSON: %s', async (_, bytes) => {
    const answer = await raw.bytes(bytes)
    expectRefusal(answer, 400, 400)
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('is refused in JSON: bytes that are not a chunk in the middle of a body', async () => {
    const headers = [JSON_TYPE, 'Transfer-Encoding: chunked']
    const answer = await raw.request({ method: 'POST', headers, body: '2\r\n{}\r\nnonsense\r\n' })
    expectRefusal(answer, 400, 400)
  })

  it('is refused in JSON: more than 16 KB of headers', async () => {
    expectRefusal(await raw.request({ headers: [`X-Long: ${'x'.repeat(17_000)}`] }), 431, 431)
  })

  it('is not in the journal', async () => {
    const journal = async () => (await simulated.call('GET', '/_sim/requests')).body.requests
    await raw.request({ target: '/first' })
    await raw.bytes('hello\r\n\r\n')
    await raw.request({ without: ['host'] })
    await raw.request({ without: ['host'], headers: ['Host: evil.example'] })
    await raw.request({ target: '/second' })
    expect((await journal()).slice(0, 2)).toMatchObject([{ path: '/second' }, { path: '/first' }])
  })
})
