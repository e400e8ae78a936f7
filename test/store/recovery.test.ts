import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { baseOf, type LoggedChange, Tables } from '../../src/sandbox/index.ts'
import { type FileCalls, fileCalls } from '../../src/store/file-calls.ts'
import { DamagedFile, readLog } from '../../src/store/log-line.ts'
import { edgesim } from '../support/cli.ts'
import { faultyCalls, fileStore, key, newDb, open, put, remove, start, stateOf, stateOnDisk } from './support.ts'

/** A database of which the file is old and the log is all there is of what came later. */
async function killed(file: string, changes = 3) {
  const { sandbox, store } = await open(fileStore(file))
  for (let i = 0; i < changes; i++) put(sandbox, key(`n${i}`))
  const [db, log] = [readFileSync(file), readFileSync(`${file}.log`)]
  const state = stateOf(sandbox)
  await store.close()
  writeFileSync(file, db)
  writeFileSync(`${file}.log`, log)
  return { state, log }
}

const filesOf = (file: string) =>
  Object.fromEntries(
    readdirSync(dirname(file)).map(name => [name, readFileSync(`${dirname(file)}/${name}`).toString('base64')]),
  )

describe('A log that was cut or spoilt', () => {
  const names = { db: '/nowhere/db.json', log: '/nowhere/db.json.log' }
  let file: Buffer
  let log: Buffer
  let changes: LoggedChange[]

  /** More than 20 KB of every kind of line there is. */
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-'))
    const db = join(folder, 'db.json')
    const { sandbox } = await open(fileStore(db))
    file = readFileSync(db)
    for (let i = 0; i < 40; i++)
      put(sandbox, key(`n${i}`, { description: 'ä\n€𝄞"\\'.repeat(i % 9), metadata: 'm'.repeat(40) }))
    for (let i = 0; i < 40; i += 4) remove(sandbox, `ak_n${i}`)
    const other = sandbox.tables.copy()
    sandbox.reset()
    put(sandbox, key('after'))
    sandbox.replace(
      { kind: 'state' },
      new Tables(baseOf({ users: [], api_keys: [key('x', { description: '\uFFFD' })] })),
    )
    sandbox.replace({ kind: 'restore', id: 's' }, other)
    remove(sandbox, 'ak_n1')
    log = readFileSync(`${db}.log`)
    changes = readLog(log).changes
    rmSync(folder, { recursive: true })
    expect(log.length).toBeGreaterThan(20 * 1024)
  })

  /** Loads from bytes: tens of thousands of files would take minutes. */
  function load(bytes: Buffer) {
    const calls: FileCalls = {
      ...fileCalls,
      open: () => 3,
      close: () => {},
      write: (_fd, line) => line.length,
      link: () => {},
      remove: () => {},
      read: name => (name === names.db ? file : name === names.log ? bytes : undefined),
    }
    return fileStore(names.db, { calls }).load(0)
  }

  it('gives the exact prefix at every byte it can be cut at, and says that the rest was dropped', async () => {
    let whole = 0
    for (let at = 0; at <= log.length; at++) {
      const lineEnded = at > 0 && log[at - 1] === 10
      if (lineEnded) whole++
      const loaded = (await load(log.subarray(0, at)))!
      assert.equal(loaded.changes.length, whole)
      if (lineEnded) assert.deepEqual(loaded.changes, changes.slice(0, whole))
      assert.equal(loaded.warnings.length, lineEnded || at === 0 ? 0 : 1)
    }
    expect(whole).toBe(changes.length)
    expect((await load(log.subarray(0, -1)))!.warnings[0]).toMatch(/db\.json\.log: dropped \d+ bytes of a last line/)
  })

  it('gives the exact prefix or is refused for each of 5,000 bits that flip', async () => {
    const outcomes = { prefix: 0, refused: 0 }
    let random = 20260101
    for (let i = 0; i < 5000; i++) {
      random = (Math.imul(random, 1103515245) + 12345) >>> 0
      const bit = random % (log.length * 8)
      const bytes = Buffer.from(log)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      try {
        const loaded = (await load(bytes))!
        assert.deepEqual(loaded.changes, changes.slice(0, loaded.changes.length))
        assert.notEqual(loaded.changes.length, changes.length)
        outcomes.prefix++
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
        outcomes.refused++
      }
    }
    expect(outcomes.refused + outcomes.prefix).toBe(5000)
    expect(outcomes.refused).toBeGreaterThan(4900)
  })

  it('is refused when a line is missing, doubled or out of order', async () => {
    const lines = log.toString('latin1').split('\n').slice(0, -1)
    const from = (...some: string[]) => Buffer.from(`${some.join('\n')}\n`, 'latin1')
    await expect(load(from(...lines.slice(1)))).rejects.toThrow(/continues at change 2, but the file ends at 0/)
    await expect(load(from(...lines.slice(0, 5), ...lines.slice(6)))).rejects.toThrow(/damaged at line 6/)
    await expect(load(from(lines[0]!, lines[0]!))).rejects.toThrow(/damaged at line 2/)
    await expect(load(from(lines[1]!, lines[0]!))).rejects.toThrow(DamagedFile)
  })
})

describe('A start after a kill', () => {
  it('continues after the last whole line', async () => {
    const db = newDb()
    const { state, log } = await killed(db)
    truncateSync(`${db}.log`, log.length - 7)
    const { sandbox, store, warnings } = await open(fileStore(db))
    expect(warnings).toHaveLength(1)
    expect(sandbox.seq).toBe(state.seq - 1)
    put(sandbox, key('next'))
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
    await store.close()
  })

  it('finds what was in memory, after every kind of change', async () => {
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db))
    const other = new Tables(baseOf({ users: [{ id: 'usr_admin', admin: true }], api_keys: [key('b'), key('a')] }))
    const early = () => (kept ??= sandbox.tables.copy())
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

  it('skips the operation ids that may have been drawn, also when nothing was written', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    first.sandbox.ids.id('op')
    await first.store.close()
    const clean = await open(fileStore(db))
    expect(clean.sandbox.ids.counters.op).toBe(1)
    rmSync(`${db}.lock`)
    const { sandbox, store } = await open(fileStore(db))
    expect(sandbox.ids.counters.op).toBe(1_000_001)
    await store.close()
  })

  it('replays nothing twice when the log was not cut after the file was written', async () => {
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

  it('sweeps the temporary files of the one that was killed, and nothing else', async () => {
    const db = newDb()
    await killed(db)
    const left = ['.aB3-_67890.tmp', '.log.aB3-_67890.tmp', '.lock.aB3-_67890', '.lock.aB3-_67890.tmp']
    const others = ['.tmp', '.backup.tmp', '.log.old', '.1.bak']
    for (const name of [...left, ...others]) writeFileSync(db + name, 'x')
    writeFileSync(`${dirname(db)}/other.json.aB3-_67890.tmp`, 'x')
    const { store } = await open(fileStore(db))
    await store.close()
    const expected = ['db.json', ...others.map(name => `db.json${name}`), 'other.json.aB3-_67890.tmp']
    expect(readdirSync(dirname(db)).toSorted()).toEqual(expected.toSorted())
  })

  it('refuses a log without its file', async () => {
    const db = newDb()
    await killed(db)
    rmSync(db)
    const before = filesOf(db)
    await expect(start({ db })).rejects.toThrow(/db\.json is missing, but its log .*db\.json\.log is there/)
    expect(filesOf(db)).toEqual(before)
  })
})

describe('A database file that is damaged', () => {
  const WHOLE = `{\n  "users": [\n    {"id":"usr_admin","admin":true}\n  ],\n  "_edgesim": {}\n}\n`
  const BAD: [string, Buffer | string, RegExp][] = [
    ['empty', '', /db\.json is empty/],
    ['full of NUL bytes', Buffer.alloc(4096), /holds nothing but NUL bytes/],
    ['truncated', WHOLE.slice(0, 40), /is not whole JSON/],
    ['null', 'null\n', /holds null/],
    ['a list', '[]\n', /holds no object/],
    ['without what edgesim must remember', WHOLE, /the key _edgesim of .* is not as edgesim wrote it/],
    ['of a later format', WHOLE.replace('{}', '{"format":2}'), /has format 2; this version of edgesim reads 1/],
  ]

  it.each(
    BAD,
  )('is refused and left alone when it is %s, with a word on repair and --fresh', async (_, content, why) => {
    const db = newDb()
    writeFileSync(db, content)
    const { code, out, err } = await edgesim(['--db', db, '--port', '0'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(why)
    expect(err).toContain(`\`edgesim repair ${db}\``)
    expect(err).toContain('--fresh')
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
    expect(readFileSync(db)).toEqual(Buffer.from(content))
  })

  it('is replaced with --fresh', async () => {
    const db = newDb()
    writeFileSync(db, '')
    writeFileSync(`${db}.log`, 'no log at all')
    const first = await start({ db, fresh: true })
    await first.close()
    const { call } = await start({ db })
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
  })

  it('says with line and column what an editor got wrong, and leaves all of it alone', async () => {
    const db = newDb()
    const { log } = await killed(db)
    truncateSync(`${db}.log`, log.length - 3)
    writeFileSync(db, readFileSync(db, 'utf8').replace('"owner_id":"usr_admin"', '"owner_id":"usr_nobody"'))
    const before = filesOf(db)
    await expect(start({ db })).rejects.toThrow(/db\.json:7:\d+: there is no usr_nobody in users or bots/)
    expect(filesOf(db)).toEqual(before)
  })

  it('may be edited while nobody runs', async () => {
    const db = newDb()
    const first = await start({ db })
    await first.close()
    const content = JSON.parse(readFileSync(db, 'utf8'))
    content.api_keys.push({ id: 'ak_mine', owner_id: 'usr_admin', token: 'my_token' })
    content.ip_restrictions = []
    writeFileSync(db, JSON.stringify(content))
    const { call } = await start({ db })
    expect((await call('GET', '/api_keys/ak_mine')).body).toMatchObject({ owner_id: 'usr_admin', token: null })
    expect((await call('GET', '/ip_restrictions')).body.ip_restrictions).toEqual([])
  })
})

describe('edgesim repair', () => {
  const repair = (db: string) => edgesim(['repair', db])

  /** Starts on what was repaired. */
  async function keysOf(db: string) {
    const { sandbox, store } = await open(fileStore(db))
    await store.close()
    return sandbox.tables.rows().api_keys!.map(row => row.id)
  }

  it('keeps the lines before the damage, copies what there was aside and says what is lost', async () => {
    const db = newDb()
    const { log } = await killed(db, 5)
    const third = log.indexOf('"ak_n2"')
    log[third]! ^= 1
    writeFileSync(`${db}.log`, log)
    await expect(open(fileStore(db))).rejects.toThrow(/damaged at line 3/)
    const { code, out } = await repair(db)
    expect(code).toBe(0)
    expect(out).toMatch(/lost: .*db\.json\.log is damaged at line 3: \d+ bytes from there on were dropped/)
    expect(out).toMatch(/repaired \(1 users, 4 api_keys\)/)
    expect(readFileSync(`${db}.log.1.bak`)).toEqual(log)
    expect(existsSync(`${db}.1.bak`)).toBe(true)
    expect(await keysOf(db)).toEqual(['ak_one', 'ak_two', 'ak_n0', 'ak_n1'])
  })

  it('saves the records before the place where the file is cut, and what the log has of the rest', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    for (let i = 0; i < 10; i++) put(first.sandbox, key(`n${i}`))
    await first.store.close()
    const { sandbox } = await open(fileStore(db))
    put(sandbox, key('n9', { description: 'changed after the file was written' }))
    rmSync(`${db}.lock`)
    truncateSync(db, readFileSync(db).indexOf('"ak_n4"'))
    const { code, out } = await repair(db)
    expect(code).toBe(0)
    expect(out).toMatch(/lost: .*db\.json is not whole JSON: .*; the 7 records before line 13 were saved/)
    expect(await keysOf(db)).toEqual(['ak_one', 'ak_two', 'ak_n0', 'ak_n1', 'ak_n2', 'ak_n3', 'ak_n9'])
    const next = await open(fileStore(db))
    expect(next.sandbox.ids.counters.op).toBeGreaterThanOrEqual(1_000_000)
    await next.store.close()
  })

  it('makes what it can of a log whose file is gone', async () => {
    const db = newDb()
    const { sandbox } = await open(fileStore(db))
    sandbox.replace({ kind: 'state' }, new Tables(baseOf({ users: [{ id: 'usr_admin' }], api_keys: [key('only')] })))
    put(sandbox, key('more'))
    rmSync(db)
    rmSync(`${db}.lock`)
    const { code, out } = await repair(db)
    expect(code).toBe(0)
    expect(out).toContain('is missing: only what its log holds can be saved')
    expect(await keysOf(db)).toEqual(['ak_only', 'ak_more'])
  })

  it('never lets a seed repeat itself when the counts are lost', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    const token = first.sandbox.ids.token()
    put(first.sandbox, key('three'))
    await first.store.close()
    writeFileSync(db, readFileSync(db, 'utf8').replace('"_edgesim"', '"_edge'))
    expect((await repair(db)).code).toBe(0)
    const { sandbox, store } = await open(fileStore(db))
    expect(sandbox.ids.token()).not.toBe(token)
    await store.close()
  })

  it('drops records that cannot be, and those that refer to them', async () => {
    const db = newDb()
    const content = {
      users: [{ id: 'usr_admin' }, { id: 'usr_admin' }, { nam: 'no id' }],
      api_keys: [key('fine'), key('lost', { owner_id: 'usr_gone' }), key('odd', { description: 7 })],
      hats: [],
      bots: 'none',
    }
    writeFileSync(db, JSON.stringify(content))
    const { code, out } = await repair(db)
    expect(code).toBe(0)
    expect(out.match(/^lost: .*$/gm)).toEqual([
      expect.stringMatching(/users\[1\] was dropped: there is a usr_admin before it/),
      expect.stringMatching(/users\[2\] was dropped: it has no id/),
      expect.stringMatching(/"hats" was dropped: edgesim has no such records/),
      expect.stringMatching(/"bots" was dropped: it is not a list/),
      expect.stringMatching(/ak_odd was dropped: .*description/),
      expect.stringMatching(/ak_lost was dropped: there is no usr_gone/),
    ])
    expect(await keysOf(db)).toEqual(['ak_fine'])
  })

  it('says that nothing was wrong, and changes nothing then', async () => {
    const db = newDb()
    const { state } = await killed(db)
    const { code, out } = await repair(db)
    expect(code).toBe(0)
    expect(out).toMatch(/nothing was wrong/)
    expect(await stateOnDisk(db)).toEqual(state)
  })

  it('refuses a file that is in use, or not there', async () => {
    const db = newDb()
    const missing = await repair(db)
    expect(missing).toMatchObject({ code: 1, err: expect.stringMatching(/there is no .*db\.json and no log of it/) })
    const { store } = await open(fileStore(db))
    copyFileSync(db, `${db}.copy`)
    const busy = await repair(db)
    expect(busy).toMatchObject({ code: 1, err: expect.stringContaining(`in use by process ${process.pid}`) })
    expect(readFileSync(db)).toEqual(readFileSync(`${db}.copy`))
    await store.close()
  })
})
