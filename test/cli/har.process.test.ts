import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { HarFile } from '../../src/cli/process/har-file.ts'
import { afterwards, folderWith } from '../support/afterwards.ts'
import { expectHar, linesOf } from '../support/har.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { exec, js } from './exec.ts'

const read = (folder: string, file = 'run.har') => expectHar(JSON.parse(readFileSync(join(folder, file), 'utf8')))

describe.concurrent('edgesim exec --har', () => {
  it.runIf(ALL)('writes the requests of the command, and prints the path', async () => {
    const folder = folderWith({ 'run.har': 'of an earlier run' })
    const asks = `await call('/api_keys?limit=1'); await call('/api_keys', { method: 'POST', body: '{"description":"né"}' })`
    const { code, out, err } = await exec(['--har', 'run.har'], js(asks), { cwd: folder }).ended
    const told = 'edgesim: Wrote 2 requests to run.har. Open it in the network panel of a browser.\n'
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: told })
    const log = read(folder)
    expect(linesOf(log)).toEqual(['GET /api_keys 200', 'POST /api_keys 201'])
    expect(log.comment).toBeUndefined()
    const [listed, created] = log.entries
    expect(listed!.request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api_keys\?limit=1$/)
    expect(created!.request.postData!.text).toBe('{"description":"né"}')
    expect(JSON.parse(created!.response.content.text!).token).toBe('[redacted]')
    expect(readFileSync(join(folder, 'run.har'), 'utf8')).not.toContain('sim_admin')
  })

  it.runIf(ALL)('has one page per sandbox, including dropped ones', async () => {
    const folder = folderWith()
    const asks = `
      for (const [name, year] of [['one', 2030], ['two', 2020]]) {
        await call('/_sim/sandboxes/' + name, { method: 'PUT' });
        const body = JSON.stringify({ now: year + '-01-01T00:00:00Z', frozen: true });
        await call('/_sim/sandboxes/' + name + '/clock', { method: 'PUT', body });
        await call('/api_keys/ak_' + name, {}, token + '~' + name);
        await call('/_sim/sandboxes/' + name, { method: 'DELETE' });
      }
      await call('/api_keys')`
    expect(await exec(['--har', 'run.har'], js(asks), { cwd: folder }).ended).toMatchObject({ code: 0 })
    const log = read(folder)
    // In order of creation, regardless of their clocks.
    expect(linesOf(log)).toEqual(['GET /api_keys/ak_one 404', 'GET /api_keys/ak_two 404', 'GET /api_keys 200'])
    expect(log.entries.map(({ pageref }) => pageref)).toEqual(['one', 'two', 'default'])
    expect(log.pages.slice(0, 2)).toEqual([
      { id: 'one', title: 'one', startedDateTime: '2030-01-01T00:00:00.000Z', pageTimings: {} },
      { id: 'two', title: 'two', startedDateTime: '2020-01-01T00:00:00.000Z', pageTimings: {} },
    ])
  })

  it.runIf(ALL)('lists requests by their start, not their end', async () => {
    const folder = folderWith({ 'slow.yaml': 'rules: [{ when: { method: POST }, fault: { type: hang } }]' })
    const asks = `
      call('/api_keys', { method: 'POST', body: '{}' }).catch(() => {});
      for (;;) {
        const { requests } = await (await call('/_sim/requests')).json();
        if (requests.length > 0) break;
      }
      await call('/api_keys');
      process.exit(0)`
    const args = ['--har', 'run.har', '--scenario', 'slow.yaml']
    expect(await exec(args, js(asks), { cwd: folder }).ended).toMatchObject({ code: 0 })
    expect(linesOf(read(folder))).toEqual(['POST /api_keys 0', 'GET /api_keys 200'])
  })

  it.runIf(ALL).each([
    ['failed', 'process.exit(7)', 7],
    ['was killed', `process.kill(process.pid, 'SIGKILL')`, 137],
  ])('writes the file if the command %s, and returns its exit code', async (_, ends, expected) => {
    const folder = folderWith()
    const asks = `await call('/api_keys/ak_nobody'); ${ends}`
    const { code, err } = await exec(['--har', 'run.har'], js(asks), { cwd: folder }).ended
    expect(code).toBe(expected)
    expect(err).toMatch(/1 request failed:[\s\S]*edgesim: Wrote 1 request to run\.har\./)
    expect(read(folder).entries[0]!._explanation).toMatch(/ak_nobody/)
  })

  it.runIf(ALL)('recreates the folder if the command removed it', async () => {
    const folder = folderWith()
    mkdirSync(join(folder, 'results'))
    const removes = `const { rmSync } = await import('node:fs'); rmSync('results', { recursive: true }); await call('/api_keys')`
    expect(await exec(['--har', 'results/run.har'], js(removes), { cwd: folder }).ended).toMatchObject({ code: 0 })
    expect(linesOf(read(folder, 'results/run.har'))).toEqual(['GET /api_keys 200'])
  })

  it.runIf(ALL).each([
    [1, 'succeeded', ''],
    [7, 'failed', 'process.exit(7)'],
  ])('reports a failed write, and returns %i if the command %s', async (expected, _, ends) => {
    const folder = folderWith()
    const inTheWay = `const { mkdirSync } = await import('node:fs'); mkdirSync('run.har'); ${ends}`
    const { code, err } = await exec(['--har', 'run.har'], js(inTheWay), { cwd: folder }).ended
    expect(code).toBe(expected)
    expect(err).toBe('edgesim: Cannot write run.har: it is a directory.\n')
  })
})

function quietly<T>(act: () => T): T {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  afterwards(() => said.mockRestore())
  return act()
}

describe('The --har file', () => {
  const refused = (args: string[], cwd: string) => edgesimHere(['exec', ...args, '--', 'true'], { cwd })

  const isWindows = process.platform === 'win32'
  it.skipIf(!ALL || isWindows || process.getuid?.() === 0)('is rejected if it is read-only', async () => {
    const folder = folderWith({ 'run.har': '' })
    chmodSync(join(folder, 'run.har'), 0o444)
    const { code, err } = await refused(['--har', 'run.har'], folder)
    expect(code).toBe(2)
    expect(err).toMatch(/permission denied in/)
  })

  it.skipIf(isWindows)('is readable only by its owner, and replaces a link', async () => {
    const folder = folderWith({ victim: 'precious', 'bad.json': '{ "user": [] }' })
    const file = join(folder, 'run.har')
    const written = (to: string) => quietly(() => new HarFile(to).write())
    for (const target of ['victim', 'nothing']) {
      symlinkSync(target, file)
      expect(await refused(['bad.json', '--har', 'run.har'], folder)).toMatchObject({ code: 2 })
      expect(readdirSync(folder).toSorted()).toEqual(['bad.json', 'run.har', 'victim'])
      expect(written(file)).toBe(true)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      rmSync(file)
    }
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious')
    expect(written('/dev/null')).toBe(true)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it.runIf(ALL)('omits the oldest requests over the size limit, and reports how many', async () => {
    const file = join(folderWith(), 'run.har')
    const har = new HarFile(file, 20_000)
    const { call } = await simulate({}, { onEvent: event => event.type === 'request' && har.add(event.data) })
    for (let i = 0; i < 30; i++) await call('GET', `/api_keys/ak_${i}`)
    expect(quietly(() => har.write())).toBe(true)
    const text = readFileSync(file, 'utf8')
    const log = expectHar(JSON.parse(text))
    expect(text.length).toBeLessThan(21_000)
    const { length } = log.entries
    expect(length).toBeGreaterThan(5)
    expect(linesOf(log)).toEqual(Array.from({ length }, (_, i) => `GET /api_keys/ak_${30 - length + i} 404`))
    expect(log.comment).toBe(`Older requests omitted to limit the file size: ${30 - length}`)
  })
})
