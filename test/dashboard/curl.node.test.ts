import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { toCurl } from '../../src/dashboard/views/requests/curl.ts'
import { callOf, type Sendable, sendableOf } from '../../src/dashboard/views/requests/sendable.ts'
import { ask } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { entry, TOKENS } from './entries.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

const GET: Sendable = { method: 'GET', path: '/a', token: null, headers: [], body: undefined, gaps: [] }
const POST: Sendable = { ...GET, method: 'POST', headers: [['content-type', 'x/y']], body: '{}' }

describe('A curl command', () => {
  it.each<[what: string, given: Partial<Sendable>, line: string]>([
    ['names no method for GET', {}, "curl 'http://h/a'"],
    ['uses --head for HEAD', { method: 'HEAD' }, "curl --head 'http://h/a'"],
    ['has the token', { token: 'sim' }, "curl 'http://h/a' -H 'Authorization: Bearer sim'"],
    [
      'has a placeholder for an unknown token',
      { token: undefined },
      "curl 'http://h/a' -H 'Authorization: Bearer <token>'",
    ],
    ['quotes shell syntax', { headers: [['x', "it's $A"]] }, "curl 'http://h/a' -H 'x: it'\\''s $A'"],
    ['sends an empty header', { headers: [['x', '']] }, "curl 'http://h/a' -H 'x;'"],
    ['disables globbing of brackets', { path: '/[a]?{b}' }, "curl --globoff 'http://h/[a]?{b}'"],
    ['preserves dots in the path', { path: '/../a' }, "curl --path-as-is 'http://h/../a'"],
    ['has the body', POST, "curl -X POST 'http://h/a' -H 'content-type: x/y' --data-raw '{}'"],
    ['adds no form content type', { body: 'a' }, "curl -X GET 'http://h/a' -H 'content-type:' --data-raw 'a'"],
    [
      'pipes bytes',
      { ...POST, body: 'AP8=', encoding: 'base64' },
      "echo AP8= | base64 -d | curl -X POST 'http://h/a' -H 'content-type: x/y' --data-binary @-",
    ],
    [
      'pipes text with NUL',
      { ...POST, body: 'é\0' },
      "echo w6kA | base64 -d | curl -X POST 'http://h/a' -H 'content-type: x/y' --data-binary @-",
    ],
  ])('%s', (_, given, line) => {
    expect(toCurl({ ...GET, ...given }, 'http://h')).toBe(line)
  })
})

type Sent = [
  token: string | undefined,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array,
]

const JSON_TYPE = { 'service-version': '2', 'content-type': 'application/json' }

/** Requests that a careless command would change. */
const REQUESTS: Sent[] = [
  ['sim_ci~elsewhere', 'GET', '/api_keys?limit=1&limit=2&a=%20+', { 'service-version': '2', 'x-mine': "it's" }],
  ['sim_member', 'POST', '/api_keys', JSON_TYPE, '{ "description":\n"it\'s \\"é\\" $HOME `id`" }'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '{ "description": "oops'],
  ['sim_admin', 'PATCH', '/api_keys/ak_ci', JSON_TYPE, '{}'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '@/etc/hostname'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, 'a\0b'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, new Uint8Array([0, 255, 10])],
  ['sim_admin', 'POST', '/api_keys', { 'service-version': '2' }, '{"description":"untyped"}'],
  ['sim_admin', 'GET', '/api_keys', { ...JSON_TYPE, 'x-empty': '' }],
  ['sim_admin', 'HEAD', '/api_keys/[a-c]', {}],
  [undefined, 'DELETE', '/api_keys/ak_ci', { 'service-version': '9' }],
]

/** Everything that does not vary per client or request. */
function comparable({ sandbox, method, path, query, operation, caller, status, request }: JournalEntry) {
  const { connection, accept, host, 'user-agent': _client, ...headers } = request.headers
  const { 'content-length': length = '0', 'transfer-encoding': chunked, ...rest } = headers
  return { sandbox, method, path, query, operation, caller, status, request: { ...request, headers: rest } }
}

describe.skipIf(!hasCurl)('A logged request', async () => {
  const { url, call } = await simulate()
  const latest = async (sandbox: string): Promise<JournalEntry> =>
    (await call('GET', `/_sim/sandboxes/${sandbox}/requests?limit=1`)).body.requests[0]

  it.each(REQUESTS)('is repeated byte for byte by curl: %s %s %s %j %j', async (token, method, path, headers, body) => {
    const [sandbox = 'default'] = token?.split('~').slice(1) ?? []
    const auth: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    await ask(url + path, { method, headers: { ...headers, ...auth }, body })
    const first = await latest(sandbox)
    const known = { ...TOKENS[0]!, token: token!, key_id: first.caller?.key_id ?? '' }
    await promisify(execFile)('sh', ['-c', toCurl(sendableOf(first, [known])!, url)])
    const again = await latest(sandbox)
    expect(again.id).not.toBe(first.id)
    expect(comparable(again)).toEqual(comparable(first))
  })
})

describe('A request to send again', () => {
  const caller = { id: 'usr_member', key_id: 'ak_member' }
  const sent = (headers: Record<string, string>, body: unknown = null) => ({ headers, body })
  const secret = sent({ 'content-length': '17' }, { value: '[redacted]' })

  it.each<[what: string, given: Partial<JournalEntry>, wanted: Partial<Sendable>]>([
    ['has the caller token', { caller, request: sent({ authorization: '…' }) }, { token: 'sim_member', gaps: [] }],
    ['has no token if none was sent', { caller, request: sent({}) }, { token: null, gaps: [] }],
    [
      'names the missing token',
      { caller: { ...caller, key_id: 'ak_x' }, request: sent({ authorization: '…' }) },
      { gaps: ['Fill in the token of ak_x. The sandbox stores only its hash, or the key was deleted.'] },
    ],
    [
      'reports a rejected token',
      { status: 401, request: sent({ authorization: '…' }) },
      { gaps: ['Fill in a token. The original was rejected, and the request log stores no tokens.'] },
    ],
    [
      'reports redacted values',
      { request: secret },
      { gaps: [expect.stringContaining('Replace [redacted] in the body')] },
    ],
    [
      'reports an unread body',
      { request: sent({ 'content-length': '5' }) },
      { gaps: ['The body is omitted because the server did not read it.'], body: undefined },
    ],
    [
      'reports possible whitespace changes',
      { request: sent({ 'content-length': '9' }, { a: 1 }) },
      { gaps: [expect.stringContaining('Whitespace in the body may differ')], body: '{"a":1}' },
    ],
    ['has the original text', { request: { ...sent({}, { a: 1 }), text: '{ "a":1}' } }, { body: '{ "a":1}' }],
    ['has the original query', { request: { ...sent({}), search: '?a=1&a=2' } }, { path: '/api_keys?a=1&a=2' }],
    ['has the parsed query', { query: { a: ' ' }, request: sent({}) }, { path: '/api_keys?a=+' }],
    ['omits headers that clients add', { request: sent({ host: 'h', 'x-a': 'b' }) }, { headers: [['x-a', 'b']] }],
  ])('%s', (_, given, wanted) => {
    expect(sendableOf(entry(given), TOKENS)).toMatchObject(wanted)
  })

  it('requires the full log entry', () => {
    expect(sendableOf(entry(), TOKENS)).toBe(undefined)
  })

  it('removes headers that it did not have', () => {
    const headers = { 'user-agent': null, accept: null, 'service-version': null, 'content-type': 'x/y' }
    expect(callOf(POST, 'Service-Version')).toEqual({ method: 'POST', path: '/a', token: null, body: '{}', headers })
  })
})
