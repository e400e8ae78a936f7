import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { toCurl } from '../../src/dashboard/views/requests/curl.ts'
import { callOf, type Sendable, sendableOf } from '../../src/dashboard/views/requests/sendable.ts'
import { ask } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { entry, TOKENS } from './entries.ts'

interface Cases {
  commands: [what: string, given: Partial<Sendable>, line: string][]
  entries: [what: string, given: Partial<JournalEntry>, wanted: Partial<Sendable>][]
}
const cases: Cases = parse(readFileSync(new URL('curl.yaml', import.meta.url), 'utf8'), {
  customTags: [{ tag: '!none', resolve: () => undefined }],
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

const GET: Sendable = { method: 'GET', path: '/a', token: null, headers: [], body: undefined, gaps: [] }
const POST: Sendable = { ...GET, method: 'POST', headers: [['content-type', 'x/y']], body: '{}' }

describe('A curl command', () => {
  it.each(cases.commands)('%s', (_, given, line) => {
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
  it.each(cases.entries)('%s', (_, given, wanted) => {
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
