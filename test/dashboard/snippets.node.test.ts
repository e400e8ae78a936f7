import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it, type TestContext } from 'vitest'
import { parse } from 'yaml'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { toTest } from '../../src/dashboard/snippets/javascript.ts'
import { callOf, type Sendable, sendableOf } from '../../src/dashboard/snippets/sendable.ts'
import { SNIPPETS } from '../../src/dashboard/snippets/snippets.ts'
import { joinToken } from '../../src/engine/token.ts'
import { folderWith } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { talk } from '../support/raw-http.ts'
import { entry, TOKENS } from './entries.ts'
import { type Read, readGo } from './go-program.ts'

interface Cases {
  snippets: [what: string, name: string, given: Partial<Sendable>, code: string][]
  tests: [what: string, given: Partial<Sendable>, response: Partial<Parameters<typeof toTest>[1]>, lines: string][]
  entries: [what: string, given: Partial<JournalEntry>, wanted: Partial<Sendable>][]
}
const cases: Cases = parse(readFileSync(new URL('snippets.yaml', import.meta.url), 'utf8'), {
  customTags: [{ tag: '!none', resolve: () => undefined }],
})

const GET: Sendable = { method: 'GET', path: '/a', token: null, headers: [], body: undefined, gaps: [] }
const POST: Sendable = { ...GET, method: 'POST', headers: [['content-type', 'x/y']], body: '{}' }
const LISTED = { operation: null, status: 200, rules: [], body: null }

const write = (name: string, sendable: Sendable, url: string) =>
  SNIPPETS.find(each => each.name === name)!.write(sendable, url)

describe('A snippet', () => {
  it.each(cases.snippets)('%s: %s', (_, name, given, code) => {
    expect(write(name, { ...GET, ...given }, 'http://h')).toBe(code)
  })
})

describe('A generated test', () => {
  it.each(cases.tests)('%s', (_, given, response, lines) => {
    expect(toTest({ ...GET, ...given }, { ...LISTED, ...response }, 'sim_admin~one')).toContain(lines)
  })
})

type Sent = [token: string | undefined, method: string, path: string, headers: Read['headers'], body?: Read['body']]

/** Sends a request unchanged. */
function send({ origin, method, path, headers, body = '' }: Read): Promise<unknown> {
  const { host, port } = new URL(origin)
  const all = { ...headers, host, connection: 'close', 'content-length': Buffer.byteLength(body) }
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(pair => pair.join(': ')), '', '']
  const head = Buffer.from(lines.join('\r\n'), 'latin1')
  return talk(Number(port), Buffer.concat([head, Buffer.from(body)]), { end: false })
}

const JSON_TYPE = { 'service-version': '2', 'content-type': 'application/json' }
const HOSTILE =
  'it\'s "é" 😀 $HOME $(id) `id` \\ \\u0021 \n\r\t\u0001\u007f\u0085\u2028\u2029\u202e\ufeff */ # %s </script>'

/** Requests that a careless snippet would change. */
const REQUESTS: Sent[] = [
  ['sim_ci~elsewhere', 'GET', '/api_keys?limit=1&limit=2&a=%20+', { 'service-version': '2', 'x-mine': "it's" }],
  ['sim_member', 'POST', '/api_keys', JSON_TYPE, '{ "description":\n"it\'s \\"é\\" $HOME `id`" }'],
  ['sim_member', 'POST', '/api_keys', JSON_TYPE, '{\r\n\t"description": "lines"\r\n}'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '{ "description": "oops'],
  ['sim_admin', 'PATCH', '/api_keys/ak_ci', JSON_TYPE, '{}'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '@/etc/hostname'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, 'a\0b'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, HOSTILE],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, new Uint8Array([0, 255, 10, 34, 92, 192])],
  ['sim_admin', 'POST', '/api_keys', { 'service-version': '2' }, '{"description":"untyped"}'],
  ['sim_admin', 'POST', '/api_keys', { 'service-version': '2' }],
  ['sim_admin', 'GET', '/api_keys', { ...JSON_TYPE, 'x-empty': '', 'x-utf8': 'Ã© "\\' }],
  ['sim_admin', 'HEAD', `/api_keys/[a-c]%2f%C3%a9?a[]=\${b}\``, {}],
  [undefined, 'DELETE', '/api_keys/ak_ci', { 'service-version': '9' }],
]

/** Requests that fetch cannot send unchanged. */
const NOT_FOR_FETCH: Sent[] = [
  ['sim_admin', 'GET', '/../api_keys/./ak_ci/..', { 'service-version': '2' }],
  ['sim_admin', 'GET', '/{a}/[b]/%zz"?{c}=%zz', {}],
  ['sim_admin', 'GET', "/api_keys?description='a'", {}],
  ['sim_admin', 'GET', '/api_keys', JSON_TYPE, '{"a":1}'],
]

/** Clients set these headers. */
const OF_CLIENTS =
  /^(connection|accept|accept-encoding|accept-language|sec-fetch-mode|host|user-agent|transfer-encoding|content-length)$/

/** Everything that does not vary per client or request. */
function comparable({ method, path, query, operation, caller, status, request }: JournalEntry) {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OF_CLIENTS.test(name)))
  return { method, path, query, operation, caller, status, request: { ...request, headers } }
}

const run = promisify(execFile)
const inTurn = async <T>(all: T[], each: (one: T) => Promise<unknown>) => {
  for (const one of all) await each(one)
}
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor
const EXECUTE = 'import json, sys\nfor program in json.loads(sys.argv[1]): exec(program, {})'

interface Language {
  name: string
  /** Skipped if this fails. */
  needs?: string[]
  run(programs: string[]): Promise<unknown>
}

const LANGUAGES: Language[] = [
  { name: 'curl', needs: ['curl', '--version'], run: programs => run('sh', ['-c', programs.join('\n')]) },
  { name: 'fetch', run: programs => inTurn(programs, program => new AsyncFunction('console', program)({ log() {} })) },
  {
    name: 'Python',
    needs: ['python3', '--version'],
    run: programs => run('python3', ['-c', EXECUTE, JSON.stringify(programs)]),
  },
  { name: 'Go', run: programs => inTurn(programs.map(readGo), send) },
]

/** Compiling takes seconds, so `npm test` only reads the programs. */
const COMPILED_GO: Language = {
  name: 'Go',
  needs: ['go', 'version'],
  run: programs => inTurn(programs, program => run('go', ['run', `${folderWith({ 'main.go': program })}/main.go`])),
}

describe('A logged request', async () => {
  const { url, call } = await simulate()
  const sandbox = (name: string) => `/_sim/sandboxes/${name}`
  const SANDBOXES = ['default', 'elsewhere', 'fresh']
  const reset = () => inTurn(SANDBOXES, name => call('PUT', sandbox(name)))

  /** The requests since the last reset. */
  async function received(): Promise<JournalEntry[]> {
    const journals = await Promise.all(SANDBOXES.map(name => call('GET', `${sandbox(name)}/requests`)))
    return journals.flatMap(({ body }) => body.requests.reverse())
  }

  await reset()
  await inTurn([...REQUESTS, ...NOT_FOR_FETCH], ([token, method, path, headers, body]) => {
    const auth: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    return send({ origin: url, method, path, headers: { ...headers, ...auth }, body })
  })
  const all = (await received()).map(logged => {
    const { sandbox: name, caller } = logged
    const key_id = caller?.key_id ?? ''
    const token = joinToken({ secret: key_id.replace('ak', 'sim'), name })
    return { logged, sendable: sendableOf(logged, [{ ...TOKENS[0]!, token, key_id }])! }
  })
  const [forFetch, notForFetch] = [true, false].map(wanted =>
    all.filter(({ sendable }) => write('fetch', sendable, url).startsWith('const response') === wanted),
  ) as [typeof all, typeof all]
  const entriesOf = (requests: typeof all) => requests.map(({ logged }) => comparable(logged))

  it('is known completely', () => {
    expect(all).toHaveLength(REQUESTS.length + NOT_FOR_FETCH.length)
    const gaps = all.flatMap(({ sendable }) => sendable.gaps)
    expect(gaps.filter(gap => !gap.startsWith('Fill in a token'))).toEqual([])
  })

  it('has a comment if fetch cannot send it', () => {
    expect(notForFetch.map(({ sendable }) => sendable.path)).toEqual(NOT_FOR_FETCH.map(([, , path]) => path))
  })

  async function repeats({ name, needs, run }: Language, { skip }: TestContext) {
    if (needs && spawnSync(needs[0]!, needs.slice(1)).status !== 0) skip(`${needs[0]} is not installed`)
    const requests = name === 'fetch' ? forFetch : all
    await reset()
    await run(requests.map(({ sendable }) => write(name, sendable, url)))
    expect((await received()).map(comparable)).toEqual(entriesOf(requests))
  }

  it.for(LANGUAGES)('is repeated byte for byte by $name', repeats)
  it.runIf(ALL)('is repeated byte for byte by compiled Go', context => repeats(COMPILED_GO, context))

  it('is repeated in the own sandbox of a generated test', async () => {
    await reset()
    const { name, token } = (await call('GET', sandbox('fresh'))).body
    await inTurn(forFetch, ({ logged, sendable }) => {
      const own = joinToken({ secret: 'sim_admin', name: logged.sandbox })
      const code = toTest(sendable, { ...logged, body: logged.response?.body }, own)
      const body = /^import .*\n\ntest\('.*', async \(\{ sandbox \}\) => \{\n(.*)\n\}\)\n$/s.exec(code)![1]!
      return new AsyncFunction('sandbox', 'expect', body)({ url, name, token }, expect)
    })
    const hasToken = ({ sendable }: (typeof all)[number]) => sendable.token !== null
    const again = await received()
    expect(again.map(entry => entry.sandbox)).toEqual(['default', ...forFetch.filter(hasToken).map(() => name)])
    const [without, withToken] = [forFetch.filter(each => !hasToken(each)), forFetch.filter(hasToken)]
    expect(again.map(comparable)).toEqual(entriesOf([...without, ...withToken]))
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
    const call = callOf(POST, { 'Service-Version': '2' })
    expect(call).toEqual({ method: 'POST', path: '/a', token: null, body: '{}', headers })
  })
})
