import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileCalls, fileCalls } from '../../src/store/file-calls.ts'
import { FileInUse, lock } from '../../src/store/lock.ts'
import { folderWith } from '../support/cli.ts'
import { LONG } from '../support/long.ts'
import { deadPid, holder, newDb } from './support.ts'

/** Which of the places where one can get in between another are tried. */
const STEP = LONG ? 1 : 2

/** The lock is taken, held, and let go of without a trace. */
function expectTaken(db: string) {
  const unlock = lock(db, fileCalls)
  expect(JSON.parse(readFileSync(`${db}.lock`, 'utf8'))).toMatchObject({ host: hostname(), pid: process.pid })
  expect(() => lock(db, fileCalls)).toThrow(FileInUse)
  unlock()
  expect(readdirSync(dirname(db))).toEqual([])
}

describe('The lock of a database file', () => {
  it('is for the owner alone', () => {
    const db = newDb()
    const unlock = lock(db, fileCalls)
    expect(statSync(`${db}.lock`).mode & 0o777).toBe(0o600)
    unlock()
  })

  it('is taken over from an earlier process with the same pid: in a container everybody is pid 1', () => {
    const db = newDb()
    writeFileSync(`${db}.lock`, holder({ pid: process.pid }))
    expectTaken(db)
  })

  it('is taken over from a container that is gone, when its process had our pid', () => {
    const db = newDb()
    writeFileSync(`${db}.lock`, holder({ pid: process.pid, host: 'an-older-container' }))
    expectTaken(db)
  })

  it('is left to a process of another host', () => {
    const db = newDb()
    const text = holder({ host: 'another-host' })
    writeFileSync(`${db}.lock`, text)
    expect(() => lock(db, fileCalls)).toThrow(`in use by process ${deadPid} on another-host, since 2026-01-01`)
    expect(readFileSync(`${db}.lock`, 'utf8')).toBe(text)
  })

  it.each(['', 'garbage', 'null', '{"pid":"1"}', '\0\0\0\0'])("is nobody's when it reads %j", text => {
    const db = newDb()
    writeFileSync(`${db}.lock`, text)
    expectTaken(db)
  })

  it('is taken over although the one who was about to do so was killed', () => {
    const db = newDb()
    const name = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 10)
    const [stale, taking] = [holder({}), holder({ id: 'taking over' })]
    writeFileSync(`${db}.lock`, stale)
    writeFileSync(`${db}.lock.${name(stale)}`, taking)
    expectTaken(db)
  })

  it('works where there are no hard links', () => {
    const db = newDb()
    const calls = {
      ...fileCalls,
      link: () => {
        throw Object.assign(new Error('no links here'), { code: 'EPERM' })
      },
    }
    const unlock = lock(db, calls)
    expect(() => lock(db, calls)).toThrow(FileInUse)
    unlock()
    expect(readdirSync(dirname(db))).toEqual([])
  })

  it('goes to exactly one of three, whenever they get in between each other', () => {
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

/** One after the other tries to take the lock, each in the middle of the one before: how many think they have it. */
function winners(db: string, points: number[]): number {
  let won = 0
  const attempt = (depth: number) => {
    let made = 0
    const calls = Object.fromEntries(
      Object.entries(fileCalls).map(([name, call]) => [
        name,
        (...args: never[]) => {
          if (made++ === points[depth]) attempt(depth + 1)
          return (call as (...args: never[]) => unknown)(...args)
        },
      ]),
    ) as FileCalls
    try {
      lock(db, calls)
      won++
    } catch (error) {
      if (!(error instanceof FileInUse)) throw error
    }
  }
  attempt(0)
  return won
}
