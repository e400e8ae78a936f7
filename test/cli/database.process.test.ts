import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { edgesim, startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

const isRoot = process.getuid?.() === 0
const create = { description: 'kept' }

describe.concurrent('edgesim --db', () => {
  it.each(
    ALL ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const),
  )('preserves acknowledged writes after %s and a restart', async signal => {
    const db = join(folderWith(), 'db.json')
    const first = await startEdgesim(['--db', db])
    const { body: key } = await first.call('POST', '/api_keys', create)
    await first.stop(signal)
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

  it.runIf(ALL)('starts over with --fresh', async () => {
    const db = join(folderWith(), 'db.json')
    const first = await startEdgesim(['--db', db])
    await first.call('POST', '/api_keys', create)
    await first.stop()
    const { call } = await startEdgesim(['--db', db, '--fresh'])
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
  })

  it.runIf(ALL)('rejects a file that another process uses', async () => {
    const db = join(folderWith(), 'db.json')
    const { child } = await startEdgesim(['--db', db])
    const { code, err } = await edgesim(['--db', db, '--port', '0'])
    expect(code).toBe(1)
    expect(err).toMatch(
      new RegExp(`^edgesim: .*db\\.json is locked by process ${child.pid} on .*set --db to another file`),
    )
  })

  it.runIf(ALL).each([
    ['a missing folder', ['gone', 'db.json'], /no such directory: .*gone\. Set --db to a file in a writable directory/],
    ['a folder', [''], /it is a directory\. Set --db to a file/],
    ['a file that is not a database', ['text.json'], /text\.json is not complete JSON.*\n.*is not an edgesim database/],
    ['a file as a folder', ['text.json', 'db.json'], /text\.json is not a directory\. Set --db to a file/],
  ])('rejects %s', async (_, path, message) => {
    const folder = folderWith({ 'text.json': 'text' })
    const { code, out, err } = await edgesim(['--port', '0', '--db', join(folder, ...path)])
    expect({ code, out }).toEqual({ code: /not an edgesim database/.test(err) ? 2 : 1, out: '' })
    expect(err).toMatch(message)
    expect(readdirSync(folder)).toEqual(['text.json'])
  })

  it.runIf(ALL).each([
    ['is empty', '', /db\.json is empty/],
    ['is cut short', '{\n  "us', /db\.json is not complete JSON/],
  ])('explains how to recover from a file that %s', async (_, content, why) => {
    const folder = folderWith({ 'db.json': content })
    const { code, out, err } = await edgesim(['--db', join(folder, 'db.json'), '--port', '0'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(why)
    expect(err).toContain(`Use --fresh to rename it to ${join(folder, 'db.json')}.damaged`)
    expect(readFileSync(join(folder, 'db.json'), 'utf8')).toBe(content)
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
