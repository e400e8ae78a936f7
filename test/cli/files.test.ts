import { lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/index.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'

const NAM = /users\[0\]\.nam: unknown field "nam"\. Did you mean name\?$/

const BAD = {
  'field.json': '{\n  "users": [{ "id": "usr_a", "nam": "A" }]\n}\n',
  'field.yaml': 'users:\n  - id: usr_a\n    nam: A\n',
  'syntax.json': '{\n  "users": []\n  "bots": []\n}\n',
  'syntax.yaml': 'users:\n  - id: "usr_a\n',
  'table.json': '{\n  "user": []\n}\n',
  'reference.yaml':
    'ip_policies: [{ id: ipp_office }]\ntcp_edges:\n  - id: edgtcp_a\n    ip_restriction: { ip_policy_ids: [ipp_ofice] }\n',
  'twice.json': '{ "users": [{ "id": "usr_a" }, { "id": "usr_a" }] }\n',
  'far.json': '{ "users": [{ "id": "usr_a", "zzzzzzzz": 1 }] }',
  'list.json': '[]\n',
  'empty.json': '',
  'comma.json': '{ "users": [],}',
  'rule.yaml': 'rules:\n  - when: { operation: list_api_key }\n    fault: { type: reset }\n',
}

const COMPLAINTS: [keyof typeof BAD, string, RegExp][] = [
  ['field.json', '2:30', NAM],
  ['field.yaml', '3:5', NAM],
  ['syntax.json', '3:3', /invalid JSON: comma expected/],
  ['syntax.yaml', '3:1', /Missing closing "quote/],
  ['table.json', '2:3', /unknown field "user"\. Did you mean users\?/],
  ['reference.yaml', '4:39', /ipp_ofice not found in ip_policies\. Did you mean ipp_office\?/],
  ['twice.json', '1:34', /duplicate id usr_a, first used in users\[0\]/],
  ['far.json', '1:30', /unknown field "zzzzzzzz"\. Known: id, created_at, name, admin, repeat$/],
  ['list.json', '1:1', /the file must be an object, got a list of 0/],
  ['empty.json', '1:1', /is empty/],
  ['comma.json', '1:15', /invalid JSON: remove the comma before }/],
  ['rule.yaml', '2:13', /got the string "list_api_key"\. Did you mean list_api_keys\?$/],
]

describe('edgesim validate', () => {
  it('rejects a folder, a UTF-16 file and a missing file, with the reason, and continues', async () => {
    const cwd = folderWith({ 'a/good.json': '{}' })
    writeFileSync(join(cwd, 'utf16.json'), Buffer.from('\ufeff{}', 'utf16le'))
    const { code, out, err } = await edgesimHere(['validate', 'a', 'utf16.json', 'none.json', 'a/good.json'], { cwd })
    expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(/^a\/good\.json: valid/) })
    expect(err.split('\n').slice(0, 3)).toEqual([
      'a:1:1: cannot read the file: it is a directory, not a file',
      'utf16.json:1:1: the file is in UTF-16. Save it as UTF-8',
      'none.json:1:1: cannot read the file: no such file',
    ])
  })

  it('prints problems as JSON', async () => {
    const args = ['validate', '--json', 'field.json', 'twice.json']
    const { code, out, err } = await edgesimHere(args, { cwd: folderWith(BAD) })
    expect({ code, err }).toEqual({ code: 2, err: '' })
    expect(JSON.parse(out)).toEqual({
      valid: false,
      problems: [
        { file: 'field.json', line: 2, column: 30, message: expect.stringMatching(NAM) },
        { file: 'twice.json', line: 1, column: 34, message: expect.stringContaining('duplicate id usr_a') },
      ],
    })
  })

  it('reports the position of each error, per file', async () => {
    const files = COMPLAINTS.map(([file]) => file)
    const { code, out, err } = await edgesimHere(['validate', ...files], { cwd: folderWith(BAD) })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const lines = err.trim().split('\n')
    expect(lines).toHaveLength(files.length)
    for (const [i, [file, place, message]] of COMPLAINTS.entries())
      expect(lines[i]).toMatch(new RegExp(`^${file}:${place}: .*${message.source}`))
  })

  it('counts the records of a valid file', async () => {
    const folder = folderWith({
      'a.json': { users: [{ id: 'usr_a' }], api_keys: [{ id: 'ak_a', token: 'a' }], tcp_edges: [{ id: 'edgtcp_a' }] },
      'b.yml': 'users: [{ id: usr_b }, { id: usr_c }]\napi_keys: [{ id: ak_b, owner_id: usr_b, token: b }]\n',
    })
    const { code, out, err } = await edgesimHere(['validate', 'a.json', 'b.yml'], { cwd: folder })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('a.json: valid fixture (1 user, 1 api_key, 1 tcp_edge)\n')
    expect(out).toContain('b.yml: valid fixture (2 users, 1 api_key)\n')
  })

  it('reports what edgesim start would add: a key, and an admin if there is none', async () => {
    const people = { users: [{ id: 'usr_plain' }, { id: 'usr_mine', admin: true }] }
    const cwd = folderWith({ 'a.json': '{}', 'b.json': people })
    const { code, out } = await edgesimHere(['validate', 'a.json', 'b.json'], { cwd })
    expect(code).toBe(0)
    expect(out).toMatch(/No API key in the fixture has a token\. Added ak_admin for the admin usr_admin/)
    expect(out).toContain('valid fixture (2 users, 1 api_key)')
    expect(out).toMatch(/Added ak_admin for the admin usr_mine, with the token sim_admin/)
  })

  it('lists problems by line', async () => {
    const text = `{
  "tabel": [],
  "users": [{ "nam": "A", "id": 5 }],
  "ip_restrictions": [{ "type": "dashbord", "id": "ipx_a" }]
}`
    const { err } = await edgesimHere(['validate', 'a.json'], { cwd: folderWith({ 'a.json': text }) })
    const places = Array.from(err.matchAll(/^a\.json:(\d+:\d+)/gm), ([, place]) => place)
    expect(places).toEqual(['2:3', '3:15', '3:27', '4:25'])
    expect(err).toMatch(/must be one of dashboard, .*, got the string "dashbord"\. Did you mean dashboard\?$/m)
  })
})

it('edgesim init reports why it cannot write', async () => {
  const { code, out, err } = await edgesimHere(['init'], { cwd: folderWith({ edgesim: 'a file' }) })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^edgesim: Cannot write edgesim\/fixture\.yaml: .*edgesim is not a directory\.\n$/)
})

it.skipIf(process.platform === 'win32')('edgesim init writes world-readable files, and follows no link', async () => {
  const cwd = folderWith({ 'edgesim/scenarios/own.yaml': '' })
  symlinkSync('../victim.yaml', join(cwd, 'edgesim/fixture.yaml'))
  const { code, out } = await edgesimHere(['init'], { cwd })
  expect(code).toBe(0)
  expect(out).toMatch(/^skipped {2}edgesim\/fixture\.yaml \(already exists\)\nwrote /)
  expect(lstatSync(join(cwd, 'edgesim/fixture.yaml')).isSymbolicLink()).toBe(true)
  expect(statSync(join(cwd, 'edgesim.config.json')).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(readdirSync(cwd)).toEqual(['edgesim', 'edgesim.config.json'])
})

describe('A file of the wrong kind is reported:', () => {
  const folder = folderWith({ 'slow.yaml': 'rules: [{ latency: 1ms }]\n', 'mine.json': { users: [{ id: 'usr_a' }] } })

  it.each([
    ['a scenario', { fixture: join(folder, 'slow.yaml') }, 'scenario, not a fixture. Use --scenario'],
    ['a fixture', { scenario: join(folder, 'mine.json') }, 'fixture, not a scenario. Use --fixture'],
  ])('%s', async (_, options, says) => {
    const [file] = Object.values(options)
    await expect(startSimulator(options)).rejects.toThrow(`${file}:1:1: this is a ${says} ${file}`)
  })
})
