import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileCalls } from '../../../src/engine/store/file-calls.ts'
import { simulate } from '../../support/in-process.ts'
import { faultyCalls, fileStore, killed, newDb, open, stateOnDisk } from './support.ts'

/** Starts with --fresh and closes. Returns the number of keys and the notices. */
async function startFresh(db: string) {
  const { call, close, notices } = await simulate({ db, fresh: true })
  const { body } = await call('GET', '/api_keys')
  await close()
  return { keys: body.keys.length, said: notices.map(({ text }) => text) }
}

const FIXTURE_KEYS = 3

/** A database with a damaged log line, and its files. */
async function damagedLog(db = newDb()) {
  const { log } = await killed(db, 5)
  log[log.indexOf('"ak_n2"')]! ^= 1
  writeFileSync(`${db}.log`, log)
  return { db, file: readFileSync(db), log }
}

describe('With --fresh, a database', () => {
  it('that is valid is replaced without a backup', async () => {
    const db = newDb()
    await killed(db)
    expect(await startFresh(db)).toEqual({ keys: FIXTURE_KEYS, said: [] })
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
  })

  it.each([
    ['cut short', (text: string) => text.slice(0, 200)],
    ['cut to two bytes', (text: string) => text.slice(0, 2)],
    ['empty', () => ''],
    ['of NUL bytes', (text: string) => '\0'.repeat(text.length)],
    ['in another format', (text: string) => text.replace(/"format":\d+/, '"format":1')],
    [
      'with half a run of order numbers',
      (text: string) => text.replace('"order":{}', '"order":{"users":{"runs":[0],"next":1,"deleted":{}}}'),
    ],
    ['wrongly edited', (text: string) => text.replace('"owner_id":"usr_admin"', '"owner_id":"usr_nobody"')],
  ])('that is %s is renamed', async (_, spoil) => {
    const db = newDb()
    await (await simulate({ db })).close()
    const spoilt = spoil(readFileSync(db, 'utf8'))
    expect(spoilt).not.toBe(readFileSync(db, 'utf8'))
    writeFileSync(db, spoilt)
    const { keys, said } = await startFresh(db)
    expect(keys).toBe(FIXTURE_KEYS)
    expect(said).toEqual([expect.stringContaining(`It was renamed to ${db}.damaged`)])
    expect(readFileSync(`${db}.damaged`, 'utf8')).toBe(spoilt)
    expect(readdirSync(dirname(db))).toEqual(['db.json', 'db.json.damaged'])
  })

  it('with a damaged log is renamed with its log, and works under its new name once the log is repaired', async () => {
    const { db, file, log } = await damagedLog()
    await expect(simulate({ db })).rejects.toThrow(/db\.json\.log is damaged at line 3/)
    expect((await startFresh(db)).said).toEqual([expect.stringMatching(/damaged at line 3.*\n.*renamed to/)])
    expect(readFileSync(`${db}.damaged`)).toEqual(file)
    expect(readFileSync(`${db}.damaged.log`)).toEqual(log)
    writeFileSync(`${db}.damaged.log`, log.subarray(0, log.indexOf('\n') + 1))
    expect((await stateOnDisk(`${db}.damaged`)).rows.api_keys).toHaveLength(3)
  })

  it('without its file has its log renamed', async () => {
    const { db, log } = await damagedLog()
    rmSync(db)
    await startFresh(db)
    expect(readFileSync(`${db}.damaged.log`)).toEqual(log)
    expect(existsSync(`${db}.damaged`)).toBe(false)
  })

  it('is renamed to the next free name, without overwriting files', async () => {
    const db = newDb()
    writeFileSync(`${db}.damaged`, 'first')
    writeFileSync(`${db}.damaged.2.log`, 'a log alone')
    for (const content of ['', '\0\0']) {
      writeFileSync(db, content)
      await startFresh(db)
    }
    const aside = readdirSync(dirname(db)).map(name => [name, readFileSync(`${dirname(db)}/${name}`, 'utf8')])
    expect(Object.fromEntries(aside.slice(1))).toEqual({
      'db.json.damaged': 'first',
      'db.json.damaged.2.log': 'a log alone',
      'db.json.damaged.3': '',
      'db.json.damaged.4': '\0\0',
    })
  })

  it('is unchanged if the new database fails to be written', async () => {
    const { db, file, log } = await damagedLog()
    const disk = faultyCalls()
    disk.failEvery('write', 'ENOSPC')
    await expect(simulate({ db, fresh: true }, { files: disk.calls })).rejects.toThrow(/the disk is full/)
    expect(readdirSync(dirname(db))).toEqual(['db.json', 'db.json.log'])
    expect([readFileSync(db), readFileSync(`${db}.log`)]).toEqual([file, log])
  })

  it('is replaced without the changes of an uncut log', async () => {
    const db = newDb()
    const { log } = await killed(db)
    const { store } = await open(fileStore(db))
    await store.close()
    writeFileSync(`${db}.log`, log)
    const calls = {
      ...fileCalls,
      rename(from: string, to: string) {
        if (to.endsWith('.log')) throw new Error('killed here')
        fileCalls.rename(from, to)
      },
    }
    await expect(open(fileStore(db, { calls }), { fresh: true })).rejects.toThrow('killed here')
    expect((await stateOnDisk(db)).rows.api_keys).toHaveLength(2)
  })

  it('is not renamed on a temporary read error', async () => {
    const db = newDb()
    await killed(db)
    const disk = faultyCalls()
    disk.failEvery('read', 'EIO')
    await expect(simulate({ db, fresh: true }, { files: disk.calls })).rejects.toThrow(/EIO/)
    expect(readdirSync(dirname(db))).toEqual(['db.json', 'db.json.log'])
  })
})
