import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AssumptionName, assumptions, valuesOf } from '../../src/contract/assumptions.ts'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { Connection } from '../../src/remote/connection.ts'
import type { ProbeMethod } from '../../src/remote/probe/experiment.ts'
import { experiments } from '../../src/remote/probe/experiments.ts'
import { ProbeJournal } from '../../src/remote/probe/journal.ts'
import { probe } from '../../src/remote/probe/run.ts'
import { folderWith } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'

const METHODS: ProbeMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']
const names = Object.keys(assumptions) as AssumptionName[]
const tried = names.filter(name => 'steps' in experiments[name])

/** An account in which somebody has signed in, and nothing else is. */
const fixture = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  application_users: [{ id: 'appusr_1' }],
  application_sessions: [{ id: 'appsess_1', application_user_id: 'appusr_1' }],
}

async function probed(options: SimulatorOptions, which: readonly AssumptionName[]) {
  const sim = await simulate({ fixture, ...options })
  const folder = folderWith({})
  const account = { url: sim.url, key: 'sim_admin', vendor: 'service' }
  const service = new Connection<ProbeMethod>(account, METHODS, { pace: 60_000 })
  const journal = ProbeJournal.begin(run => join(folder, run), { ...account, started_at: '2026-01-01T00:00:00Z' })
  const before = (await sim.call('GET', '/_sim/state')).text
  const outcome = await probe({ service, journal }, which)
  const after = (await sim.call('GET', '/_sim/state')).text
  journal.close()
  return { ...outcome, before, after, sent: service.sent }
}

describe('A probe', () => {
  it.for(tried.flatMap(name => valuesOf(name).map(value => [name, value] as const)))(
    'finds %s=%s, and leaves nothing',
    async ([name, value]) => {
      const { verdicts, before, after, left, stopped } = await probed(
        valuesOf(name).length > 1 ? { assume: { [name]: value } } : {},
        [name],
      )
      expect({ verdicts, left, stopped }).toEqual({ verdicts: { [name]: { value } }, left: [], stopped: undefined })
      expect(after).toBe(before)
    },
  )
  it('all', async () => {
    const r = await probed({}, names)
    console.log(r.sent, r.verdicts, r.stopped)
    expect(r.after).toBe(r.before)
  })
})
