import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lineTo } from '../ngrok/real-api/line.ts'
import { fixture } from '../ngrok/real-api/probing.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesim, launch } from '../support/as-process.ts'
import { simulate } from '../support/in-process.ts'
import { LONG, LONG_MS } from '../support/long.ts'

const NAMES = ['page_order', 'backend_nesting', 'delete_referenced']
/** The first nine requests check that the account is empty. */
const REQUESTS = { first: 10, last: 52 }

/** A probe process, with a connection that hangs at one of its requests. */
async function probeUntil(place: number, silent: 'before' | 'after') {
  const sim = await simulate({ fixture })
  const line = await lineTo(sim.url)
  const cwd = folderWith({})
  const options = { cwd, env: { EDGESIM_API_KEY: 'sim_admin' } }
  const state = async () => (await sim.call('GET', '/_sim/state')).text
  const before = await state()
  line.breakAt(place, { silent })
  const args = ['probe', '--run', ...NAMES, '--url', line.url, '--pace', '60000']
  const child = launch(args, options)
  const ended = await Promise.race([line.broken.then(() => false), child.ended.then(() => true)])
  return {
    ...child,
    isOver: ended,
    before,
    state,
    cwd,
    sweep: (file: string) => edgesim(['probe', 'sweep', file, '--url', line.url, '--pace', '60000'], options),
  }
}

describe('edgesim probe as a process', { timeout: LONG_MS }, () => {
  const kills = LONG
    ? Array.from({ length: REQUESTS.last - REQUESTS.first + 1 }, (_, i) => i + REQUESTS.first)
    : [11, 25]

  it.for(kills)('leaves a journal when killed at request %i, so a sweep deletes its records', async place => {
    for (const silent of LONG ? (['before', 'after'] as const) : (['after'] as const)) {
      const { child, ended, isOver, before, state, cwd, sweep } = await probeUntil(place, silent)
      expect(isOver).toBe(false)
      child.kill('SIGKILL')
      await ended
      const [journal, ...others] = readdirSync(cwd)
      expect(journal).toMatch(/^edgesim-probe-\w+\.journal$/)
      expect(others).toEqual([`${journal}.lock`])
      const { code, err } = await sweep(journal!)
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/Deleted (\d+) of \1 records? that/) })
      expect(await state()).toBe(before)
      expect(readdirSync(cwd)).toEqual([])
    }
  })

  it('deletes its records before it stops', async () => {
    // The account checks, two policies, and the first list.
    const { child, ended, before, state, cwd, printed } = await probeUntil(12, 'before')
    expect(await state()).not.toBe(before)
    child.kill('SIGINT')
    expect((await ended).code).toBe(1)
    expect(printed.err).toContain('Stopping. Deleting created records first')
    expect(JSON.parse(printed.out).verdicts.page_order).toEqual({ undecided: 'interrupted' })
    expect(await state()).toBe(before)
    expect(readdirSync(cwd)).toEqual([])
  })
})
