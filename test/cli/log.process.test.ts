import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { prettyLog } from '../../src/cli/log/pretty-log.ts'
import { folderWith } from '../support/afterwards.ts'
import { launch, startEdgesim } from '../support/as-process.ts'
import { callsOf } from '../support/http.ts'
import { ALL } from '../support/long.ts'

const SECRET = /\b[A-Za-z0-9]{27}_[A-Za-z0-9]{21}\b/

async function startPretty(args: string[] = []) {
  const started = launch([...args, '--port', '0'])
  const url = /listens on (\S+)/.exec(await started.until(/curl .*\n\n/))![1]!
  const greeting = started.printed.out.length
  const lines = () => started.printed.out.slice(greeting).trimEnd().split('\n')
  return { ...started, lines, ...callsOf({ url, token: 'sim_admin', headers: { connection: 'close' } }) }
}

describe.concurrent('The pretty log', () => {
  it('has one line per request, with the time, query, sandbox and the effect of rules', async () => {
    const { as, until, lines } = await startPretty(['--scenario', 'version-deprecated'])
    await as('sim_admin')('GET', '/api_keys?limit=3')
    await as('sim_admin~mine')('POST', '/api_keys', {})
    await until(/POST.*\n/)
    expect(lines()).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d 400 GET \/api_keys\?limit=3 \d+ ms \(.*\) .*\. op_\w+$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d 400 POST \/api_keys \d+ ms \[mine\] \(.*\) .*\. op_\w+$/),
    ])
  })

  it.runIf(ALL).each([
    ['a terminal', true, {}, true],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a pipe', false, {}, false],
  ])('has colours on %s: %s', (_, isTTY, env, colours) => {
    const texts: string[] = []
    const entry = { id: 'op_1', status: 404, method: 'GET', path: '/x', sandbox: 'default', rules: [] }
    const log = prettyLog({ isTTY, write: (text: string) => texts.push(text) } as never, env)
    log.event({ type: 'request', sandbox: 'default', data: entry } as never)
    log.flush()
    expect(texts.join('').includes('\u001b[33m404')).toBe(colours)
  })

  it.runIf(ALL)('never shows a token created over the API', async () => {
    const { call, as, until, printed } = await startPretty()
    const { token } = (await call('POST', '/api_keys', {})).body
    expect(token).toMatch(SECRET)
    await as(token)('GET', '/api_keys')
    await as(`${token}x`)('GET', '/api_keys')
    await until(/401 GET.*\n/)
    expect(printed.out + printed.err).not.toMatch(SECRET)
  })
})

describe.concurrent('The JSON log', () => {
  it('has one record per line, from ready to stopped, without created tokens', async () => {
    const { call, until, stop } = await startEdgesim(['--scenario', 'outage'])
    await call('GET', '/api_keys')
    await call('DELETE', '/_sim/scenario')
    await call('GET', '/api_keys/ak_admni?limit=3&limit=4')
    await call('GET', '/api_keys?limit=3')
    const { token } = (await call('POST', '/api_keys', {})).body
    await call('GET', '/api_keys?limit=4', undefined, { token })
    await until(/"query":"\?limit=4"/)
    const { code, out } = await stop()
    expect(code).toBe(0)
    expect(out).not.toMatch(SECRET)
    const records = Array.from(out.trim().split('\n'), line => JSON.parse(line))
    expect(records.map(({ event }) => event)).toEqual(['ready', ...Array(5).fill('request'), 'notice', 'stopped'])
    expect(records[0]).toMatchObject({ level: 'info', scenario: 'outage', vendor: 'service' })
    const request = { operation: 'list_api_keys', status: 503, caller: 'usr_admin', sandbox: 'default' }
    const error = { level: 'error', error_code: 'ERR_EDGESIM_503', msg: 'The service is not available.' }
    expect(records[1]).toMatchObject({ ...request, ...error })
    const unknown = { level: 'warn', nearest: 'ak_admin', msg: expect.stringMatching(/ak_admni/) }
    expect(records[2]).toMatchObject({ ...unknown, query: '?limit=3&limit=4' })
    expect(records[3]).toMatchObject({ level: 'info', query: '?limit=3' })
    expect(records[3]).not.toHaveProperty('msg')
    const msg = 'Rule "writes are cut off" of scenario "outage" never fired.'
    expect(records[6]).toMatchObject({ level: 'warn', msg })
    expect(records[7]).toEqual({ level: 'info', time: expect.any(Number), event: 'stopped' })
  })

  it.runIf(ALL)('distinguishes warnings from requests', async () => {
    const folder = folderWith({
      'warns.json': {
        users: [{ id: 'usr_me' }],
        api_keys: [{ id: 'ak_me', token: 'mine' }],
        ip_policies: [{ id: 'ipp_none', rules: [{ action: 'deny', cidr: '0.0.0.0/0' }] }],
        ip_restrictions: [{ id: 'ipx_a', type: 'api', enforced: false, ip_policy_ids: ['ipp_none'] }],
      },
    })
    const { call, until } = await startEdgesim(['warns.json'], { cwd: folder })
    await call('GET', '/api_keys')
    const out = await until(/"event":"warning".*\n/)
    expect(out).toMatch(/"level":"warn".*"event":"warning".*ipx_a/)
  })
})

it.runIf(ALL)('A long load is announced before it is done', async () => {
  const [fixture, state] = [6_000_000, 7_000_000].map(size => `{}${' '.repeat(size)}`)
  const cwd = folderWith({ 'large.json': fixture!, 'state.json': state! })
  const { child, until, printed } = launch(['large.json', '--db', 'state.json', '--port', '0'], { cwd })
  await until(/edgesim listens on/)
  while (!printed.err.includes('state.json')) await once(child.stderr, 'data')
  expect(printed.err).toMatch(/^edgesim: Reading large\.json \(6 MB\)…\nedgesim: Reading state\.json \(7 MB\)…\n/)
})
