import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { crash } from './crash.ts'

/** In the long run (`npm run test:crash`) 1,000 kills, half of them with fsync; here just a few. */
it.each(['log', 'fsync'] as const)(
  'kill -9 loses no answered write with --durability %s',
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
    // But for those that end it while it starts, a kill waits for five answers.
    expect(result.answered).toBeGreaterThanOrEqual(5 * (result.cycles - result.kills.start))
    if (LONG) expect(result).toMatchObject({ cycles })
    if (LONG) expect(result.answered).toBeGreaterThanOrEqual(5000)
  },
  LONG_MS * 3,
)
