import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import { lock, tryLock } from '../../../src/engine/store/lock.ts'
import { afterwards, folderWith } from '../../support/afterwards.ts'
import { ALL, LONG } from '../../support/long.ts'
import { callsMeeting, holder, newDb } from './support.ts'

const IN_USE = { code: 'DATABASE_IN_USE' }
/** A short run skips every second interleaving. */
const STEP = LONG ? 1 : 2

async function expectTaken(db: string) {
  const { release } = await lock(db, fileCalls)
  expect(JSON.parse(readFileSync(`${db}.lock`, 'utf8'))).toMatchObject({ host: hostname(), pid: process.pid })
  await expect(lock(db, fileCalls)).rejects.toMatchObject(IN_USE)
  release()
  expect(readdirSync(dirname(db))).toEqual([])
}

function locked(text: string, secondsAgo = 0) {
  const db = newDb()
  writeFileSync(`${db}.lock`, text)
  const at = Date.now() / 1000 - secondsAgo
  utimesSync(`${db}.lock`, at, at)
  return db
}

const AT_REST = 11

function lockNow(db: string, calls = fileCalls) {
  const found = tryLock(`${db}.lock`, calls)
  return 'release' in found ? found : undefined
}

describe('A database lock', () => {
  it.runIf(ALL).concurrent('is taken over from a process with the same pid, as in containers', () =>
    expectTaken(locked(holder({ pid: process.pid }))),
  )

  it('is respected while its holder removes stale files', () => {
    const db = newDb()
    const held = lockNow(db)!
    // The holder removes the lock that another process takes to remove a stale lock.
    const create: FileCalls['create'] = (file, text) => {
      const created = fileCalls.create(file, text)
      if (file !== `${db}.lock`) fileCalls.remove(file)
      return created
    }
    expect(lockNow(db, { ...fileCalls, create })).toBeUndefined()
    expect(() => held.check()).not.toThrow()
    expect(readdirSync(dirname(db))).toEqual(['db.json.lock'])
    held.release()
  })

  it('is respected if its process on this host is too busy to rewrite it', () => {
    expect(lockNow(locked(holder({ pid: process.ppid }), 9))).toBeUndefined()
  })

  it.concurrent.each(['', 'garbage', 'null', '{"pid":"1"}', '\0\0\0\0'])('is ignored if it contains %j', async text => {
    await expectTaken(locked(text, AT_REST))
    // An empty lock may be half-written.
    expect(lockNow(locked(text))).toBeUndefined()
  })

  it.concurrent('is taken over even if another process was killed while taking it over', async () => {
    const db = newDb()
    const name = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 10)
    const [stale, taking] = [holder({}), holder({ id: 'taking over' })]
    writeFileSync(`${db}.lock`, stale)
    writeFileSync(`${db}.lock.${name(stale)}`, taking)
    await expectTaken(db)
  })

  it('is taken by exactly one of three processes, in any interleaving', () => {
    const folder = folderWith()
    for (let first = 0; first < 24; first += STEP) {
      for (let second = 0; second < 24; second += STEP) {
        const db = join(folder, `${first}-${second}.json`)
        writeFileSync(`${db}.lock`, holder({}))
        expect(winners(db, [first, second]), `at ${first}, ${second}`).toBe(1)
      }
    }
  })
})

describe.runIf(ALL).concurrent('A database lock over time', () => {
  it.each([
    ['on another host', { host: 'another-host' }],
    ['in another container with the same pid', { pid: process.pid, host: 'another-container' }],
    ['in this container before its restart', { pid: process.pid, space: 'another' }, 1.2],
    ['with a pid that may have been reused', { pid: process.ppid }],
  ])('is taken over from a process %s when it is no longer rewritten', async (_, who, secondsAgo = 9.5) => {
    await expectTaken(locked(holder(who), AT_REST))
    const notices: string[] = []
    const { release } = await lock(locked(holder(who), secondsAgo), fileCalls, text => notices.push(text))
    release()
    expect(notices.join()).toMatch(/^$|is locked by process \d+ on .*\. Checking whether it is still running …$/)
  })

  it.each([
    ['on another host', { host: 'another-host' }],
    ['with the same pid in another container', { pid: process.pid, host: 'another-container' }],
    ['with the same pid and host name in another container', { pid: process.pid, space: 'another' }],
  ])('is respected for a process %s that rewrites it', async (_, who) => {
    const text = holder(who)
    const db = locked(text)
    const beating = setInterval(() => utimesSync(`${db}.lock`, Date.now() / 1000, Date.now() / 1000), 50)
    afterwards(() => clearInterval(beating))
    await expect(lock(db, fileCalls)).rejects.toThrow(/ is locked by process \d+ on \S+, since 2026-01-01/)
    expect(readFileSync(`${db}.lock`, 'utf8')).toBe(text)
  })

  it('is rewritten while it is held', async () => {
    const db = newDb()
    const { release, check } = lockNow(db)!
    utimesSync(`${db}.lock`, 1, 1)
    await expect.poll(() => statSync(`${db}.lock`).mtimeMs).toBeGreaterThan(1_000)
    check()
    release()
  })

  it.each([
    ['has been taken over', (file: string) => writeFileSync(file, holder({ host: 'another-host' }))],
    ['is gone', (file: string) => rmSync(file)],
  ])('is lost if it %s, and is then unchanged', async (_, happen) => {
    const db = newDb()
    const { release, check } = lockNow(db)!
    happen(`${db}.lock`)
    const after = readdirSync(dirname(db))
    await vi.waitFor(() => expect(check).toThrow(/another process has taken .*, so nothing more is written/), 10_000)
    release()
    expect(readdirSync(dirname(db))).toEqual(after)
  })
})

/** Each taker starts in the middle of the previous one. Returns how many take the lock. */
function winners(db: string, points: number[]): number {
  let won = 0
  const tryAt = (depth: number) => {
    let made = 0
    const calls = callsMeeting(() => {
      if (made++ === points[depth]) tryAt(depth + 1)
    })
    if (lockNow(db, calls)) won++
  }
  tryAt(0)
  return won
}
