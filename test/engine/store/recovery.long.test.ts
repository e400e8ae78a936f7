import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasCode } from '../../../src/contract/simulator-error.ts'
import { baseOf, type LoggedChange, Tables } from '../../../src/engine/state/index.ts'
import { DatabaseFile } from '../../../src/engine/store/database-file.ts'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import { load } from '../../../src/engine/store/load.ts'
import { LogFile } from '../../../src/engine/store/log-file.ts'
import { readLog } from '../../../src/engine/store/log-line.ts'
import { parseLines, parseStored } from '../../../src/engine/store/parse-stored.ts'
import { FORMAT } from '../../../src/engine/store/serialise.ts'
import type { Stored } from '../../../src/engine/store/stored.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'
import { faultyCalls, fileStore, key, killed, newDb, open, put, remove, stateOf, stateOnDisk } from './support.ts'

const filesOf = (file: string) =>
  Object.fromEntries(
    readdirSync(dirname(file)).map(name => [name, readFileSync(`${dirname(file)}/${name}`).toString('base64')]),
  )

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
    for (let i = 0; i < 13; i++)
      put(sandbox, key(`n${i}`, { description: 'ä\n€𝄞"\\'.repeat(i % 9), metadata: 'm'.repeat(750) }))
    for (let i = 0; i < 13; i += 4) remove(sandbox, `ak_n${i}`)
    const other = sandbox.tables
    sandbox.reset()
    put(sandbox, key('after'))
    sandbox.replace(
      { kind: 'state' },
      new Tables(baseOf(ngrok.catalog, { users: [], api_keys: [key('x', { description: '\uFFFD' })] })),
    )
    sandbox.replace({ kind: 'restore', id: 's' }, other)
    remove(sandbox, 'ak_n1')
    log = readFileSync(`${db}.log`)
    changes = readLog(log).changes
    expect(log.length).toBeGreaterThan(20 * 1024)
  })

  /** Loads from bytes, because tens of thousands of files would take minutes. */
  function loadFrom(bytes: Buffer) {
    const calls: FileCalls = { ...fileCalls, read: name => (name === names.log ? bytes : undefined) }
    return load(
      ngrok.catalog,
      stored,
      new DatabaseFile(names.db, calls, false),
      new LogFile(names.log, calls, false),
      0,
    )
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
    put(sandbox, key('next'))
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
    await store.close()
  })

  it('restores the state in memory after every kind of change', async () => {
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db))
    const other = new Tables(
      baseOf(ngrok.catalog, { users: [{ id: 'usr_admin', admin: true }], api_keys: [key('b'), key('a')] }),
    )
    const early = () => (kept ??= sandbox.tables)
    let kept: Tables | undefined
    const steps: (() => unknown)[] = [
      () => put(sandbox, key('three')),
      () => remove(sandbox, 'ak_one'),
      early,
      () => remove(sandbox, 'ak_three'),
      () => put(sandbox, key('four')),
      () => sandbox.replace({ kind: 'rewind' }, early()),
      () => put(sandbox, key('five')),
      () => sandbox.reset(),
      () => put(sandbox, key('three')),
      () => sandbox.replace({ kind: 'restore' }, early()),
      () => put(sandbox, key('four')),
      () => sandbox.replace({ kind: 'state' }, other),
      () => remove(sandbox, 'ak_b'),
      () => sandbox.replace({ kind: 'restore' }, early()),
      () => put(sandbox, key('b')),
      () => sandbox.reset(),
    ]
    for (const [i, step] of steps.entries()) {
      step()
      expect(await stateOnDisk(db), `after step ${i}`).toEqual(stateOf(sandbox))
    }
    await store.close()
  })

  it('skips operation ids that may have been used, even without a write', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    first.sandbox.ids.id('op')
    await first.store.close()
    const clean = await open(fileStore(db))
    expect(clean.sandbox.ids.counters.op).toBe(1)
    rmSync(`${db}.lock`)
    const { sandbox, store } = await open(fileStore(db))
    expect(sandbox.ids.counters.op).toBeGreaterThan(1_000_000)
    await store.close()
  })

  it('replays nothing twice if the log was not cut after the file was written', async () => {
    const db = newDb()
    const faults = faultyCalls()
    const calls = {
      ...faults.calls,
      rename: (from: string, to: string) => {
        if (to.endsWith('.log')) throw new Error('killed here')
        faults.calls.rename(from, to)
      },
    }
    const { sandbox } = await open(fileStore(db))
    put(sandbox, key('three'))
    rmSync(`${db}.lock`)
    const second = await open(fileStore(db, { calls }))
    remove(second.sandbox, 'ak_three')
    await second.sandbox.snapshots.save('x')
    put(second.sandbox, key('four'))
    await expect(second.store.close()).rejects.toThrow('killed here')
    expect(readLog(readFileSync(`${db}.log`)).changes).toHaveLength(3)
    expect(JSON.parse(readFileSync(db, 'utf8'))._edgesim.seq).toBe(3)
    expect(await stateOnDisk(db)).toEqual(stateOf(second.sandbox))
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

  it('rejects a log without its file', async () => {
    const db = newDb()
    await killed(db)
    rmSync(db)
    const before = filesOf(db)
    await expect(simulate({ db })).rejects.toThrow(/db\.json is missing, but its log .*db\.json\.log exists/)
    expect(filesOf(db)).toEqual(before)
  })
})

describe('A damaged database file', () => {
  const WHOLE = `{\n  "users": [\n    {"id":"usr_admin","admin":true}\n  ],\n  "_edgesim": {}\n}\n`
  const BAD: [string, Buffer | string, RegExp][] = [
    ['empty', '', /db\.json is empty/],
    ['full of NUL bytes', Buffer.alloc(4096), /contains only NUL bytes/],
    ['truncated', WHOLE.slice(0, 40), /is not complete JSON/],
    ['without metadata', WHOLE, /the key _edgesim of .* is invalid/],
    [
      'of a later format',
      WHOLE.replace('{}', `{"format":${FORMAT + 1}}`),
      new RegExp(`has format ${FORMAT + 1}, but this version of edgesim reads only format ${FORMAT}`),
    ],
    [
      'of an earlier format',
      WHOLE.replace('{}', '{"format":1}'),
      /has format 1, but this version of edgesim reads only /,
    ],
  ]

  const leftAlone = (db: string, content: Buffer | string) => {
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
    expect(readFileSync(db)).toEqual(Buffer.from(content))
  }

  it.each(BAD)('is rejected and unchanged if it is %s', async (_, content, why) => {
    const db = newDb()
    writeFileSync(db, content)
    const refusal = await simulate({ db }).catch(error => error)
    expect(hasCode(refusal, 'DATABASE_DAMAGED')).toBe(true)
    expect(refusal.message).toMatch(why)
    expect(refusal.message).toContain(`Nothing was changed. Use --fresh to rename it to ${db}.damaged`)
    leftAlone(db, content)
  })

  it('is rejected with line and column of a wrong edit, and unchanged', async () => {
    const db = newDb()
    const { log } = await killed(db)
    truncateSync(`${db}.log`, log.length - 3)
    writeFileSync(db, readFileSync(db, 'utf8').replace('"owner_id":"usr_admin"', '"owner_id":"usr_nobody"'))
    const before = filesOf(db)
    const [start] = readFileSync(db, 'utf8').split('usr_nobody')
    const line = start!.split('\n').length
    await expect(simulate({ db })).rejects.toThrow(
      new RegExp(`db\\.json:${line}:\\d+: usr_nobody not found in users, bots or service_users`),
    )
    expect(filesOf(db)).toEqual(before)
  })

  it('can be edited while no simulator runs', async () => {
    const db = newDb()
    const first = await simulate({ db })
    await first.close()
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
