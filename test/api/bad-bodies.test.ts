import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

const JSON_TYPE = 'Content-Type: application/json'
const KB64 = 64 * 1024
const PUT_PATH = '/edges/tcp/edgtcp_ssh/ip_restriction'

const simulated = await simulate()
const raw = rawClient(simulated.port)

/** An object nested that deep. */
const nested = (depth: number) => `${'{"metadata":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

describe('A body', () => {
  const post = (body: string | Uint8Array, headers = [JSON_TYPE]) => raw.send('POST', '/api_keys', body, headers)

  it.each([
    ['cut off', '{"description":"x"'],
    ['with a comma too many', '{"description":"x",}'],
    ['in single quotes', "{'description':'x'}"],
    ['with a comment', '{"description":"x"} // why'],
    ['of two objects', '{}{}'],
    ['of a form', 'description=x'],
    ['of blanks', '  \r\n '],
    ['of one NUL', '\0'],
    ['with a bare control character in a string', '{"description":"a\nb"}'],
    ['of NaN', '{"description":NaN}'],
  ])('%s is not JSON', async (_, body) => {
    const { msg } = expectRefusal(await post(body), 400, 213)
    expect(msg).toContain('it is not JSON')
  })

  it.each([
    ['[]', 'a list'],
    ['[{"description":"x"}]', 'a list'],
    ['null', 'null'],
    ['"description"', 'a string'],
    ['7', 'a number'],
    ['true', 'a boolean'],
  ])('%s is not an object', async (body, kind) => {
    const { msg } = expectRefusal(await post(body), 400, 213)
    expect(msg).toContain(`it is ${kind}, not an object`)
  })

  it('may be nested 20 levels deep, but not 21', async () => {
    // As deep as allowed, it is read, and then it is no text.
    expectRefusal(await post(nested(20)), 400, 215)
    expect(expectRefusal(await post(nested(21)), 400, 213).msg).toContain('deeper than 20')
    const list = `{"metadata":${'['.repeat(20)}${']'.repeat(20)}}`
    expectRefusal(await post(list), 400, 213)
  })

  it('nested deeper than any stack is refused', async () => {
    expectRefusal(await post(`{"metadata":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), 400, 213)
    expectRefusal(await post(nested(4_000)), 400, 213)
  })

  it('must be UTF-8', async () => {
    const invalid = Buffer.from('{"description":"\xff\xfe"}', 'latin1')
    expect(expectRefusal(await post(invalid), 400, 213).msg).toContain('it is not UTF-8')
    const cut = Buffer.from('{"description":"€').subarray(0, -1)
    expectRefusal(await post(Buffer.concat([cut, Buffer.from('"}')])), 400, 213)
    const surrogate = Buffer.from([...Buffer.from('{"description":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])
    expectRefusal(await post(surrogate), 400, 213)
  })

  it('may begin with a byte order mark', async () => {
    expect((await post('\ufeff{"description":"x"}')).body.description).toBe('x')
  })

  it.each([
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['application/json; charset="utf-8"'],
    ['application/json; charset=utf8; profile=x'],
    ['APPLICATION/JSON'],
    ['application/json;'],
  ])('may be declared as %s', async type => {
    expect((await post('{}', [`Content-Type: ${type}`])).status).toBe(201)
  })

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    ['application/vnd.api+json'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=iso-8859-1'],
    ['json'],
    ['*/*'],
  ])('may not be declared as %s', async type => {
    const { msg } = expectRefusal(await post('{}', [`Content-Type: ${type}`]), 415, 210)
    expect(msg).toContain(type)
  })

  it('must have a content type', async () => {
    expectRefusal(await post('{}', []), 415, 216)
    expectRefusal(await post('{}', ['Content-Type:']), 415, 216)
  })

  it('may have 64 KB, but not one byte more', async () => {
    const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
    expect((await post(padded(KB64 - 1))).status).toBe(201)
    expect((await post(padded(KB64))).status).toBe(201)
    const answer = await post(padded(KB64 + 1))
    expect(expectRefusal(answer, 413, 413).msg).toContain('64 KB')
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('may have 64 KB in chunks, but not one byte more', async () => {
    const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
    const chunked = (bytes: number) =>
      raw.request({
        method: 'POST',
        headers: [JSON_TYPE, 'Transfer-Encoding: chunked'],
        body: `2\r\n{}\r\n${chunk(bytes - 2)}0\r\n\r\n`,
      })
    expect((await chunked(KB64)).status).toBe(201)
    expectRefusal(await chunked(KB64 + 1), 413, 413)
  })

  it('may be compressed', async () => {
    const { status, body } = await post(gzipSync('{"description":"zipped"}'), [JSON_TYPE, 'Content-Encoding: gzip'])
    expect({ status, description: body.description }).toEqual({ status: 201, description: 'zipped' })
  })

  it('may have no more than 64 KB when it is decompressed', async () => {
    const zip = (bytes: number) => post(gzipSync(`{}${' '.repeat(bytes - 2)}`), [JSON_TYPE, 'Content-Encoding: gzip'])
    expect((await zip(KB64)).status).toBe(201)
    expectRefusal(await zip(KB64 + 1), 413, 413)
    expectRefusal(await zip(16 * 1024 * 1024), 413, 413)
  })

  it('must be compressed as its Content-Encoding says', async () => {
    expectRefusal(await post('{}', [JSON_TYPE, 'Content-Encoding: gzip']), 400, 213)
    expectRefusal(await post(gzipSync('{}').subarray(0, 12), [JSON_TYPE, 'Content-Encoding: gzip']), 400, 213)
    const { msg } = expectRefusal(await post('{}', [JSON_TYPE, 'Content-Encoding: zip']), 415, 415)
    expect(msg).toContain('content encoding zip')
  })
})

describe.each([
  ['POST', '/api_keys', 201],
  ['PATCH', '/api_keys/ak_ci', 200],
  ['PUT', PUT_PATH, 200],
])('An empty body of %s', (method, target, status) => {
  it.each([
    ['nothing said', []],
    ['Content-Length: 0', ['Content-Length: 0']],
    ['a content type', [JSON_TYPE]],
    ['a content type and Content-Length: 0', [JSON_TYPE, 'Content-Length: 0']],
    ['another content type', ['Content-Type: text/plain', 'Content-Length: 0']],
  ])('counts as {}, with %s', async (_, headers) => {
    expect((await raw.request({ method, target, headers })).status).toBe(status)
  })

  it.each([
    ['a content type', [JSON_TYPE]],
    ['none', []],
  ])('counts as {} in chunks, with %s', async (_, headers) => {
    const chunked = [...headers, 'Transfer-Encoding: chunked']
    expect((await raw.request({ method, target, headers: chunked, body: '0\r\n\r\n' })).status).toBe(status)
  })
})

describe.each([
  ['GET', '/api_keys/ak_admin', 200],
  ['GET', '/api_keys', 200],
  ['DELETE', '/edges/tcp/edgtcp_database/ip_restriction', 204],
])('%s %s', (method, target, status) => {
  it.each([
    ['JSON', '{}', [JSON_TYPE]],
    ['anything', 'x', []],
  ])('refuses a body of %s', async (_, body, headers) => {
    const { msg } = expectRefusal(await raw.send(method, target, body, headers), 400, 211)
    expect(msg).toContain(`${body.length} bytes`)
  })

  it('refuses a body in chunks', async () => {
    const headers = ['Transfer-Encoding: chunked']
    expectRefusal(await raw.request({ method, target, headers, body: '1\r\nx\r\n0\r\n\r\n' }), 400, 211)
  })

  it('accepts a content type without a body, a length of 0, and an empty chunked body', async () => {
    for (const headers of [[JSON_TYPE], ['Content-Length: 0'], [JSON_TYPE, 'Content-Length: 0']])
      expect((await raw.request({ method, target, headers })).status).toBe(status)
    const chunked = { headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' }
    expect((await raw.request({ method, target, ...chunked })).status).toBe(status)
  })
})
