import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { crash } from './crash.ts'

/** `npm run test:crash` has 1,000 kills, half of them with fsync. */
it.each(['log', 'fsync'] as const)(
  'kill -9 loses no acknowledged write with --durability %s',
  async durability => {
    const cycles = LONG ? 500 : 4
    const result = await crash({
      db: join(folderWith(), 'db.json'),
      cycles,
      durability,
      maxSeconds: LONG ? 1500 : 40,
      onCycle: done => {
        if (LONG && done % 50 === 0) console.log(`${durability}: ${done} cycles`)
      },
    })
    if (LONG) console.log(durability, result)
    expect(result).toMatchObject({ unreadable: [], faults: [], left: [] })
    // Each kill waits for five responses, except during startup.
    expect(result.answered).toBeGreaterThanOrEqual(5 * (result.cycles - result.kills.start))
    if (LONG) expect(result).toMatchObject({ cycles })
    if (LONG) expect(result.answered).toBeGreaterThanOrEqual(5000)
  },
  LONG_MS * 3,
)
