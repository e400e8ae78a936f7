import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { edgesim, startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

const isRoot = process.getuid?.() === 0
const create = { description: 'kept' }

describe.concurrent('edgesim --db', () => {
  it('preserves acknowledged writes after SIGKILL and a restart', async () => {
    const db = join(folderWith(), 'db.json')
    const first = await startEdgesim(['--db', db])
    const { body: key } = await first.call('POST', '/api_keys', create)
    await first.stop('SIGKILL')
    const { call, ready } = await startEdgesim(['--db', db])
    expect(ready.token).toBe('sim_admin')
    const { body } = await call('GET', `/api_keys/${key.id}`, undefined, { token: key.token })
    expect(body).toEqual({ ...key, token: null, uri: `${ready.url}/api_keys/${key.id}` })
  })

  it.runIf(ALL)('leaves only the file, and reports its content in the last line', async () => {
    const folder = folderWith()
    const file = join(folder, 'db.json')
    const { call, stop } = await startEdgesim(['--db', file])
    await call('POST', '/api_keys', create)
    const last = JSON.parse((await stop()).out.trimEnd().split('\n').at(-1)!)
    const records = readFileSync(file, 'utf8').match(/"id":/g)!.length
    expect(records).toBeGreaterThan(20)
    expect(last).toEqual({ level: 'info', time: expect.any(Number), event: 'stopped', file, records, changes: 1 })
    expect(readdirSync(folder)).toEqual(['db.json'])
  })

  it.runIf(ALL).each([
    ['a missing folder', ['gone', 'db.json'], /no such directory: .*gone\. Set --db to a file in a writable directory/],
    ['a folder', [''], /it is a directory\. Set --db to a file/],
    ['a file that is not a database', ['text.json'], /text\.json is not complete JSON.*\n.*is not an edgesim database/],
    ['a file as a folder', ['text.json', 'db.json'], /text\.json is not a directory\. Set --db to a file/],
    ['a damaged file', ['cut.json'], /cut\.json is not complete JSON.*Use --fresh to rename it to .*\.damaged/s],
  ])('rejects %s', async (_, path, message) => {
    const folder = folderWith({ 'text.json': 'text', 'cut.json': '{\n  "us' })
    const { code, out, err } = await edgesim(['--port', '0', '--db', join(folder, ...path)])
    expect({ code, out }).toEqual({ code: /not an edgesim database/.test(err) ? 2 : 1, out: '' })
    expect(err).toMatch(message)
    expect(readdirSync(folder)).toEqual(['cut.json', 'text.json'])
  })

  it.skipIf(!ALL || isRoot || process.platform === 'win32')('rejects a read-only folder', async () => {
    const folder = join(folderWith(), 'locked')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const { code, err } = await edgesim(['--port', '0', '--db', join(folder, 'db.json')])
    expect(code).toBe(1)
    expect(err).toMatch(/permission denied in .*locked/)
    expect(existsSync(join(folder, 'db.json'))).toBe(false)
  })
})
