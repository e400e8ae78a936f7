import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { changes } from './loop/change-rows.ts'
import { expiry } from './loop/expiry-rows.ts'
import { journal } from './loop/journal-rows.ts'
import { lists } from './loop/list-rows.ts'
import { type Group, manyKeys, type Row } from './loop/row.ts'
import { scenarios } from './loop/scenario-rows.ts'
import { state, storedState } from './loop/state-rows.ts'
import { startWatched } from './loop/watch.ts'

/** CPU time. No turn of the event loop may take longer, so no request waits longer for others. */
const MOST_MS = 50
const KEYS = 100_000
const TIMES = 2

const groups = [state, storedState, lists, journal, scenarios, changes, expiry]

const at = (list: number[], part: number) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * part)]!

async function measure({ stored, rows, args = [] }: Group) {
  const fixture = manyKeys(KEYS)
  const folder = folderWith({ 'many.json': fixture.toString() })
  const db = stored ? join(folder, 'db.json') : ''
  const { port, send, during } = await startWatched([join(folder, 'many.json'), ...args, ...(db ? ['--db', db] : [])])
  const idle: Row = {
    what: 'nothing',
    size: '',
    act: () => new Promise(resolve => setTimeout(resolve, 500)),
  }
  const seen = []
  for (const row of [idle, ...rows({ send, keys: KEYS, fixture, db, port })]) {
    const gaps: number[] = []
    for (let time = 0; time < (row.times ?? TIMES); time++) {
      await row.before?.()
      gaps.push(await during(() => row.act(time)))
    }
    const [median, max] = [at(gaps, 0.5), at(gaps, 1)]
    seen.push({ ...row, median, max })
    console.log(
      `${row.what.padEnd(48)} ${row.size.padEnd(24)} ${gaps.length} × ${median.toFixed(1).padStart(8)} ms, ${max.toFixed(1).padStart(8)} at most${median > (row.bound ?? MOST_MS) ? '  <<<' : ''}`,
    )
  }
  return seen
}

// Few records are always fast, so there is no short version.
describe.runIf(LONG)('A turn of the event loop', () => {
  for (const group of groups)
    it(
      `takes up to ${MOST_MS} ms during work on ${group.name}`,
      async () => {
        const seen = await measure(group)
        // The median, because other load may slow down one run.
        const slow = seen.filter(({ median, bound = MOST_MS }) => median > bound)
        expect(slow.map(({ what, size, median }) => `${what} (${size}): ${Math.round(median)} ms`)).toEqual([])
      },
      LONG_MS,
    )
})
