import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/contract/report.ts'
import { reportAsHtml } from '../../src/control/report/html.ts'
import { reportAsJunit } from '../../src/control/report/junit.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { ALL } from '../support/long.ts'
import { exec, js } from './exec.ts'

const read = (folder: string): Report => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))

const schema = JSON.parse(readFileSync(join(root, 'report.schema.json'), 'utf8'))
const validate = new Ajv2020({ strict: false }).compile(schema)

const RULES = `name: rules
rules:
  - { name: "<slow>", when: { operation: list_api_keys }, latency: 30ms }
  - { name: never, when: { operation: create_api_key }, fault: { type: reset } }
`

describe.concurrent('edgesim exec --report', () => {
  it('writes the coverage of the run, in each format', async () => {
    const folder = folderWith({ 'rules.yaml': RULES })
    const asks = `
      for (let i = 0; i < 3; i++) await call('/api_keys?limit=1');
      await call('/api_keys/ak_none', {}, token + '~other'); await call('/no/such/path')`
    const files = ['run.json', 'run.html', 'run.xml'].flatMap(file => ['--report', file])
    const { code, err } = await exec([...files, '--scenario', 'rules.yaml'], js(asks), { cwd: folder }).ended
    expect({ code, err }).toMatchObject({ code: 0 })
    for (const file of ['run.json', 'run.html', 'run.xml'])
      expect(err).toMatch(new RegExp(`edgesim: Wrote ${file}: 5 requests, 2 of \\d+ operations called\\.`))
    const report = read(folder)
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report).toMatchObject({
      exit_code: 0,
      requests: 5,
      no_route: 1,
      sandboxes: 2,
      errors: expect.arrayContaining([
        { code: 'ERR_EDGESIM_404', count: 1, message: 'Path /no/such/path not found.' },
        { code: '404', count: 1, message: 'API key ak_none not found.' },
      ]),
      rules: [
        { scenario: 'rules', name: '<slow>', matched: 3, fired: 3 },
        { scenario: 'rules', name: 'never', matched: 0, fired: 0 },
      ],
      assumptions: expect.arrayContaining([{ name: 'page_order', value: 'newest_first', requests: 3 }]),
    })
    const times = { p50_ms: expect.any(Number), p95_ms: expect.any(Number) }
    expect(report.operations).toEqual([
      { operation: 'list_api_keys', calls: 3, statuses: { 200: 3 }, ...times },
      { operation: 'get_api_key', calls: 1, statuses: { 404: 1 }, ...times },
    ])
    expect(report.operations[0]!.p50_ms).toBeGreaterThan(29)
    expect(report.not_called).toContain('create_api_key')
    expect(report.not_called).not.toContain('list_api_keys')
    const durations = report.slowest.map(({ duration_ms }) => duration_ms)
    expect(durations).toEqual(durations.toSorted((a, b) => b - a))
    expect(report.slowest.map(({ sandbox, path }) => `${sandbox} ${path}`).sort()).toEqual([
      ...Array(3).fill('default /api_keys'),
      'default /no/such/path',
      'other /api_keys/ak_none',
    ])
    const html = readFileSync(join(folder, 'run.html'), 'utf8')
    expect(html).toContain('&lt;slow&gt;')
    for (const { message } of report.errors) expect(html).toContain(`<td>${message}</td>`)
    // Self-contained, without scripts.
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|\bhref=|url\(|https?:/)
    const xml = readFileSync(join(folder, 'run.xml'), 'utf8')
    expect(xml).toContain('classname="edgesim.operations" name="create_api_key"><skipped message="never called"/>')
    expect(xml).toContain('name="rules: never"><skipped message="never fired"/>')
  })

  it.runIf(ALL)('returns 4 below --fail-under, and names missing operations', async () => {
    const operations = ['create_api_key', 'get_api_key', 'update_api_key', 'delete_api_key', 'list_api_keys']
    const folder = folderWith({ 'edgesim.config.json': { operations } })
    const asks = `await call('/api_keys'); await call('/api_keys', { method: 'POST', body: '{}' })`
    const args = ['--fail-under', '80', '--report', 'run.json', '--report', 'run.xml']
    const failed = await exec(args, js(asks), { cwd: folder }).ended
    expect(failed.code).toBe(4)
    expect(failed.err).toContain(
      'edgesim: Coverage is below --fail-under 80: 2 of 5 operations called (40%). Not called: get_api_key, update_api_key, delete_api_key.\n',
    )
    expect(read(folder).coverage).toEqual({ called: 2, of: 5, percent: 40, required: 80 })
    const xml = readFileSync(join(folder, 'run.xml'), 'utf8')
    expect(xml).toContain('<testsuites name="edgesim" tests="7" failures="1" errors="0" skipped="3">')
    expect(xml).toContain('name="at least 80%"><failure message="2 of 5 operations called (40%)"/>')
    const enough = await exec(['--fail-under', '40%'], js(asks), { cwd: folder }).ended
    expect(enough).toMatchObject({ code: 0, err: '' })
    const both = await exec(['--fail-under', '80'], js(`${asks}; process.exitCode = 7`), { cwd: folder }).ended
    expect(both.code).toBe(7)
    expect(both.err).toContain('Coverage is below --fail-under 80')
  })

  it.runIf(ALL)('prints the called operations as a config entry, if all operations count', async () => {
    const folder = folderWith()
    const asks = js(`await call('/api_keys'); await call('/api_keys/ak_ci')`)
    const { code, err } = await exec(['--fail-under', '80'], asks, { cwd: folder }).ended
    expect(code).toBe(4)
    expect(err).toMatch(/--fail-under 80: 2 of \d{3} operations called \(0\.\d%\), because all operations count\./)
    const [entry] = /"operations": \[.*\]/.exec(err)!
    writeFileSync(join(folder, 'edgesim.config.json'), `{${entry}}`)
    expect(await exec(['--fail-under', '100'], asks, { cwd: folder }).ended).toMatchObject({ code: 0, err: '' })
  })

  it.runIf(ALL)('lists the assumptions that matter, with --vary', async () => {
    const folder = folderWith()
    const asks = `
      const { keys } = await (await call('/api_keys')).json();
      process.exitCode = keys[0].created_at >= keys.at(-1).created_at ? 0 : 5`
    const args = ['--report', 'run.json', '--vary', 'page_order', 'unset_text']
    expect(await exec(args, js(asks), { cwd: folder }).ended).toMatchObject({ code: 0 })
    const matters = Object.fromEntries(read(folder).assumptions.map(({ name, matters }) => [name, matters]))
    expect(matters.page_order).toEqual(['oldest_first'])
    expect(Object.values(matters).filter(values => values?.length)).toHaveLength(1)
  })
})

describe('A report', () => {
  const nothing: Report = {
    ...{ version: '1', started_at: '2026-01-01T00:00:00Z', requests: 0, no_route: 0, sandboxes: 1, deliveries: {} },
    ...{ coverage: { called: 0, of: 0, percent: 100 }, operations: [], not_called: [], errors: [] },
    ...{ assumptions: [], rules: [], slowest: [] },
  }

  it('of an empty run is complete in every format', () => {
    expect(validate(nothing)).toBe(true)
    expect(reportAsHtml(nothing)).toContain('No errors.')
    expect(reportAsJunit(nothing)).toContain('<testsuites name="edgesim" tests="0"')
  })

  it('escapes markup and characters that are invalid in XML', () => {
    const name = '"><script>\u0000\ud800&\uffff\u202e'
    const hostile = { ...nothing, rules: [{ scenario: name, name, matched: 1, fired: 0 }] }
    for (const text of [reportAsHtml(hostile), reportAsJunit(hostile)]) {
      expect(text).toContain('&quot;&gt;&lt;script&gt;\\u0000\ufffd&amp;\ufffd\\u202e')
      expect(text).not.toContain('<script>')
    }
  })
})
