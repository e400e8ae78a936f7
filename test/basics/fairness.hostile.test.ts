import { describe, expect, it, vi } from 'vitest'
import { runYielding, SLICE_MS, type Steps } from '../../src/basics/slices.ts'

// The real timers, even if a test fakes them.
const { setImmediate } = globalThis
const now = performance.now.bind(performance)

const burn = (ms: number) => {
  const until = now() + ms
  while (now() < until);
}

/** Records which job ran in which turn of the event loop. */
function watchTurns() {
  const seen: { turn: number; job: number }[] = []
  let turn = 0
  let watching = true
  const count = () => {
    turn++
    if (watching) setImmediate(count)
  }
  setImmediate(count)
  return {
    seen,
    turn: () => turn,
    stop: () => {
      watching = false
    },
    /** A job of at least `steps` milliseconds. */
    *job(job: number, steps: number): Steps<number> {
      for (let i = 0; i < steps; i++) {
        seen.push({ turn, job })
        burn(1)
        yield
      }
      return job
    },
  }
}

const COUNT = 60

describe('Long work', () => {
  it('gets one slice per turn of the event loop, longest waiting first', async () => {
    // Start in a turn without slices.
    await new Promise(resolve => setImmediate(resolve))
    const { seen, job, stop } = watchTurns()
    const jobs = Array.from({ length: COUNT }, (_, i) => i)
    const results = await Promise.all(jobs.map(i => runYielding(job(i, SLICE_MS + 2))))
    stop()
    expect(results).toEqual(jobs)
    const slices = new Set(seen.map(({ turn, job }) => `turn ${turn}: ${job}`))
    expect(slices.size).toBe(new Set(seen.map(({ turn }) => turn)).size)
    const order = [...slices].map(slice => Number(slice.split(': ')[1]))
    // The first job started before the others.
    expect(order.slice(0, 1 + 2 * COUNT)).toEqual([0, ...jobs, ...jobs])
  })

  it('takes up to one slice of the turn in which it starts, however many jobs start', async () => {
    const { seen, job, stop } = watchTurns()
    await Promise.all(Array.from({ length: COUNT }, (_, i) => runYielding(job(i, 1))))
    stop()
    expect(seen).toHaveLength(COUNT)
    expect(seen.filter(({ turn }) => turn === 0).length).toBeLessThanOrEqual(SLICE_MS)
  })

  it('runs immediately if it is short and no other work waits', async () => {
    let [runSync, turned] = [0, false]
    function* short(): Steps<void> {
      yield
    }
    // Any work can be slow on a busy machine, but not every time.
    for (let attempt = 0; attempt < 20; attempt++) {
      await new Promise(setImmediate)
      turned = false
      setImmediate(() => {
        turned = true
      })
      await runYielding(short())
      await runYielding(short())
      if (!turned) runSync++
    }
    expect(runSync).toBeGreaterThan(0)
  })

  it('resolves in a separate turn if it took long', async () => {
    const { job, seen, turn, stop } = watchTurns()
    function* slow(): Steps<void> {
      yield
      burn(2 * SLICE_MS)
    }
    const other = runYielding(job(1, SLICE_MS + 1))
    await runYielding(slow())
    expect(seen.some(each => each.turn === turn())).toBe(false)
    await other
    stop()
  })

  it('that fails does not delay other work', async () => {
    const { job, stop } = watchTurns()
    function* failing(): Steps<never> {
      burn(SLICE_MS)
      yield
      throw new Error('it failed')
    }
    const settled = await Promise.allSettled([runYielding(failing()), runYielding(failing()), runYielding(job(3, 2))])
    stop()
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it('yields to other work even with fake timers', async () => {
    const { job, turn, stop } = watchTurns()
    vi.useFakeTimers()
    try {
      await runYielding(job(1, 4 * SLICE_MS))
    } finally {
      vi.useRealTimers()
    }
    expect(turn()).toBeGreaterThanOrEqual(3)
    stop()
  })
})
