import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EDGESIM, launch, startEdgesim } from '../../support/as-process.ts'
import { LONG } from '../../support/long.ts'
import { holder, newDb } from './support.ts'

describe('A database lock between processes', () => {
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
