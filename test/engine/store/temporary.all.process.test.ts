import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileCalls } from '../../../src/engine/store/file-calls.ts'
import { folderWith } from '../../support/afterwards.ts'
import { startEdgesim } from '../../support/as-process.ts'
import { simulate } from '../../support/in-process.ts'

describe('Without --db', () => {
  const foldersOf = (pid: number, where = tmpdir()) =>
    readdirSync(where).filter(name => name.startsWith(`edgesim-${pid}-`))

  it('the state is in a private temporary folder until the end, and nothing in the working directory', async () => {
    const cwd = folderWith({ keep: '' })
    const { child, call, stop } = await startEdgesim([], { cwd })
    expect(foldersOf(child.pid!)).toEqual([])
    await call('POST', '/api_keys', {})
    const [folder] = foldersOf(child.pid!)
    expect(statSync(join(tmpdir(), folder!)).mode & 0o777).toBe(0o700)
    await call('PUT', '/_sim/snapshots/one')
    expect((await stop()).code).toBe(0)
    expect(foldersOf(child.pid!)).toEqual([])
    expect(readdirSync(cwd)).toEqual(['keep'])
  })

  it('GET /_sim/info names the file, or null if the state is in memory', async () => {
    const { call, close } = await simulate()
    await call('POST', '/api_keys', {})
    const { body } = await call('GET', '/_sim/info')
    await expect.poll(() => existsSync(body.database)).toBe(true)
    expect(JSON.parse(readFileSync(body.database, 'utf8'))._edgesim.seq).toBe(1)
    await close()
    expect(existsSync(dirname(body.database))).toBe(false)
    const db = join(folderWith(), 'db.json')
    const { body: given } = await (await simulate({ db })).call('GET', '/_sim/info')
    expect(given.database).toBe(db)
  })

  it('the state is in memory without a temporary folder, which is logged once', async () => {
    const where = join(folderWith({ file: '' }), 'file')
    const { call, stop, printed } = await startEdgesim([], { env: { TMPDIR: where, TEMP: where, TMP: where } })
    for (let i = 0; i < 3; i++) expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(6)
    await stop()
    expect(printed.out.match(/The state is stored only in memory: ENOTDIR/g)).toHaveLength(1)
  })

  it('the state is in memory if the disk is full', async () => {
    const writes = { left: 3 }
    const files = {
      ...fileCalls,
      write: (fd: number, bytes: Uint8Array) => {
        if (writes.left-- <= 0) throw new Error('ENOSPC: full')
        return fileCalls.write(fd, bytes)
      },
    }
    const others = foldersOf(process.pid)
    const { call, close, notices } = await simulate({}, { files })
    for (let i = 0; i < 6; i++) expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(9)
    expect(notices.map(({ text }) => text)).toEqual(['The state is stored only in memory: ENOSPC: full.'])
    expect((await call('GET', '/_sim/info')).body.database).toBeNull()
    await close()
    expect(foldersOf(process.pid)).toEqual(others)
  })
})
