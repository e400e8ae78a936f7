import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EDGESIM, edgesim, launch, startEdgesim } from '../../support/as-process.ts'
import { LONG } from '../../support/long.ts'
import { holder, newDb } from './support.ts'

describe('A database lock between processes', () => {
  it('names the host and the process of its holder', async () => {
    const db = newDb()
    const { child } = await startEdgesim(['--db', db])
    const { code, err } = await edgesim(['--db', db, '--port', '0'])
    expect(code).toBe(1)
    expect(err).toContain(`db.json is locked by process ${child.pid} on ${hostname()}, since 2`)
    expect(err).toMatch(/Stop that process, or set --db to another file\./)
  })

  it.skipIf(process.platform === 'win32')('is found through a link to the file', async () => {
    const db = newDb()
    await (await startEdgesim(['--db', db])).stop()
    const link = join(dirname(db), 'link.json')
    symlinkSync(db, link)
    const { stop } = await startEdgesim(['--db', link])
    const { code, err } = await edgesim(['--db', db, '--port', '0'])
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('is locked by process') })
    await stop()
    expect(readdirSync(dirname(db)).toSorted()).toEqual(['db.json', 'link.json'])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it('is taken over from a process that was killed', async () => {
    const db = newDb()
    const first = await startEdgesim(['--db', db])
    await first.stop('SIGKILL')
    expect(readdirSync(dirname(db)).toSorted()).toEqual(['db.json', 'db.json.lock', 'db.json.log'])
    const second = await startEdgesim(['--db', db])
    expect(JSON.parse(readFileSync(`${db}.lock`, 'utf8')).pid).toBe(second.child.pid)
    expect((await second.stop()).code).toBe(0)
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
  })

  it.skipIf(process.platform !== 'linux')('is taken over immediately from a zombie process', async () => {
    const db = newDb()
    // The shell becomes a process that never waits for its children.
    const command = ['sh', '-c', '"$0" "$@" & exec sleep 600', ...EDGESIM]
    const { ready } = await startEdgesim(['--db', db], { command })
    process.kill(ready.pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${ready.pid}/stat`, 'utf8')).toMatch(/\) Z /)
    const { stop } = await startEdgesim(['--db', db])
    expect((await stop()).out).not.toContain('Checking whether it is still running')
  })

  it('is taken by exactly one of several processes if it is stale', async () => {
    for (let round = 0; round < (LONG ? 10 : 1); round++) {
      const db = newDb()
      writeFileSync(`${db}.lock`, holder({}))
      const racers = Array.from({ length: LONG ? 10 : 5 }, () => launch(['--db', db, '--port', '0', '--log', 'json']))
      const ready = (racer: (typeof racers)[number]) =>
        racer.until(/"event":"ready"/).then(
          () => true,
          () => false,
        )
      const won = await Promise.all(racers.map(ready))
      expect(won.filter(Boolean)).toHaveLength(1)
      for (const [i, racer] of racers.entries()) {
        if (won[i]) racer.child.kill('SIGTERM')
        else expect((await racer.ended).err).toMatch(/is locked by process \d+/)
      }
      await Promise.all(racers.map(({ ended }) => ended))
      expect(readdirSync(dirname(db))).toEqual(['db.json'])
    }
  })
})
