import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

/** Paths, Host headers and bytes. For bodies, see bad-bodies.test.ts. */

const simulated = await simulate()
const raw = rawClient(simulated.port)

describe('A path', () => {
  it.each([
    ['//api_keys', '/api_keys'],
    ['/api_keys/', '/api_keys'],
    ['///api_keys//', '/api_keys'],
    ['//api_keys//ak_admin/', '/api_keys/ak_admin'],
    ['/api_keys/?limit=1', '/api_keys?limit=1'],
    ['//api_keys?x=//', '/api_keys?x=//'],
    ['//_sim//state/', '/_sim/state'],
  ])('can have extra slashes, which are not in any uri: %s', async (target, plain) => {
    const [response, expected] = [await raw.request({ target }), await raw.request({ target: plain })]
    expect(response).toMatchObject({ status: 200, body: expected.body })
  })

  it('can omit the first slash, as in OPTIONS *', async () => {
    const response = await raw.request({ target: '*', method: 'OPTIONS' })
    expect(response).toMatchObject({ status: 404, body: { error_code: 'ERR_EDGESIM_404', msg: 'Path /* not found.' } })
  })

  const encoded =
    '/api_keys/% /api_keys/%zz /api_keys/%c3%28 /edges/https/%ff/routes/x/request_headers /_sim/requests/%zz'
  it.each(encoded.split(' '))('requires valid percent-encoding: %s', async target => {
    expect(expectRefusal(await raw.request({ target }), 400, 400).msg).toContain('percent-encoding')
  })

  it.each([
    ...'/nope /API_KEYS /api_keys/ak_admin/token /edges/tcp/edgtcp_ssh/nope /backends /edges'.split(' '),
    ...'/../api_keys /favicon.ico /%61pi_keys /__proto__ /_sim/STATE'.split(' '),
  ])('%s is not found', async target => {
    expect(expectRefusal(await raw.request({ target }), 404, 404).msg).toMatch(/^Path .* not found/)
  })

  it('that is unknown returns the closest match in JSON, before the token is checked', async () => {
    const headers = ['Accept: text/html', 'User-Agent: Mozilla/5.0']
    const without = ['authorization', 'service-version']
    const { details } = expectRefusal(await raw.request({ target: '/api_key', headers, without }), 404, 404)
    expect(details.nearest).toBe('/api_keys')
    expectRefusal(await raw.request({ target: '/nope?<script>alert(1)</script>', headers, without }), 404, 404)
  })

  it.each(['PROPFIND', 'TRACE'])('rejects the method %s with the allowed ones, in JSON', async method => {
    const response = await raw.request({ method, headers: ['Accept: text/html'] })
    expectRefusal(response, 405, 405)
    expect(response.headers.get('allow')).toBe('POST, GET')
  })

  it('can be a full URL, and its host is also checked', async () => {
    const target = (host: string) => ({ target: `http://${host}/api_keys?limit=1` })
    const { status, body } = await raw.request(target(`127.0.0.1:${simulated.port}`))
    expect({ status, items: body.keys.length }).toEqual({ status: 200, items: 1 })
    for (const host of ['evil.example', '127.0.0.1@evil.example', '127.0.0.1.evil.example', ''])
      expectRefusal(await raw.request(target(host)), 403, 403)
  })
})

describe('The control plane', () => {
  it.each<[string, string, number, RegExp]>([
    ['an unknown path', 'GET /_sim/stat', 404, /Path \/_sim\/stat not found\. Did you mean \/_sim\/state\?$/],
    ['a path below a sandbox', 'GET /_sim/sandboxes/default/clok', 404, /\/_sim\/sandboxes\/\{sandbox\}\/clock/],
    ['an unsupported method', 'PATCH /_sim/clock', 405, /does not support PATCH\. Allowed: GET, PUT, DELETE/],
    ['an unknown sandbox', 'GET /_sim/sandboxes/nobody/state', 404, /Sandbox "nobody" not found.*Known: default/],
    [
      'an unknown snapshot',
      'POST /_sim/snapshots/nobody/restore',
      404,
      /Snapshot "nobody" not found.*No snapshots yet/,
    ],
    ['deleting an unknown snapshot', 'DELETE /_sim/snapshots/nobody', 404, /Snapshot "nobody" not found/],
    ['an invalid snapshot name', 'PUT /_sim/snapshots/No', 400, /"No" must match \^\[a-z0-9\]/],
    ['an unknown request', 'GET /_sim/requests/op_none', 404, /Request op_none not found.*1,000 requests/],
    ['a rewind to an unknown request', 'POST /_sim/requests/op_none/rewind', 404, /op_none/],
    ['an unknown collection', 'GET /_sim/db/api_kees', 404, /Did you mean api_keys\?$/],
    ['an unknown collection without a close match', 'GET /_sim/db/zzzzzz', 404, /Known: .*users/],
    ['an unknown record', 'GET /_sim/db/users/usr_admim', 404, /Did you mean usr_admin\?/],
  ])('rejects %s', async (_, request, status, says) => {
    const [method, target] = request.split(' ')
    expect(expectRefusal(await raw.request({ method, target }), status, status).msg).toMatch(says)
  })

  it('accepts HEAD where it accepts GET', async () => {
    const response = await fetch(`${simulated.url}/_sim/health`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('The Host header', () => {
  const host = (...hosts: string[]) => raw.request({ without: ['host'], headers: hosts.map(name => `Host: ${name}`) })

  it('is required exactly once', async () => {
    for (const hosts of [[], ['127.0.0.1', '127.0.0.1'], ['127.0.0.1', 'evil.example']])
      expectRefusal(await host(...hosts), 400, 400)
    expectRefusal(await raw.request({ target: '/_sim/state', without: ['host'] }), 400, 400)
  })

  it.each(['127.0.0.1:1', 'LocalHost:80', 'api.localhost', '[::1]:80', '192.0.2.1'])('can be %s', async name => {
    const { status, body } = await host(name)
    expect({ status, uri: body.uri }).toEqual({ status: 200, uri: `http://${name}/api_keys` })
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    'a@127.0.0.1',
    '[::1',
    '',
    'x y',
  ])('cannot be "%s"', async name => {
    const response = await host(name)
    expectRefusal(response, 403, 403)
    expect(response.body.details).toEqual({})
    expect(response.headers.get('edgesim-operation-id')).toBeNull()
  })
})

describe('A request that is not HTTP', () => {
  const post = (...lines: string[]) => ['POST /api_keys HTTP/1.1', ...lines, '', '0\r\n\r\n'].join('\r\n')

  it.each([
    ['plain words', 'hello there\r\n\r\n'],
    ['a TLS handshake', Buffer.from('16030100f8010000f40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a name', 'GET /api_keys HTTP/1.1\r\n: x\r\n\r\n'],
    ['a space in a header name', 'GET /api_keys HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n'],
    ['two lengths', post('Content-Length: 1', 'Content-Length: 2')],
    ['a length and chunks', post('Content-Length: 1', 'Transfer-Encoding: chunked')],
    ['a negative length', post('Content-Length: -1')],
    ['a path with a non-ASCII byte', Buffer.from('GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n', 'latin1')],
  ])('is rejected in JSON: %s', async (_, bytes) => {
    const response = await raw.bytes(bytes)
    expectRefusal(response, 400, 400)
    expect(response.headers.get('connection')).toBe('close')
  })

  it('is rejected in JSON: an invalid chunk in the middle of a body', async () => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    const response = await raw.request({ method: 'POST', headers, body: '2\r\n{}\r\nnonsense\r\n' })
    expectRefusal(response, 400, 400)
  })

  it('is rejected in JSON: more than 16 KB of headers', async () => {
    expectRefusal(await raw.request({ headers: [`X-Long: ${'x'.repeat(17_000)}`] }), 431, 431)
  })
})
