import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasCode } from '../../../src/contract/simulator-error.ts'
import type { LoggedChange, Tables } from '../../../src/engine/state/index.ts'
import { DatabaseFile } from '../../../src/engine/store/database-file.ts'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import { load } from '../../../src/engine/store/load.ts'
import { LogFile } from '../../../src/engine/store/log-file.ts'
import { readLog } from '../../../src/engine/store/log-line.ts'
import { parseLines, parseStored } from '../../../src/engine/store/parse-stored.ts'
import type { Stored } from '../../../src/engine/store/stored.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'
import { tiny } from '../tiny-api.ts'
import { expectOnDisk, fileStore, killed, killedAtLogCut, newDb, open, put, remove, tablesOf } from './support.ts'

describe('A damaged log', () => {
  const names = { db: '/nowhere/db.json', log: '/nowhere/db.json.log' }
  let stored: Stored
  let log: Buffer
  let changes: LoggedChange[]

  /** Over 20 KB with every kind of line. */
  beforeAll(async () => {
    const db = newDb()
    const { sandbox } = await open(fileStore(db))
    stored = parseStored(readFileSync(db), db)
    for (let i = 10; i < 23; i++) put(sandbox, i, 'ä\n€𝄞"\\'.repeat(i % 9) + 'm'.repeat(800))
    for (let i = 10; i < 23; i += 4) remove(sandbox, i)
    const other = sandbox.tables
    sandbox.reset()
    put(sandbox, 3, '\uFFFD')
    sandbox.replace({ kind: 'state' }, tablesOf(5))
    sandbox.replace({ kind: 'restore', id: 's' }, other)
    remove(sandbox, 11)
    log = readFileSync(`${db}.log`)
    changes = readLog(log).changes
    expect(log.length).toBeGreaterThan(20 * 1024)
  })

  /** Loads from bytes, because tens of thousands of files would take minutes. */
  function loadFrom(bytes: Buffer) {
    const calls: FileCalls = { ...fileCalls, read: name => (name === names.log ? bytes : undefined) }
    const [file, logFile] = [new DatabaseFile(names.db, calls, false), new LogFile(names.log, calls, false)]
    return load(tiny.catalog, stored, file, logFile, 0)
  }

  it('cut at any byte gives the exact prefix, with a warning', async () => {
    let whole = 0
    for (let at = 0; at <= log.length; at++) {
      const lineEnded = at > 0 && log[at - 1] === 10
      if (lineEnded) whole++
      // Most places within a line are alike. The long run tests them all.
      if (!LONG && !lineEnded && at % 8 !== 0 && log[at] !== 10) continue
      const loaded = (await loadFrom(log.subarray(0, at)))!
      assert.equal(loaded.changes.length, whole)
      if (lineEnded) assert.deepEqual(loaded.changes, changes.slice(0, whole))
      assert.equal(loaded.warnings.length, lineEnded || at === 0 ? 0 : 1)
    }
    expect(whole).toBe(changes.length)
    expect((await loadFrom(log.subarray(0, -1)))!.warnings[0]).toMatch(
      /db\.json\.log: dropped \d+ bytes of an incomplete last line/,
    )
  })

  const flips = LONG ? 5_000 : 1_000

  it(`with any of ${flips} flipped bits gives the exact prefix or is rejected`, async () => {
    const outcomes = { prefix: 0, refused: 0 }
    let random = 20260101
    for (let i = 0; i < flips; i++) {
      random = (Math.imul(random, 1103515245) + 12345) >>> 0
      const bit = random % (log.length * 8)
      const bytes = Buffer.from(log)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      try {
        const loaded = (await loadFrom(bytes))!
        assert.deepEqual(loaded.changes, changes.slice(0, loaded.changes.length))
        assert.notEqual(loaded.changes.length, changes.length)
        outcomes.prefix++
      } catch (error) {
        if (!hasCode(error, 'DATABASE_DAMAGED')) throw error
        outcomes.refused++
      }
    }
    expect(outcomes.refused + outcomes.prefix).toBe(flips)
    expect(outcomes.refused).toBeGreaterThan(flips * 0.98)
  })

  it('is rejected if a line is missing, duplicated or out of order', async () => {
    const lines = log.toString('latin1').split('\n').slice(0, -1)
    const from = (...some: string[]) => Buffer.from(`${some.join('\n')}\n`, 'latin1')
    await expect(loadFrom(from(...lines.slice(1)))).rejects.toThrow(/continues at change 2, but the file ends at 0/)
    await expect(loadFrom(from(...lines.slice(0, 5), ...lines.slice(6)))).rejects.toThrow(/damaged at line 6/)
    await expect(loadFrom(from(lines[0]!, lines[0]!))).rejects.toThrow(/damaged at line 2/)
    await expect(loadFrom(from(lines[1]!, lines[0]!))).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' })
  })
})

describe('A start after a kill', () => {
  it('continues after the last whole line', async () => {
    const db = newDb()
    const { state, log } = await killed(db)
    truncateSync(`${db}.log`, log.length - 7)
    const { sandbox, store, loaded } = await open(fileStore(db))
    expect(loaded!.warnings).toHaveLength(1)
    expect(sandbox.seq).toBe(state.seq - 1)
    put(sandbox, 3)
    await expectOnDisk(db, sandbox)
    await store.close()
  })

  it('restores the state in memory after every kind of change', async () => {
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db))
    const early = () => (kept ??= sandbox.tables)
    let kept: Tables | undefined
    const steps: (() => unknown)[] = [
      () => put(sandbox, 3),
      () => remove(sandbox, 1),
      early,
      () => remove(sandbox, 3),
      () => put(sandbox, 4),
      () => sandbox.replace({ kind: 'rewind' }, early()),
      () => put(sandbox, 5),
      () => sandbox.reset(),
      () => put(sandbox, 3),
      () => sandbox.replace({ kind: 'restore' }, early()),
      () => put(sandbox, 4),
      () => sandbox.replace({ kind: 'state' }, tablesOf(7, 6)),
      () => remove(sandbox, 7),
      () => sandbox.replace({ kind: 'restore' }, early()),
      () => put(sandbox, 7),
      () => sandbox.reset(),
    ]
    for (const [i, step] of steps.entries()) {
      step()
      await expectOnDisk(db, sandbox, `after step ${i}`)
    }
    await store.close()
  })

  it('replays nothing twice if the log was not cut after the file was written', async () => {
    const db = newDb()
    const { sandbox } = await open(fileStore(db))
    put(sandbox, 3)
    rmSync(`${db}.lock`)
    const second = await open(fileStore(db, { calls: killedAtLogCut }))
    remove(second.sandbox, 3)
    await second.sandbox.snapshots.save('x')
    put(second.sandbox, 4)
    await expect(second.store.close()).rejects.toThrow('killed here')
    expect(readLog(readFileSync(`${db}.log`)).changes).toHaveLength(3)
    expect(JSON.parse(readFileSync(db, 'utf8'))._edgesim.seq).toBe(3)
    await expectOnDisk(db, second.sandbox)
  })

  it('removes only the temporary files of the killed process', async () => {
    const db = newDb()
    await killed(db)
    const left = ['.aB3-_67890.tmp', '.log.aB3-_67890.tmp', '.lock.aB3-_67890']
    const others = ['.tmp', '.backup.tmp', '.log.old', '.1.bak']
    for (const name of [...left, ...others]) writeFileSync(db + name, 'x')
    writeFileSync(`${dirname(db)}/other.json.aB3-_67890.tmp`, 'x')
    const { store } = await open(fileStore(db))
    await store.close()
    const expected = ['db.json', ...others.map(name => `db.json${name}`), 'other.json.aB3-_67890.tmp']
    expect(readdirSync(dirname(db)).toSorted()).toEqual(expected.toSorted())
  })
})

describe('A database file', () => {
  it('can be edited while no simulator runs', async () => {
    const db = newDb()
    await (await simulate({ db })).close()
    const content = JSON.parse(readFileSync(db, 'utf8'))
    content.api_keys.push({ id: 'ak_mine', owner_id: 'usr_admin', token: 'my_token' })
    content.ip_restrictions = []
    writeFileSync(db, JSON.stringify(content))
    const { call } = await simulate({ db })
    expect((await call('GET', '/api_keys/ak_mine')).body).toMatchObject({ owner_id: 'usr_admin', token: null })
    expect((await call('GET', '/ip_restrictions')).body.ip_restrictions).toEqual([])
  })
})

describe('A database too large for one string', () => {
  it('is read line by line with the same result', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    await call('POST', '/api_keys', { description: 'a "quoted", [bracketed]\n  "users": [' })
    await call('DELETE', '/api_keys/ak_ci')
    await close()
    const bytes = readFileSync(db)
    expect(parseLines(bytes)).toEqual(JSON.parse(bytes.toString()))
    expect(() => parseLines(bytes.subarray(0, -20))).toThrow()
    expect(() => parseLines(Buffer.from('{\n"name": "mine"\n}'))).toThrow(/has an unexpected line/)
  })
})
