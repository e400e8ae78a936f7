import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../../src/basics/within.ts'
import { ProbeJournal } from '../../../src/ngrok/real-api/probe/journal.ts'
import { probe } from '../../../src/ngrok/real-api/probe/run.ts'
import { collections } from '../../../src/ngrok/resources/index.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { type Fault, lineTo } from './line.ts'
import { cases, service, time } from './probing.ts'

const FAULTS: Record<string, Fault> = {
  'a 503': { answer: 503, retryAfter: '1' },
  'a 500': { answer: 500 },
  'a rate limit': { answer: 429, retryAfter: '30' },
  'a refused connection': { reset: 'before' },
  'a lost response': { reset: 'after' },
  'a truncated response': { cutOff: true },
  garbage: { garbage: true },
  silence: { silent: 'after' },
}

/** All requests of a run in the long tests, otherwise one. */
const places = (count: number, i: number) => (LONG ? Array.from({ length: count }, (_, n) => n + 1) : [(i % count) + 1])

/** Every kind with every case in the long tests, otherwise one kind with every fifth case. */
const spread = <T>(kinds: T[], others: number) =>
  LONG
    ? cases.flatMap((each, i) => kinds.map(kind => ({ ...each, kind, i })))
    : cases.flatMap((each, i) => (i % 5 === others ? [{ ...each, kind: kinds[i % kinds.length]!, i }] : []))

/** A response times out as soon as the line has stopped responding. */
const alarmOf =
  (line: Awaited<ReturnType<typeof lineTo>>): Alarm =>
  (_, act) => {
    if (!line.isBroken) void line.broken.then(act)
    return () => {}
  }

describe('A probe with', { timeout: LONG_MS }, () => {
  it.for(spread(Object.keys(FAULTS), 0))('$kind finds $name=$value, and leaves no records', async each => {
    const { name, value, assume, kind, i } = each
    const { url, probe, state, connect } = await service({ assume })
    const line = await lineTo(url)
    const before = await state()
    const connection = connect(line.url, { time: kind === 'silence' ? { ...time, alarm: alarmOf(line) } : time })
    const find = async () => {
      const { verdicts, left } = await probe([name], connection)
      expect({ verdicts, left }).toEqual({ verdicts: { [name]: { value } }, left: [] })
      expect(await state()).toBe(before)
    }
    await find()
    for (const place of places(line.count, i)) {
      line.breakAt(place, FAULTS[kind]!)
      await find()
      expect(line.count).toBeGreaterThanOrEqual(place)
    }
  })
})

describe('A probe that gets the ID of a foreign record', { timeout: LONG_MS }, () => {
  it.for(spread(['foreign'], 4))('does not change it for $name=$value', async ({ name, assume, i }) => {
    const { url, probe, call, connect, state } = await service({ assume, fixture: 'default' })
    const before = await state()
    const yours = (path: string) => {
      const table = collections.find(each => each.path === path)?.table
      return JSON.parse(before)[table ?? 'users'][0].id
    }
    const line = await lineTo(url)
    await probe([name], connect(line.url))
    for (const place of places(line.count, i)) {
      line.breakAt(place, { foreignId: yours })
      await probe([name], connect(line.url))
      expect(await state(), `request ${place}`).toBe(before)
      await call('POST', '/_sim/reset')
    }
  })
})

/** Waits that never end after the kill. */
function timeUntil(killed: Promise<unknown>) {
  let isOver = false
  void killed.then(() => {
    isOver = true
  })
  return { ...time, wait: async () => (isOver ? new Promise(() => {}) : undefined) }
}

describe('A killed probe', { timeout: LONG_MS }, () => {
  const kills = spread<'before' | 'after'>(['after', 'before'], 2)
  it.for(kills)('$kind a request for $name=$value leaves only what a sweep deletes', async ({
    name,
    assume,
    kind,
    i,
  }) => {
    const { url, state, connect, begin, sweep } = await service({ assume })
    const line = await lineTo(url)
    const before = await state()
    const whole = begin()
    await probe({ service: connect(line.url), journal: whole }, [name])
    whole.end()
    for (const place of places(line.count, i)) {
      line.breakAt(place, { silent: kind })
      const journal = begin()
      void probe({ service: connect(line.url, { time: timeUntil(line.broken) }), journal }, [name]).catch(() => {})
      await line.broken
      expect(await sweep(journal.file)).toEqual([])
      expect(await state()).toBe(before)
      expect(ProbeJournal.open(journal.file).left()).toEqual([])
    }
  })
})
