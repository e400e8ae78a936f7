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

/** CPU time of a turn of the event loop, by number of keys. No request waits longer for others. */
const MOST_MS = { 10000: 100, 100000: 300 }
type Keys = keyof typeof MOST_MS
const TIMES = 3

const groups = [state, storedState, lists, journal, scenarios, changes, expiry]

const at = (list: number[], part: number) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * part)]!

async function measure(group: Group, keys: Keys) {
  const { stored, rows, args = [] } = group
  const fixture = manyKeys(keys)
  const folder = folderWith({ 'many.json': fixture.toString() })
  const db = stored ? join(folder, 'db.json') : ''
  const { port, send, during } = await startWatched([join(folder, 'many.json'), ...args, ...(db ? ['--db', db] : [])])
  const idle: Row = { what: 'nothing', size: '', act: () => new Promise(resolve => setTimeout(resolve, 500)) }
  const seen = []
  for (const row of [idle, ...rows({ send, keys, fixture, db, port })]) {
    const gaps: number[] = []
    for (let time = 0; time < (row.times ?? TIMES); time++) {
      await row.before?.()
      gaps.push(await during(() => row.act(time)))
    }
    const [median, max] = [at(gaps, 0.5), at(gaps, 1)]
    const bound = boundOf(row, group, keys)
    seen.push({ ...row, median, max, bound })
    console.log(
      `${row.what.padEnd(48)} ${row.size.padEnd(24)} ${gaps.length} × ${median.toFixed(1).padStart(8)} ms, ${max.toFixed(1).padStart(8)} at most${median > bound ? '  <<<' : ''}`,
    )
  }
  return seen
}

/** Rows have bounds of their own only for many records. */
const boundOf = ({ bound = 0, most = 0 }: Row, group: Group, keys: Keys) =>
  Math.max(MOST_MS[keys], most, group.most ?? 0, keys === 100_000 ? bound : 0)

describe.runIf(LONG).each([10_000, 100_000] as const)('With %i keys, a turn of the event loop', keys => {
  it.each(groups.map(group => [group.name, group] as const))(
    'is as short as documented during work on %s',
    async (_name, group) => {
      const seen = await measure(group, keys)
      // The median, because other load may slow down one run.
      const slow = seen.filter(({ median, bound }) => median > bound)
      expect(slow.map(({ what, size, median }) => `${what} (${size}): ${Math.round(median)} ms`)).toEqual([])
    },
    LONG_MS,
  )
})
