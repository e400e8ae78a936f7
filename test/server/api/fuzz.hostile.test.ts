import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import type { Notice } from '../../../src/simulator/types.ts'
import { newDb } from '../../engine/store/support.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'
import { Report } from './fuzz/report.ts'
import { draftsFor } from './fuzz/requests.ts'
import { oneAtATime, pipelined, type Run } from './fuzz/run.ts'

/** The same two numbers send the same requests. A long run has a new seed. */
const SEED = Number(process.env.EDGESIM_SEED ?? (LONG ? Date.now() % 1_000_000 : 1))
const REQUESTS = Number(process.env.EDGESIM_FUZZ_REQUESTS ?? (LONG ? 100_000 : 700))
if (LONG) console.log(`EDGESIM_SEED=${SEED} EDGESIM_FUZZ_REQUESTS=${REQUESTS}`)

/** Long enough for a slow machine. */
const LIMIT_MS = 1_800_000
/** With this many requests, every route gets some. */
const ENOUGH_FOR_ALL = 30_000

const inherited = Object.getOwnPropertyNames(Object.prototype)
const crashes: string[] = []
const onCrash = (error: unknown) => void crashes.push(error instanceof Error ? String(error.stack) : String(error))

beforeAll(() => {
  process.on('uncaughtExceptionMonitor', onCrash)
  process.on('unhandledRejection', onCrash)
})
afterAll(() => {
  process.off('uncaughtExceptionMonitor', onCrash)
  process.off('unhandledRejection', onCrash)
})

interface Part {
  name: string
  share: number
  send(run: Run): Promise<string>
  options?: SimulatorOptions
  /** Scenarios may cause responses that look like defects. */
  scripted?: boolean
  seed?: number
}

async function fuzz({ name, share, send, options, scripted = false, seed = SEED }: Part) {
  const report = new Report()
  const defects: string[] = []
  const onNotice = ({ level, text }: Notice) => level === 'error' && defects.push(`a defect was reported: ${text}`)
  const simulated = await simulate({ seed: 1, maxSandboxes: 12, stopGrace: '50ms', ...options }, { onNotice })
  const { call } = simulated
  const [openapi, control] = await Promise.all(
    ['openapi', 'control'].map(async document => (await call('GET', `/_sim/${document}.json`)).body),
  )
  const { routes, drafts } = draftsFor(openapi, control, scripted)
  const count = Math.ceil(REQUESTS * share)
  const failure = await send({ simulated, drafts, scripted, seed, count, report, defects })
  if (LONG) console.log(`${name}: ${report}`)
  expect(failure && `EDGESIM_SEED=${SEED}, ${name}, ${failure}`).toBe('')
  expect(crashes).toEqual([])
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited)
  expect((await call('GET', '/_sim/health')).status).toBe(200)
  // A sandbox with an active request would never expire.
  const { sandboxes } = simulated
  const active = sandboxes.list().filter(sandbox => sandboxes.useOf(sandbox).activeRequests > 0)
  expect(active.map(({ name }) => name)).toEqual([])
  // Too few successes: the run would mainly test errors.
  expect(report.shareOfSuccess).toBeGreaterThan(0.2)
  if (count >= ENOUGH_FOR_ALL) expect(routes.filter(route => !report.routes.has(route))).toEqual([])
  return simulated
}

describe('A generated request', { timeout: LIMIT_MS }, () => {
  it('gets a response, changes nothing if rejected, and leaves a loadable state', async () => {
    await fuzz({ name: 'one at a time', share: 0.5, send: oneAtATime })
  })

  it('gets its response in order when pipelined on several connections', async () => {
    await fuzz({ name: 'pipelined', share: 0.38, send: pipelined })
  })

  it('gets a response or is interrupted as the scenario specifies', async () => {
    await fuzz({ name: 'scripted', share: 0.06, send: oneAtATime, scripted: true })
  })

  it('leaves every acknowledged write in the database after a restart', async () => {
    const db = newDb()
    const rounds = LONG ? 4 : 1
    for (let round = 1; round <= rounds; round++) {
      const name = `with a database, round ${round}`
      const first = await fuzz({ name, share: 0.06 / rounds, send: oneAtATime, options: { db }, seed: SEED - round })
      const { body: state } = await first.call('GET', '/_sim/state')
      await first.close()
      const notices: Notice[] = []
      const second = await simulate({ db }, { onNotice: notice => notices.push(notice) })
      expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
      expect(notices).toEqual([])
      await second.close()
    }
  })
})
