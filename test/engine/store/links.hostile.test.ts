import { lstatSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

describe.skipIf(process.platform === 'win32')('A symbolic link in place', () => {
  it('of the log stops the simulator from starting, and its target is unchanged', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: '' }), 'victim')
    symlinkSync(victim, `${db}.log`)
    await expect(simulate({ db })).rejects.toThrow(/ELOOP/)
    expect(readFileSync(victim, 'utf8')).toBe('')
  })

  it('of the lock counts as a lock, and its target is unchanged', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: 'precious' }), 'victim')
    utimesSync(victim, 1, 1)
    symlinkSync(victim, `${db}.lock`)
    const { close } = await simulate({ db })
    await close()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    symlinkSync(join(folderWith(), 'nothing'), `${db}.lock`)
    await expect(simulate({ db })).rejects.toThrow(/is locked by another process/)
  })

  it('of the database file is followed: lock and log are next to its target', async () => {
    const db = newDb()
    const file = join(folderWith(), 'real.json')
    await (await simulate({ db: file })).close()
    symlinkSync(file, db)
    const { close, call } = await simulate({ db })
    expect(readdirSync(dirname(file)).toSorted()).toEqual(['real.json', 'real.json.lock', 'real.json.log'])
    await expect(simulate({ db: file })).rejects.toThrow(/is locked by process/)
    await call('POST', '/api_keys', {})
    await close()
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
    expect(lstatSync(db).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))._edgesim.seq).toBe(1)
  })

  it('of the database file is followed if the file does not exist yet', async () => {
    const db = newDb()
    const folder = folderWith()
    symlinkSync('middle.json', db)
    symlinkSync(join(folder, 'real.json'), join(dirname(db), 'middle.json'))
    const { close } = await simulate({ db })
    expect(readdirSync(folder).toSorted()).toEqual(['real.json', 'real.json.lock', 'real.json.log'])
    await close()
    expect(readdirSync(dirname(db)).toSorted()).toEqual(['db.json', 'middle.json'])
    expect(lstatSync(db).isSymbolicLink()).toBe(true)
    await expect(simulate({ db, fixture: join(folder, 'real.json') })).rejects.toThrow(/are the same file/)
  })

  it('of the database file that points to itself is an error', async () => {
    const db = newDb()
    symlinkSync(db, db)
    await expect(simulate({ db })).rejects.toThrow(/ELOOP/)
  })

  it('of the snapshot folder makes taking a snapshot fail', async () => {
    const db = newDb()
    const victim = folderWith({ 'one.json': 'precious' })
    symlinkSync(victim, `${db}.snapshots`)
    const { call } = await simulate({ db })
    expect((await call('PUT', '/_sim/snapshots/one')).status).toBe(503)
    expect((await call('GET', '/_sim/snapshots')).body.snapshots).toEqual([])
    expect(readFileSync(join(victim, 'one.json'), 'utf8')).toBe('precious')
  })

  it('of a temporary file is not followed', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: 'precious' }), 'victim')
    for (const name of ['.db.json.tmp', 'db.json.tmp', 'db.json.log.tmp']) symlinkSync(victim, join(dirname(db), name))
    const { call, close } = await simulate({ db }, { compactAt: 1 })
    for (let i = 0; i < 5; i++) await call('POST', '/api_keys', {})
    await close()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })
})
