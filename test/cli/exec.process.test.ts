import { chmodSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { evidenceFile } from '../support/evidence.ts'
import { ALL } from '../support/long.ts'
import { exec, js } from './exec.ts'

const isWindows = process.platform === 'win32'

const TOLD = 'console.log(JSON.stringify(process.env))'

describe.concurrent('edgesim exec', () => {
  it('passes the URL to the command, and prints its output', async () => {
    const answered = `console.log((await call('/api_keys')).status); console.error('to the other')`
    const { code, out, err } = await exec([], js(answered)).ended
    expect({ code, out, err }).toEqual({ code: 0, out: '200\n', err: 'to the other\n' })
  })

  it.runIf(ALL)('uses a free local port unless --port or --host is set', async () => {
    const env = { EDGESIM_PORT: '1', EDGESIM_HOST: '0.0.0.0', EDGESIM_RUN: 'nightly' }
    const told = JSON.parse((await exec([], js(TOLD), { env }).ended).out)
    expect(told.EDGESIM_RUN).toBe('nightly')
    expect(told.EDGESIM_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,}$/)
    const { ready } = await startEdgesim()
    const { port } = new URL(ready.url)
    const { code, out, err } = await exec(['--port', port], js(TOLD), { env }).ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(new RegExp(`^edgesim: Port ${port} .* is already in use\\. .*--port`))
    const { err: why } = await exec(['--host', '0.0.0.0'], js(TOLD)).ended
    expect(why).toContain('Set --control-token or EDGESIM_CONTROL_TOKEN.')
  })

  it.runIf(ALL)('sets the --env variables, with the fixture', async () => {
    const fixture = { users: [{ id: 'usr_me' }], api_keys: [{ id: 'ak_me', token: 'mine' }] }
    const args = ['mine.json', '--env', 'API_URL=url', '--env', 'API_KEY=token', '--control-token', 'secret']
    const told = JSON.parse((await exec(args, js(TOLD), { cwd: folderWith({ 'mine.json': fixture }) }).ended).out)
    expect(told).toMatchObject({ EDGESIM_TOKEN: 'mine', API_KEY: 'mine', EDGESIM_CONTROL_TOKEN: 'secret' })
    expect(told).toMatchObject({ EDGESIM_RUN: 'exec', EDGESIM_EXEC: '1', API_URL: told.EDGESIM_URL })
  })

  it.runIf(ALL)('adds the --tls certificate to those that clients trust', async () => {
    const cwd = folderWith({ 'theirs.pem': 'THEIRS', 'node.pem': '' })
    const names = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS']
    const asks = js(`import fs from 'node:fs'; const read = name => fs.readFileSync(process.env[name], 'utf8')
      console.log(JSON.stringify({ status: (await call('/api_keys')).status, own: read('EDGESIM_CERTIFICATE'),
        file: process.env.SSL_CERT_FILE, texts: ${JSON.stringify(names)}.map(read) }))`)
    const files = ['', 'none.pem', 'theirs.pem', 'node.pem']
    const env = Object.fromEntries(names.map((name, i) => [name, files[i]!]))
    const { code, out, err } = await exec(['--tls'], asks, { cwd, env }).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { status, own, file, texts } = JSON.parse(out)
    expect(status).toBe(200)
    for (const text of texts) expect(text).toContain(own)
    const many = texts.map((text: string) => text.split('BEGIN CERTIFICATE').length - 1 > 50)
    expect(many).toEqual([true, true, false, false])
    expect(texts[2]).toBe(`${own}\nTHEIRS`)
    expect(existsSync(dirname(file))).toBe(false)
  })

  it.skipIf(!ALL || isWindows)('makes curl trust the --tls certificate', async () => {
    const command = ['sh', '-c', 'curl -fsS "$EDGESIM_URL/_sim/health"']
    const { code, out, err } = await exec(['--tls'], command, { env: { PATH: process.env.PATH! } }).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out).status).toBe('ok')
  })

  it.skipIf(!ALL || isWindows)('suggests a fix if it cannot write the certificate', async () => {
    const { code, err } = await exec(['--tls'], js(''), { env: { TMPDIR: '/no/such' } }).ended
    expect(code).toBe(2)
    expect(err).toMatch(
      /^edgesim: Cannot write certificates .*: no such directory: \/no\/such\. Set TMPDIR to a writable directory/,
    )
  })

  it('returns the exit code of the command', async () => {
    expect((await exec([], js('process.exit(42)')).ended).code).toBe(42)
  })

  it.runIf(ALL)('returns 128 plus the signal number of the command', async () => {
    for (const [signal, code] of Object.entries({ SIGTERM: 143, SIGKILL: 137 })) {
      const killed = exec([], js(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000)`))
      expect((await killed.ended).code).toBe(code)
    }
  })

  const signals = ALL ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : (['SIGTERM'] as const)
  it.each(signals)('forwards %s, and waits for the command', async signal => {
    const waits = `process.on('${signal}', () => { console.log('heard'); setTimeout(() => process.exit(7), 50) }); setInterval(() => {}, 1000); console.log('up')`
    const { child, until, ended } = exec([], js(waits))
    await until(/up\n/)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 7, out: 'up\nheard\n' })
  })

  it.runIf(ALL)('reports why it cannot run a command', async () => {
    const { code, err } = await exec([], ['no-such-command-here']).ended
    expect(code).toBe(127)
    expect(err).toMatch(/^edgesim: Cannot run no-such-command-here: no such file or command\.$/m)
  })

  it('does not run the command if the simulator cannot start', async () => {
    const folder = folderWith({ 'bad.json': '{ "user": [] }' })
    const { code, out, err } = await exec(['bad.json'], js(TOLD), { cwd: folder }).ended
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^bad\.json:1:3: .*Did you mean users/)
  })

  it.runIf(ALL)('lists failed requests only if the command fails', async () => {
    const asks = `await call('/api_keys'); await call('/api_keys/ak_nobody');`
    const { code, err } = await exec([], js(`${asks} process.exit(5)`)).ended
    expect(code).toBe(5)
    expect(err).toMatch(/^edgesim: 1 request failed:\n {2}404 GET \/api_keys\/ak_nobody {2}\S.*\n$/)
    expect((await exec([], js(asks)).ended).err).toBe('')
  })

  it.runIf(ALL)('groups failed requests by sandbox, those of failed tests first', async () => {
    const asks = `
      const get = (path, sandbox) => call(path, {}, token + '~' + sandbox)
      for (let i = 0; i < 12; i++) await get('/api_keys/ak_' + i, 'passes')
      await get('/api_keys/ak_early?a=1', 'fails')
      await call('/_sim/sandboxes/fails', { method: 'PATCH', body: '{"failed":true}' })
      await call('/_sim/sandboxes/fails', { method: 'DELETE' })
      await get('/api_keys/ak_late', 'later')
      process.exit(1)`
    const { err } = await exec([], js(asks)).ended
    const [head, ...lines] = err.trim().split('\n')
    expect(head).toBe('edgesim: 14 requests failed (showing 8):')
    expect(lines.map(line => line.split('  ').slice(0, 2).join('  '))).toEqual([
      'sandbox fails (failed test):',
      '  404 GET /api_keys/ak_early?a=1',
      'sandbox later:',
      '  404 GET /api_keys/ak_late',
      'sandbox passes:',
      ...[6, 7, 8, 9, 10, 11].map(i => `  404 GET /api_keys/ak_${i}`),
    ])
  })

  it.runIf(ALL)('lists only the last 20 requests', async () => {
    const many = `for (let i = 0; i < 23; i++) await call('/api_keys/ak_' + i); process.exit(1)`
    const { err } = await exec([], js(many)).ended
    expect(err).toMatch(/^edgesim: 23 requests failed \(showing the last 20\):\n {2}404 GET \/api_keys\/ak_3 /)
    expect(err.trim().split('\n')).toHaveLength(21)
  })

  it.runIf(ALL)('returns 3 for unused rules, unless the command failed', async () => {
    const args = ['--scenario', 'outage', '--fail-on-unused']
    const { code, err } = await exec(args, js('')).ended
    expect(code).toBe(3)
    expect(err).toMatch(/Rule "reads fail" of scenario "outage" never fired/)
    expect((await exec(args, js('process.exit(9)')).ended).code).toBe(9)
    const used = `await call('/api_keys'); await call('/api_keys', { method: 'POST' }).catch(() => {})`
    expect((await exec(args, js(used)).ended).code).toBe(0)
  })

  it.runIf(ALL)('ignores unused rules of the command, except with --fail-on-unused', async () => {
    const rules = JSON.stringify({ rules: [{ name: 'never', latency: '1ms' }] })
    const puts = `await call('/_sim/scenario', { method: 'PUT', body: '${rules}' })`
    expect(await exec([], js(puts)).ended).toMatchObject({ code: 0, err: '' })
    const { code, err } = await exec(['--fail-on-unused'], js(puts)).ended
    expect(code).toBe(3)
    expect(err).toMatch(/Rule "never" of scenario ".*" never fired/)
  })

  it.runIf(ALL)('logs the ready line first with --log, including the --tls certificate', async () => {
    const { out } = await exec(['--tls', '--log', 'json'], js(`await call('/api_keys')`)).ended
    const records = Array.from(out.trim().split('\n'), line => JSON.parse(line))
    expect(records.map(({ event }) => event)).toEqual(['ready', 'request', 'stopped'])
    expect(records[0].certificate).toMatch(/ca\.pem$/)
    expect(existsSync(dirname(records[0].certificate))).toBe(false)
  })

  it.skipIf(!ALL || isWindows)('runs commands on the PATH, including shims and scripts', async () => {
    const folder = folderWith({ shim: '#!/bin/sh\necho "shim $1 $EDGESIM_TOKEN"\n' })
    chmodSync(join(folder, 'shim'), 0o755)
    const env = { PATH: `${folder}:${process.env.PATH}` }
    expect((await exec([], ['shim', 'a b'], { env }).ended).out).toBe('shim a b sim_admin\n')
  })
})

const ASKS_WITHOUT_VERSION = `const { status } = await fetch(url + '/api_keys', { headers: { authorization: 'Bearer ' + token } }); process.exit(status === 400 ? 0 : 1)`

describe.concurrent('edgesim exec --vary', () => {
  it.runIf(ALL)('ignores rules that never fired', async () => {
    const args = ['--scenario', 'outage', '--fail-on-unused', '--fail-on-vary', '--vary', 'page_order']
    const { code, out } = await exec(args, js('')).ended
    expect(code).toBe(3)
    expect(out).toMatch(/The exit code was 0\. Results with one assumption changed:\n {2}page_order=oldest_first +same/)
  })

  it.runIf(ALL)(
    'lists the assumptions a command depends on, with the dates of evidence, and can fail for them',
    async () => {
      const verdicts = {
        missing_version: { value: 'reject' },
        absent_module: { undecided: 'why' },
        unset_text: { none_known: { status: 422, body: {} } },
      }
      const names = ['missing_version', 'page_order', 'absent_module', 'unset_text']
      const args = ['--assume', evidenceFile(verdicts), '--fail-on-vary', '--vary', ...names]
      const { code, out } = await exec(args, js(ASKS_WITHOUT_VERSION)).ended
      expect(code).toBe(4)
      expect(out.split('\n').slice(2)).toEqual([
        '  missing_version=accept   DEPENDS ON IT (exit code 1)  probed 2026-11-17: reject',
        '  page_order=oldest_first  same                         not probed',
        '  absent_module=defaults   same                         probed 2026-11-17: undecided',
        '  unset_text=empty         same                         probed 2026-11-17: none of the values (status 422)',
        '',
      ])
    },
  )

  it.runIf(ALL)('stops completely on a signal', async () => {
    const { child, until, ended } = exec(['--vary'], js(`console.log('up'); setInterval(() => {}, 1000)`))
    await until(/up\n/)
    child.kill('SIGTERM')
    const { code, out } = await ended
    expect(code).toBe(143)
    expect(out).toMatch(/Stopped\. Not tested: \d+/)
  })
})
