import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../../src/cli/process/watch.ts'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

const me = { id: 'ak_me', owner_id: 'usr_me', token: 'mine' }
const key = (id: string) => ({ id: `ak_${id}`, owner_id: 'usr_me' })
const fixture = (...keys: string[]) =>
  JSON.stringify({ users: [{ id: 'usr_me', admin: true }], api_keys: [me, ...keys.map(key)] })
const scenario = (status: number) => `name: mine\nrules:\n  - fault: { type: error, status: ${status} }\n`

async function watching(args: string[] = []) {
  const folder = folderWith({ 'fixture.json': fixture('a'), 'scenario.yaml': scenario(503) })
  const started = await startEdgesim(['fixture.json', '--watch', ...args], { cwd: folder })
  // Renamed like editors do, so no half-written file is read.
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.new`), text)
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
  const keys = async (token = 'mine') => (await started.call('GET', '/api_keys', undefined, { token })).body.keys.length
  const status = async (token = 'mine') => (await started.call('GET', '/api_keys', undefined, { token })).status
  const notice = async (n: number): Promise<string> => {
    const out = await started.until(new RegExp(`("event":"notice"[^]*){${n}}\\n`))
    return JSON.parse(out.split('\n').filter(line => line.includes('"event":"notice"'))[n - 1]!).msg
  }
  return { ...started, folder, write, keys, status, notice }
}

describe.concurrent('edgesim --watch', () => {
  it('applies a changed fixture to default, and to others at their next reset', async () => {
    const { write, keys, notice, call } = await watching()
    expect(await keys('mine~other')).toBe(2)
    await call('POST', '/api_keys', {})
    write('fixture.json', fixture('a', 'b'))
    expect(await notice(1)).toBe('Reloaded fixture.json.')
    expect([await keys(), await keys('mine~other'), await keys('mine~new')]).toEqual([3, 2, 3])
    await call('POST', '/_sim/sandboxes/other/reset')
    expect(await keys('mine~other')).toBe(3)
  })

  it.runIf(ALL)('applies a change of the fixture that the fixture extends', async () => {
    const { write, keys, notice } = await watching()
    write('own.json', JSON.stringify({ extends: './base.json', bots: [{ id: 'bot_own' }] }))
    write('base.json', fixture('a', 'b'))
    write('fixture.json', '{ "extends": "./own.json" }')
    expect(await notice(1)).toBe('Reloaded fixture.json.')
    expect(await keys()).toBe(3)
    write('base.json', fixture('a', 'b', 'c'))
    expect(await notice(2)).toMatch(/^Reloaded .*base\.json\.$/)
    expect(await keys()).toBe(4)
  })

  it.runIf(ALL)('detects an overwritten file', async () => {
    const { folder, keys, until } = await watching()
    writeFileSync(join(folder, 'fixture.json'), fixture('a', 'b', 'c'))
    // The file may be read and rejected while it is empty.
    await until(/Reloaded /)
    expect(await keys()).toBe(4)
  })

  it.runIf(ALL)('applies a changed scenario in every sandbox with it', async () => {
    const { write, status, notice } = await watching(['--scenario', 'scenario.yaml'])
    expect([await status(), await status('mine~other')]).toEqual([503, 503])
    write('scenario.yaml', scenario(500))
    expect(await notice(1)).toBe('Reloaded scenario.yaml.')
    expect([await status(), await status('mine~other'), await status('mine~new')]).toEqual([500, 500, 500])
  })

  it.runIf(ALL)('watches a scenario selected by name', async () => {
    const folder = folderWith({ 'mine.yaml': scenario(503) })
    const { call, until } = await startEdgesim(['--watch', '--scenarios-dir', folder, '--scenario', 'mine'])
    writeFileSync(join(folder, 'mine.yaml'), scenario(500))
    await until(/Reloaded /)
    expect((await call('GET', '/api_keys')).status).toBe(500)
  })

  it.runIf(ALL)('keeps its state if a file becomes invalid, and reports why', async () => {
    const { write, keys, status, notice } = await watching(['--scenario', 'scenario.yaml'])
    write('fixture.json', '{\n  "user": []\n}')
    expect(await notice(1)).toMatch(/^Cannot reload fixture\.json:\nfixture\.json:2:3: .*Did you mean users/)
    write('scenario.yaml', 'rules:\n  - fault: { type: eror }\n')
    expect(await notice(2)).toMatch(/^Cannot reload scenario\.yaml:\nscenario\.yaml:2:\d+: /)
    expect(await status()).toBe(503)
    write('scenario.yaml', 'name: none\nassume: { missing_version: accept }\n')
    expect(await notice(3)).toMatch(/^Reloaded /)
    expect(await keys()).toBe(2)
    write('fixture.json', fixture('a', 'b'))
    expect(await notice(4)).toMatch(/Reloaded fixture\.json\./)
    expect(await keys()).toBe(3)
  })

  it.runIf(ALL)('ignores its own writes and unchanged files', async () => {
    const { folder, write, call, notice, printed } = await watching(['--db', 'db.json', '--scenario', 'scenario.yaml'])
    for (let i = 0; i < 5; i++) expect((await call('POST', '/_sim/db/users', { name: `user ${i}` })).status).toBe(201)
    utimesSync(join(folder, 'fixture.json'), 1, 1)
    write('other.json', '{}')
    // Notices arrive in order, so earlier changes would be known.
    write('scenario.yaml', scenario(500))
    expect(await notice(1)).toMatch(/^Reloaded scenario\.yaml/)
    expect(printed.out.match(/"event":"notice"/g)).toHaveLength(1)
  })
})

it('An unreadable watched file is read again later', () => {
  const file = join(folderWith({ 'fixture.json': 'old' }), 'fixture.json')
  const hasChanged = changesOf(file)
  rmSync(file)
  mkdirSync(file)
  utimesSync(file, 1, 1)
  expect(hasChanged()).toBe(false)
  rmSync(file, { recursive: true })
  writeFileSync(file, 'new')
  utimesSync(file, 1, 1)
  expect([hasChanged(), hasChanged()]).toEqual([true, false])
})
