import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FORMAT } from '../../../src/engine/store/serialise.ts'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import type { Parts } from '../../../src/simulator/types.ts'
import { simulate } from '../../support/in-process.ts'
import { tiny } from '../tiny-api.ts'
import { faultyCalls, fileStore, idsOf, killed, killedAtLogCut, newDb, open, stateOnDisk } from './support.ts'

const start = (options: object, parts?: Parts) => simulate({ api: tiny, ...options } as SimulatorOptions, parts)

/** Starts with --fresh and closes. Returns the ids of the projects and the notices. */
async function startFresh(db: string) {
  const { sandboxes, close, notices } = await start({
    db,
    fresh: true,
    fixture: { projects: [{ id: 7, name: 'New' }] },
  })
  await close()
  return { ids: idsOf(sandboxes.default), said: notices.map(({ text }) => text) }
}

const filesOf = (db: string) =>
  Object.fromEntries(readdirSync(dirname(db)).map(name => [name, readFileSync(join(dirname(db), name), 'utf8')]))

/** A database with a damaged log line, and its files. */
async function damagedLog(db = newDb()) {
  const { log } = await killed(db, 5)
  log[log.indexOf('"12"')]! ^= 1
  writeFileSync(`${db}.log`, log)
  return { db, file: readFileSync(db), log }
}

const otherFormat = (format: number) => [
  (text: string) => text.replace(/"format":\d+/, `"format":${format}`),
  new RegExp(`has format ${format}, but this version of edgesim reads only format ${FORMAT}\\.`),
]

const SPOILT = [
  ['cut short', (text: string) => text.slice(0, 60), /db\.json is not complete JSON/],
  ['cut to two bytes', (text: string) => text.slice(0, 2), /is not complete JSON/],
  ['empty', () => '', /db\.json is empty/],
  ['of NUL bytes', (text: string) => '\0'.repeat(text.length), /contains only NUL bytes/],
  ['without metadata', (text: string) => text.replace(/"format".*\}/, '}'), /the key _edgesim of .* is invalid/],
  ['in an earlier format', ...otherFormat(1)],
  ['in a later format', ...otherFormat(FORMAT + 1)],
  [
    'with half a run of order numbers',
    (text: string) => text.replace('"order":{}', '"order":{"projects":{"runs":[0],"next":1,"deleted":{}}}'),
    /order\.projects\.runs: must be a list of pairs/,
  ],
  ['wrongly edited', (text: string) => text.replace('"name"', '"nam"'), /db\.json:3:51: .*unknown field "nam"/],
] as [string, (text: string) => string, RegExp][]

describe('With --fresh, a database', () => {
  it('that is valid is replaced without a backup', async () => {
    const db = newDb()
    await killed(db)
    expect(await startFresh(db)).toEqual({ ids: [7], said: [] })
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
  })

  it.each(
    SPOILT,
  )('that is %s is renamed, and without --fresh it is rejected and unchanged', async (what, spoil, why) => {
    const db = newDb()
    const { log } = await killed(db)
    // An incomplete line, which the next start would cut off.
    writeFileSync(`${db}.log`, log.subarray(0, -3))
    const spoilt = spoil(readFileSync(db, 'utf8'))
    expect(spoilt).not.toBe(readFileSync(db, 'utf8'))
    writeFileSync(db, spoilt)
    const before = filesOf(db)
    const { message } = await start({ db }).catch(error => error)
    expect(message).toMatch(why)
    if (what !== 'wrongly edited')
      expect(message).toContain(`Nothing was changed. Use --fresh to rename it to ${db}.damaged`)
    expect(filesOf(db)).toEqual(before)
    const { ids, said } = await startFresh(db)
    expect(ids).toEqual([7])
    expect(said).toEqual([expect.stringContaining(`It was renamed to ${db}.damaged`)])
    const files = { 'db.json.damaged': spoilt, 'db.json.damaged.log': before['db.json.log'] }
    expect(filesOf(db)).toEqual({ 'db.json': expect.any(String), ...files })
  })

  it('with a damaged log is renamed with its log, and works under its new name once the log is repaired', async () => {
    const { db, file, log } = await damagedLog()
    await expect(start({ db })).rejects.toThrow(/db\.json\.log is damaged at line 3/)
    expect((await startFresh(db)).said).toEqual([expect.stringMatching(/damaged at line 3.*\n.*renamed to/)])
    expect(readFileSync(`${db}.damaged`)).toEqual(file)
    expect(readFileSync(`${db}.damaged.log`)).toEqual(log)
    writeFileSync(`${db}.damaged.log`, log.subarray(0, log.indexOf('\n') + 1))
    expect((await stateOnDisk(`${db}.damaged`)).rows.projects).toHaveLength(3)
  })

  it('without its file has its log renamed, and without --fresh is rejected', async () => {
    const { db, log } = await damagedLog()
    rmSync(db)
    await expect(start({ db })).rejects.toThrow(/db\.json is missing, but its log .*db\.json\.log exists/)
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
    expect(filesOf(db)).toEqual({
      'db.json': expect.any(String),
      'db.json.damaged': 'first',
      'db.json.damaged.2.log': 'a log alone',
      'db.json.damaged.3': '',
      'db.json.damaged.4': '\0\0',
    })
  })

  it.each([
    ['write', 'ENOSPC', /the disk is full/],
    ['rename', 'EIO', /EIO/],
  ])('is unchanged if the new database fails to be written (%s: %s)', async (call, code, why) => {
    const { db, file, log } = await damagedLog()
    const disk = faultyCalls()
    disk.failEvery(call, code)
    await expect(start({ db, fresh: true }, { files: disk.calls })).rejects.toThrow(why)
    expect(readdirSync(dirname(db))).toEqual(['db.json', 'db.json.log'])
    expect([readFileSync(db), readFileSync(`${db}.log`)]).toEqual([file, log])
  })

  it('is replaced without the changes of an uncut log', async () => {
    const db = newDb()
    const { log } = await killed(db)
    const { store } = await open(fileStore(db))
    await store.close()
    writeFileSync(`${db}.log`, log)
    await expect(open(fileStore(db, { calls: killedAtLogCut }), { fresh: true })).rejects.toThrow('killed here')
    expect((await stateOnDisk(db)).rows.projects).toHaveLength(2)
  })

  it('is not renamed on a temporary read error', async () => {
    const db = newDb()
    await killed(db)
    const disk = faultyCalls()
    disk.failEvery('read', 'EIO')
    await expect(start({ db, fresh: true }, { files: disk.calls })).rejects.toThrow(/EIO/)
    expect(readdirSync(dirname(db))).toEqual(['db.json', 'db.json.log'])
  })
})

describe.each([
  ['a package.json', '{ "name": "mine", "version": "1.0.0" }\n'],
  ['a fixture', '{\n  "projects": [{ "id": 1, "name": "Home" }]\n}\n'],
  ['a diary', 'Dear diary,\n'],
  ['a list', '[1, 2, 3]'],
  ['null', 'null\n'],
])('%s passed as the database by mistake', (_, text) => {
  it('is not overwritten by --fresh, and no message suggests that', async () => {
    const db = newDb()
    writeFileSync(db, text)
    await expect(start({ db, fresh: true })).rejects.toThrow(/is not an edgesim database/)
    // An object can be used as a fixture, once it is valid.
    if (!text.startsWith('{')) await expect(start({ db })).rejects.toThrow(/is not an edgesim database/)
    expect(filesOf(db)).toEqual({ 'db.json': text })
  })
})
