import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baseOf, Tables } from '../../src/state/index.ts'
import { repair } from '../../src/store/repair.ts'
import { fileStore, key, killed, newDb, open, put, stateOnDisk } from './support.ts'

describe('A repair', () => {
  /** Starts on what was repaired. */
  async function keysOf(db: string) {
    const { sandbox, store } = await open(fileStore(db))
    await store.close()
    return sandbox.tables.rows().api_keys!.map(row => row.id)
  }

  it('keeps the lines before the damage, keeps a copy of the old files and says what is lost', async () => {
    const db = newDb()
    const { log } = await killed(db, 5)
    const third = log.indexOf('"ak_n2"')
    log[third]! ^= 1
    writeFileSync(`${db}.log`, log)
    await expect(open(fileStore(db))).rejects.toThrow(/damaged at line 3/)
    const { lost, kept } = await repair(db)
    expect(lost).toEqual([
      expect.stringMatching(/db\.json\.log is damaged at line 3: \d+ bytes from there on were dropped/),
    ])
    expect(kept).toMatchObject({ users: 1, api_keys: 4, ip_policies: 0 })
    expect(readFileSync(`${db}.log.1.bak`)).toEqual(log)
    expect(existsSync(`${db}.1.bak`)).toBe(true)
    expect(await keysOf(db)).toEqual(['ak_one', 'ak_two', 'ak_n0', 'ak_n1'])
  })

  it('keeps the records before the cut of a file, and later ones from the log', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    for (let i = 0; i < 10; i++) put(first.sandbox, key(`n${i}`))
    await first.store.close()
    const { sandbox } = await open(fileStore(db))
    put(sandbox, key('n9', { description: 'changed after the file was written' }))
    rmSync(`${db}.lock`)
    truncateSync(db, readFileSync(db).indexOf('"ak_n4"'))
    const { lost } = await repair(db)
    expect(lost).toEqual([expect.stringMatching(/db\.json is not whole JSON: .*; saved: 7 records before line 13/)])
    expect(await keysOf(db)).toEqual(['ak_one', 'ak_two', 'ak_n0', 'ak_n1', 'ak_n2', 'ak_n3', 'ak_n9'])
    const next = await open(fileStore(db))
    expect(next.sandbox.ids.counters.op).toBeGreaterThanOrEqual(1_000_000)
    await next.store.close()
  })

  it('recovers what it can from a log whose file is missing', async () => {
    const db = newDb()
    const { sandbox } = await open(fileStore(db))
    sandbox.replace({ kind: 'state' }, new Tables(baseOf({ users: [{ id: 'usr_admin' }], api_keys: [key('only')] })))
    put(sandbox, key('more'))
    rmSync(db)
    rmSync(`${db}.lock`)
    const { lost } = await repair(db)
    expect(lost).toEqual([`${db} is missing: only what its log holds can be saved`])
    expect(await keysOf(db)).toEqual(['ak_only', 'ak_more'])
  })

  it('does not let a seed repeat ids if the counters are lost', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    const token = first.sandbox.ids.token()
    put(first.sandbox, key('three'))
    await first.store.close()
    writeFileSync(db, readFileSync(db, 'utf8').replace('"_edgesim"', '"_edge'))
    expect((await repair(db)).lost).toHaveLength(1)
    const { sandbox, store } = await open(fileStore(db))
    expect(sandbox.ids.token()).not.toBe(token)
    await store.close()
  })

  it('drops invalid records, and those that refer to them', async () => {
    const db = newDb()
    const content = {
      users: [{ id: 'usr_admin' }, { id: 'usr_admin' }, { nam: 'no id' }],
      api_keys: [key('fine'), key('lost', { owner_id: 'usr_gone' }), key('odd', { description: 7 })],
      hats: [],
      bots: 'none',
      _edgesim: { format: 1, seq: 0, counters: {}, deleted: {} },
    }
    writeFileSync(db, JSON.stringify(content))
    const { lost } = await repair(db)
    expect(lost).toEqual([
      expect.stringMatching(/users\[1\] was dropped: usr_admin is there before it too/),
      expect.stringMatching(/users\[2\] was dropped: it has no id/),
      expect.stringMatching(/"hats" was dropped: edgesim has no such records/),
      expect.stringMatching(/"bots" was dropped: it is not a list/),
      expect.stringMatching(/ak_odd was dropped: .*description/),
      expect.stringMatching(/ak_lost was dropped: there is no usr_gone/),
    ])
    expect(await keysOf(db)).toEqual(['ak_fine'])
  })

  it('changes nothing if nothing is wrong, and says so', async () => {
    const db = newDb()
    const { state } = await killed(db)
    const { lost } = await repair(db)
    expect(lost).toEqual([])
    expect(await stateOnDisk(db)).toEqual(state)
  })

  it('refuses a file that is in use or does not exist', async () => {
    const db = newDb()
    await expect(repair(db)).rejects.toThrow(/there is no .*db\.json and no log of it/)
    const { store } = await open(fileStore(db))
    copyFileSync(db, `${db}.copy`)
    await expect(repair(db)).rejects.toThrow(`in use by process ${process.pid}`)
    expect(readFileSync(db)).toEqual(readFileSync(`${db}.copy`))
    await store.close()
  })
})
