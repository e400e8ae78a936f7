import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { edgesim, startEdgesim } from '../support/as-process.ts'
import { edgesimHere } from '../support/in-process.ts'

const SCENARIO = 'name: mine\nrules:\n  - when: { owner: usr_me }\n    fault: { type: reset }\n'

describe.concurrent('edgesim validate', () => {
  it('recognizes scenarios by their content', async () => {
    const { code, out } = await edgesimHere([
      'validate',
      join(root, 'scenarios/outage.yaml'),
      join(root, 'fixtures/default.json'),
    ])
    expect(code).toBe(0)
    expect(out).toMatch(/outage\.yaml: valid scenario "outage" \(2 rules\)\n.*default\.json: valid fixture \(2 users,/)
  })

  it('says where a scenario is wrong', async () => {
    const folder = folderWith({
      'bad.yaml': 'rules:\n  - when: { operation: creat_api_key }\n    fault: { type: reset }\n',
    })
    const { code, err } = await edgesimHere(['validate', 'bad.yaml'], { cwd: folder })
    expect(code).toBe(2)
    expect(err).toMatch(/^bad\.yaml:2:\d+: .*create_api_key/)
  })

  it('checks a scenario against the given fixture', async () => {
    const folder = folderWith({ 'mine.yaml': SCENARIO, 'fixture.json': { users: [{ id: 'usr_me' }] } })
    const alone = await edgesimHere(['validate', 'mine.yaml'], { cwd: folder })
    expect(alone).toMatchObject({ code: 2, err: expect.stringMatching(/^mine\.yaml:3:\d+: .*usr_me/) })
    const { code, out } = await edgesimHere(['validate', '--fixture', 'fixture.json', 'mine.yaml'], { cwd: folder })
    expect({ code, out }).toEqual({ code: 0, out: 'mine.yaml: valid scenario "mine" (1 rule)\n' })
  })
})

describe.concurrent('edgesim start', () => {
  it('accepts a fixture by its name', async () => {
    const { ready, call } = await startEdgesim(['empty'])
    expect(ready.fixture).toBe('empty')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(1)
  })
})

describe.concurrent('edgesim openapi', () => {
  it('prints the document that the simulator serves', async () => {
    const { ready } = await startEdgesim()
    const served = await (await fetch(`${ready.url}/_sim/openapi.json`)).json()
    const { code, out } = await edgesimHere(['openapi', '--port', new URL(ready.url).port])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(served)
  })

  it('uses the options in force', async () => {
    const { code, out } = await edgesimHere(['openapi', '--vendor', 'ngrok', '--base-url', 'https://api.example.test/'])
    expect(code).toBe(0)
    const { servers, components } = JSON.parse(out)
    expect(servers).toEqual([{ url: 'https://api.example.test' }])
    expect(components.parameters.version.name).toBe('Ngrok-Version')
  })
})

describe.concurrent('edgesim repair', () => {
  it('keeps what can be read, and the next start continues from there', async () => {
    const folder = folderWith()
    const db = join(folder, 'db.json')
    const first = await startEdgesim(['--db', db])
    for (let i = 0; i < 3; i++) await first.call('POST', '/api_keys', {})
    await first.stop('SIGKILL')
    const lines = readFileSync(`${db}.log`, 'utf8').split('\n')
    writeFileSync(`${db}.log`, [lines[0], `x${lines[1]!.slice(1)}`, ...lines.slice(2)].join('\n'))
    const refused = await edgesim(['--db', db, '--port', '0'])
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/is damaged at line 2.*\n.*edgesim repair .*db\.json/)
    const { code, out } = await edgesimHere(['repair', db])
    expect(code).toBe(0)
    expect(out).toMatch(/^copied aside: /)
    expect(out).toMatch(/^lost: .*db\.json\.log is damaged at line 2: \d+ bytes from there on were dropped$/m)
    expect(out).toMatch(/db\.json: repaired \(.*\d+ api_keys/)
    const { call } = await startEdgesim(['--db', db])
    expect((await call('GET', '/api_keys')).body.keys.length).toBeGreaterThanOrEqual(4)
  })

  it('says if nothing is wrong or nothing is there', async () => {
    const db = join(folderWith(), 'db.json')
    await (await startEdgesim(['--db', db])).stop()
    expect(await edgesimHere(['repair', db])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/db\.json: nothing was wrong \(2 users,/),
    })
    const { child } = await startEdgesim(['--db', db])
    expect(await edgesimHere(['repair', db])).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^edgesim: .*in use by process ${child.pid}`)),
    })
  })

  it('says that the file does not exist', async () => {
    const { code, err } = await edgesimHere(['repair', 'gone.json'], { cwd: folderWith() })
    expect(code).toBe(1)
    expect(err).toMatch(/^edgesim: .*gone\.json/)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})
