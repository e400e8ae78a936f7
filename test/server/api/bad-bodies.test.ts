import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { rawClient } from '../../support/raw-http.ts'

/** The control plane rejects the same bodies as the API, with ERR_EDGESIM codes. */

const typed = (type: string) => [`Content-Type: ${type}`]
const JSON_TYPE = typed('application/json')
const GZIP = [...JSON_TYPE, 'Content-Encoding: gzip']
const KB64 = 64 * 1024
const MB16 = 16 * 1024 * 1024

const { call, port } = await simulate()
const raw = rawClient(port)
const state = async () => (await call('GET', '/_sim/state')).text

const nested = (depth: number) => `${'{"metadata":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
const inLists = (depth: number) => `{"metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`
const text = (...bytes: number[]) =>
  Buffer.concat([Buffer.from('{"description":"'), Buffer.from([...bytes, 0x22, 0x7d])])
const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`

type Rejected = [what: string, body: string | Uint8Array, headers: string[], status: number, code: number, says: string]
const notJson = (what: string, body: string): Rejected => [what, body, JSON_TYPE, 400, 213, 'it is not JSON']
const notUtf8 = (what: string, ...bytes: number[]): Rejected => [what, text(...bytes), JSON_TYPE, 400, 213, 'not UTF-8']
const tooDeep = (what: string, body: string): Rejected => [what, body, JSON_TYPE, 400, 213, 'deeper than 20']
const declaredAs = (type: string): Rejected => [`declared as ${type}`, '{}', typed(type), 415, 210, type]

const types = [
  ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1', 'multipart/form-data; boundary=x'],
  ...'text/plain application/x-www-form-urlencoded application/jsonp application/vnd.api+json json */*'.split(' '),
]

const rejected: Rejected[] = [
  notJson('cut off', '{"description":"x"'),
  notJson('with a trailing comma', '{"description":"x",}'),
  notJson('in single quotes', "{'description':'x'}"),
  notJson('with a comment', '{"description":"x"} // why'),
  notJson('with two objects', '{}{}'),
  notJson('with form data', 'description=x'),
  notJson('with only whitespace', '  \r\n '),
  notJson('with a NUL character', '\0'),
  notJson('with an unescaped control character', '{"description":"a\nb"}'),
  notJson('with NaN', '{"description":NaN}'),
  notUtf8('with bytes that are not UTF-8', 0xff, 0xfe),
  notUtf8('with an incomplete character', 0xe2, 0x82),
  notUtf8('with a surrogate', 0xed, 0xa0, 0x80),
  tooDeep('with objects nested 21 levels deep', nested(21)),
  tooDeep('with lists nested 21 levels deep', inLists(20)),
  ...types.map(declaredAs),
  ['declared as compressed that is not', '{}', GZIP, 400, 213, 'decompression failed'],
  ['with truncated compressed data', gzipSync('{}').subarray(0, 12), GZIP, 400, 213, 'decompression failed'],
  ['in an unknown encoding', '{}', [...JSON_TYPE, 'Content-Encoding: zip'], 415, 415, 'content encoding zip'],
]

describe.each<[string, string, string, boolean]>([
  ['API', 'POST', '/api_keys', false],
  ['control plane', 'PUT', '/_sim/state', true],
  ['control plane route without a body', 'POST', '/_sim/reset', true],
])('The %s rejects a body', (_, method, path, ownErrors) => {
  it.each(rejected)('%s', async (_, body, headers, status, code, says) => {
    const before = await state()
    const { msg } = expectRefusal(await raw.send(method, path, body, headers), status, ownErrors ? status : code)
    expect(msg).toContain(says)
    expect(await state()).toBe(before)
  })
})

describe.each<[string, string, number]>([
  ['API', '/api_keys', 201],
  ['control plane', '/_sim/reset', 204],
])('The %s accepts a body', (_, path, status) => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8; profile=x',
    'APPLICATION/JSON',
    'application/json;',
  ])('declared as %s', async type => {
    expect((await raw.send('POST', path, '{}', typed(type))).status).toBe(status)
  })

  it('with a byte order mark, with compression, and with 64 KB', async () => {
    for (const body of ['\ufeff{}', padded(KB64)])
      expect((await raw.send('POST', path, body, JSON_TYPE)).status).toBe(status)
    expect((await raw.send('POST', path, gzipSync(padded(KB64)), GZIP)).status).toBe(status)
  })
})

describe('An API request body', () => {
  const post = (body: string | Uint8Array, headers = JSON_TYPE) => raw.send('POST', '/api_keys', body, headers)

  it.each([
    ['[]', 'a list'],
    ['[{"description":"x"}]', 'a list'],
    ['null', 'null'],
    ['"description"', 'a string'],
    ['7', 'a number'],
    ['true', 'a boolean'],
  ])('%s is not an object', async (body, kind) => {
    expect(expectRefusal(await post(body), 400, 213).msg).toContain(`it must be an object, got ${kind}`)
  })

  it('can be nested 20 levels deep, compressed, or start with a byte order mark', async () => {
    expect(expectRefusal(await post(nested(20)), 400, 215).details.field).toBe('metadata')
    expect((await post(gzipSync('{"description":"zipped"}'), GZIP)).body.description).toBe('zipped')
    expect((await post('\ufeff{"description":"x"}')).body.description).toBe('x')
  })

  it('requires a content type', async () => {
    expectRefusal(await post('{}', []), 415, 216)
    expectRefusal(await post('{}', typed('')), 415, 216)
  })

  it('is limited to 64 KB, plain or compressed', async () => {
    const response = await post(padded(KB64 + 1))
    expect(expectRefusal(response, 413, 413).msg).toContain('64 KB')
    expect(response.headers.get('connection')).toBe('close')
    for (const bytes of [KB64 + 1, MB16]) expectRefusal(await post(gzipSync(padded(bytes)), GZIP), 413, 413)
  })

  it('is limited to 64 KB in chunks', async () => {
    const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
    const headers = [...JSON_TYPE, 'Transfer-Encoding: chunked']
    const chunked = (bytes: number) =>
      raw.request({ method: 'POST', headers, body: `2\r\n{}\r\n${chunk(bytes - 2)}0\r\n\r\n` })
    expect((await chunked(KB64)).status).toBe(201)
    expectRefusal(await chunked(KB64 + 1), 413, 413)
  })
})

const many = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`)
const members = (count: number) => Object.fromEntries(many(count).map(name => [name, 0]))

const exceeds = (where: string, limit: string) => `"${where}" in the body exceeds the limit of ${limit}`
const on = (path: unknown) => ({ when: { path } })

const TOO_LONG: [where: string, body: object, says: string][] = [
  ['PUT scenario', { rules: [{}, on(many(1_001))] }, exceeds('rules[1].when.path', '1000 items')],
  ['PUT scenario', { rules: [on(many(301))] }, 'rules[0].when.path: must be a list of up to 300, got 301'],
  ['PUT scenario', { state: { users: many(2_000) }, rules: many(1_001) }, exceeds('rules', '1000 items')],
  ['PUT scenario', { rules: [on('*'.repeat(1_001))] }, 'when.path: must have up to 1000 characters, got 1001'],
  ['PUT state', { users: [{}, { a: members(1_001) }] }, exceeds('users[1].a', '1000 fields')],
  ['PUT state', { users: many(30) }, '; and more'],
  ['PUT clock', { now: 'a'.repeat(2 ** 20 + 1) }, exceeds('now', '1048576 bytes')],
  ['POST requests/verify', { where: { body: Array(50).fill(many(900)) } }, 'exceeds the limit of 40000 values'],
  ['POST requests/verify', { path: '*'.repeat(1_001) }, '"path" can have up to 1000 characters, got 1001'],
]

describe('A control plane request body', () => {
  it('is limited to 16 MB, plain or compressed, and the error explains how to load more', async () => {
    const large = padded(MB16 + 1)
    const put = (body: string | Uint8Array, headers: string[]) => raw.send('PUT', '/_sim/state', body, headers)
    for (const response of [await put(large, JSON_TYPE), await put(gzipSync(large), GZIP)])
      expect(expectRefusal(response, 413, 413).msg).toBe(
        'The body is too large. The limit is 16 MB. Start edgesim with a larger state as its fixture: edgesim FILE.',
      )
  })

  it.each([
    ['where no body is accepted', 'POST', '/_sim/reset', '{"fixture":"empty"}', 'does not accept a body'],
    ['for a snapshot', 'PUT', '/_sim/snapshots/a', '{"users":[]}', 'does not accept a body'],
    ['that is a list', 'PUT', '/_sim/state', '[]', 'object'],
    ['that is a number', 'PUT', '/_sim/state', '7', 'object'],
    ['with an unknown table', 'PUT', '/_sim/state', '{"usres":[]}', 'usres'],
    ['with an invalid record', 'PUT', '/_sim/state', '{"users":[{"id":"ak_1"}]}', 'users'],
  ])('is rejected %s', async (_, method, path, body, says) => {
    const before = await state()
    expect(expectRefusal(await raw.send(method, path, body, JSON_TYPE), 400, 400).msg).toContain(says)
    expect(await state()).toBe(before)
  })

  it.each(TOO_LONG)('is rejected with the value that is too long: %s', async (where, body, says) => {
    const [method, path] = where.split(' ') as [string, string]
    const response = await raw.send(method, `/_sim/${path}`, JSON.stringify(body), JSON_TYPE)
    expect(expectRefusal(response, 400, 400).msg).toContain(says)
  })
})

describe.each([
  ['POST', '/api_keys', 201],
  ['PATCH', '/api_keys/ak_ci', 200],
  ['PUT', '/edges/tcp/edgtcp_ssh/ip_restriction', 200],
  ['GET', '/api_keys/ak_admin', 200],
  ['GET', '/api_keys', 200],
  ['DELETE', '/edges/tcp/edgtcp_database/ip_restriction', 204],
  ['POST', '/_sim/reset', 204],
])('%s %s accepts an empty body', (method, target, status) => {
  it.each([
    ['no body headers', []],
    ['Content-Length: 0', ['Content-Length: 0']],
    ['a content type', JSON_TYPE],
    ['a content type and Content-Length: 0', [...JSON_TYPE, 'Content-Length: 0']],
    ['a form content type', [...typed('application/x-www-form-urlencoded'), 'Content-Length: 0']],
    ['chunks', ['Transfer-Encoding: chunked']],
    ['chunks and a content type', [...JSON_TYPE, 'Transfer-Encoding: chunked']],
  ])('with %s', async (what, headers) => {
    const body = what.startsWith('chunks') ? '0\r\n\r\n' : ''
    expect((await raw.request({ method, target, headers, body })).status).toBe(status)
  })
})

it.each([
  ['GET', '/api_keys/ak_admin'],
  ['GET', '/api_keys'],
  ['DELETE', '/edges/tcp/edgtcp_database/ip_restriction'],
])('%s %s rejects a body, including a chunked one', async (method, target) => {
  for (const [body, headers] of Object.entries<string[]>({ '{}': JSON_TYPE, x: [] })) {
    const { msg } = expectRefusal(await raw.send(method, target, body, headers), 400, 211)
    expect(msg).toContain(`${body.length} bytes`)
  }
  const headers = ['Transfer-Encoding: chunked']
  expectRefusal(await raw.request({ method, target, headers, body: '1\r\nx\r\n0\r\n\r\n' }), 400, 211)
})
