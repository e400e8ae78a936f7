import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { rawClient } from '../../support/raw-http.ts'
import { tableIn } from '../../support/tables.ts'

/** Paths and bytes. For bodies, see bad-bodies.test.ts. */

const rejected: [what: string, request: string, status: number, says: string][] = tableIn(
  import.meta.url,
  'bad-input.yaml',
)

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
})

describe('The control plane', () => {
  it.each(rejected)('rejects %s', async (_, request, status, says) => {
    const [method, target] = request.split(' ')
    expect(expectRefusal(await raw.request({ method, target }), status, status).msg).toMatch(new RegExp(says))
  })

  it('accepts HEAD where it accepts GET', async () => {
    const response = await fetch(`${simulated.url}/_sim/health`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
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
})
