import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Har } from '../../src/index.ts'
import { folderWith, writeFiles } from '../support/afterwards.ts'
import { launch, npm, type SpawnOptions } from '../support/as-process.ts'
import { LONG, LONG_MS } from '../support/long.ts'

/** The folder with checkouts of the vendor's public repositories. */
const SUITES = process.env.EDGESIM_VENDOR_SUITES
const MISSING = 'EDGESIM_VENDOR_SUITES is not set: the public test suites of the vendor are skipped. It names a folder'
if (LONG && !SUITES)
  console.log(`${MISSING} with the checkouts ngrok-api-go, ngrok-api-typescript and ngrok-api-python.`)

/** A suite takes seconds, but its downloads and compilation may take minutes. */
const PREPARING_MS = 300_000
const RUNNING_MS = 120_000

type Skip = (reason: string) => never

/** Runs a command to its end, or up to the time limit. */
async function ends(args: string[], options: SpawnOptions, ms: number) {
  const { child, ended } = launch(args, options)
  const timer = setTimeout(() => child.kill('SIGTERM'), ms)
  return ended.finally(() => clearTimeout(timer))
}

function skipped(skip: Skip, suite: string, why: string): never {
  const reason = `The suite ${suite} is skipped: ${why}`
  console.log(reason)
  return skip(reason)
}

/** A copy of the checkout, to leave the original unchanged. */
function copyOf(suite: string, skip: Skip): string {
  const checkout = resolve(SUITES!, suite)
  if (!existsSync(checkout)) skipped(skip, suite, `there is no folder ${checkout}.`)
  const folder = join(folderWith(), suite)
  cpSync(checkout, folder, { recursive: true, filter: file => !['.git', 'node_modules'].includes(basename(file)) })
  return folder
}

/** Downloads packages before `exec --as`, which blocks other hosts. */
async function prepare(cwd: string, [program, ...args]: string[], skip: Skip, env = {}) {
  const { code, err } = await ends(args, { command: [program!], cwd, env }, PREPARING_MS).catch(error =>
    skipped(skip, basename(cwd), `Cannot run ${program} (${error.code}).`),
  )
  const lastLine = err.trim().split('\n').at(-1)
  if (code !== 0) skipped(skip, basename(cwd), `${program} ${args.join(' ')} ended with ${code}: ${lastLine}`)
}

/** Runs a suite. `responses` lists its requests, with the status of the response. */
async function runSuite(cwd: string, args: string[], command: string[], env: Record<string, string>) {
  const har = `${cwd}.har`
  const standIn = ['exec', '--as', 'api.ngrok.com', '--assume', 'ngrok', '--env', 'NGROK_API_KEY=token', '--har', har]
  const ended = await ends([...standIn, ...args, '--', ...command], { cwd, env }, RUNNING_MS)
  const { entries }: { entries: Har['log']['entries'] } = JSON.parse(readFileSync(har, 'utf8')).log
  return { ...ended, responses: entries.map(({ request, response }) => `${request.method} ${response.status}`) }
}

describe.skipIf(!LONG || !SUITES)('The vendor’s public test suite', { timeout: LONG_MS }, () => {
  it('for Go passes, except for a test that it skips on a server', async ({ skip }) => {
    const cwd = copyOf('ngrok-api-go', skip)
    await prepare(cwd, ['go', 'test', '-run', '^$', './...'], skip)
    const command = ['go', 'test', '-count=1', '-timeout=60s', '-json', './...']
    const { code, out, err, responses } = await runSuite(cwd, [], command, { TEST_NO_MOCK: 'true' })
    const events = out.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
    const ends = events.filter(({ Test, Action }) => Test && /pass|fail|skip/.test(Action))
    expect(Object.fromEntries(ends.map(({ Test, Action }) => [Test, Action])), out + err).toEqual({
      TestUserAgent: 'pass',
      TestIPPolicy: 'pass',
      TestIPPoliciesListMultiplePages: 'skip',
    })
    expect(code).toBe(0)
    expect(responses).toEqual(['POST 201', 'GET 200', 'PATCH 200', 'GET 200', 'GET 200', 'DELETE 204', 'GET 404'])
  })

  it('for TypeScript passes', async ({ skip }) => {
    const cwd = copyOf('ngrok-api-typescript', skip)
    const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' }
    await prepare(cwd, [...npm, 'ci', '--ignore-scripts', '--prefer-offline'], skip, quiet)
    const command = ['npx', 'jest', '--json']
    const { code, out, err, responses } = await runSuite(cwd, [], command, { ...quiet, TEST_NO_MOCK: '1' })
    const { numTotalTests, numPassedTests } = JSON.parse(out)
    expect({ code, numTotalTests, numPassedTests }, out + err).toEqual({ code: 0, numTotalTests: 2, numPassedTests: 2 })
    expect(responses).toEqual(['GET 200', 'GET 404'])
  })

  it('for Python passes as far as possible on a server', async ({ skip }) => {
    const cwd = copyOf('ngrok-api-python', skip)
    await prepare(cwd, ['python3', '-c', 'import pytest, requests'], skip)
    writeFiles(cwd, { 'account.json': ACCOUNT })
    const args = ['account.json', '--assume', 'unset_text=empty']
    // With CI, pytest does not truncate lines.
    const env = { CI: 'true', TEST_NO_MOCK: 'true' }
    const command = ['python3', '-m', 'pytest', '-rA', '--tb=no', '--color=no']
    const { out, err, responses } = await runSuite(cwd, args, command, env)
    const lines = out.matchAll(/^(PASSED|FAILED) \S+::(\w+)(?: - (.*))?$/gm)
    const results = Object.fromEntries([...lines].map(([, result, test, why]) => [test, why ?? result]))
    expect(results, out + err).toEqual({
      ...Object.fromEntries(PASSING.map(test => [test, 'PASSED'])),
      ...Object.fromEntries(Object.entries(IMPOSSIBLE).map(([test, why]) => [test, expect.stringMatching(why)])),
    })
    expect(responses.filter(response => !/ 20\d$/.test(response))).toEqual(['GET 404'])
  })
})

/** Records that the Python tests expect, by id, and reserved addresses of edges. */
const ACCOUNT = {
  users: [{ id: 'usr_author', admin: true }],
  api_keys: [{ id: 'ak_author', owner_id: 'usr_author', token: 'author' }],
  credentials: [{ id: 'cr_27nRxf2wJGXDKuTjMkUpaWMoN1B' }],
  tunnel_sessions: [{ id: 'ts_only' }],
  tunnels: [{ id: 'tn_only', tunnel_session_id: 'ts_only' }],
  tunnel_group_backends: [{ id: 'bkdtg_26ttrtQgoYT4wF0LbAPyCliCTHu' }, { id: 'bkdtg_26ttsZg57ucy3iShmgFeW5qnzR9' }],
  failover_backends: [{ id: 'bkdfo_26tiVQge4Ae9qXVmjORlUUbY6FJ' }],
  reserved_addrs: [{ id: 'ra_edge', addr: '1.tcp.ngrok.io:20021' }],
  reserved_domains: [{ id: 'rd_edge', domain: 'utthvga8.ngrok.io' }],
}

const PASSING = [
  ...'test_agent_ingress test_domains test_certificate_authorities test_event_subscriptions test_backends'.split(' '),
  ...'test_tcp_edges test_tls_edges test_https_edges'.split(' '),
]

/** Tests that pass only with their recorded responses, and the values that they compare. */
const IMPOSSIBLE = {
  // It sets metadata as JSON, and expects the string without quotes.
  test_quickstart_examples: /^assert '\{"foo": "bar"\}' == '\{foo:bar\}'$/,
  // The server chooses the host and port of a new address.
  test_addrs: /^AssertionError: assert '\d\.tcp\.ngrok\.io:\d+' == '1\.tcp\.ngrok\.io\.lan:20020'$/,
  // A report needs a review, so it is PENDING after its creation, as documented.
  test_abuse_reports: /^AssertionError: assert 'PENDING' == 'BANNED'$/,
  // A new key has a new id.
  test_api_keys: /^AssertionError: assert 'ak_\w+\.\.\.\w+' == 'ak_\w+\.\.\.\w+'$/,
}
