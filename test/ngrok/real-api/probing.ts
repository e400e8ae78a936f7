import { join } from 'node:path'
import { realAlarm } from '../../../src/basics/within.ts'
import { valuesOf } from '../../../src/engine/assumptions.ts'
import type { AssumptionName } from '../../../src/ngrok/assumed.ts'
import { assumptions, ngrokAssumptions } from '../../../src/ngrok/questions.ts'
import { Connection, type Time } from '../../../src/ngrok/real-api/connection.ts'
import { cleanUp } from '../../../src/ngrok/real-api/probe/clean-up.ts'
import type { ProbeMethod } from '../../../src/ngrok/real-api/probe/experiment.ts'
import { experiments } from '../../../src/ngrok/real-api/probe/experiments.ts'
import { ProbeJournal } from '../../../src/ngrok/real-api/probe/journal.ts'
import { probe } from '../../../src/ngrok/real-api/probe/run.ts'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'

const METHODS: ProbeMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']
export const names = Object.keys(assumptions) as AssumptionName[]
export const tried = names.filter(name => 'steps' in experiments[name])

/** Each value of each tested assumption, with the option that sets it. */
export const cases = tried.flatMap(name =>
  valuesOf(ngrokAssumptions, name).map(value => ({
    name,
    value,
    assume: valuesOf(ngrokAssumptions, name).length > 1 ? { [name]: value } : {},
  })),
)

/** An account with one application session and nothing else. */
export const fixture = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  application_users: [{ id: 'appusr_1' }],
  application_sessions: [{ id: 'appsess_1', application_user_id: 'appusr_1' }],
}

/** Waits end immediately. */
export const time: Time = { now: () => 0, wait: async () => {}, alarm: realAlarm }

export async function service(options: SimulatorOptions = {}) {
  const sim = await simulate({ fixture, ...options })
  const folder = folderWith({})
  const connect = (url = sim.url, more: { time?: Time } = {}) =>
    new Connection<ProbeMethod>({ url, key: 'sim_admin', vendor: 'service' }, METHODS, { time, ...more })
  const begin = () =>
    ProbeJournal.begin(run => join(folder, run), {
      url: sim.url,
      vendor: 'service',
      started_at: '2026-01-01T00:00:00Z',
    })
  const state = async () => (await sim.call('GET', '/_sim/state')).text

  return {
    ...sim,
    connect,
    begin,
    state,
    async probe(which: readonly AssumptionName[], connection = connect()) {
      const journal = begin()
      const outcome = await probe({ service: connection, journal }, which)
      if (outcome.left.length === 0) journal.end()
      else journal.close()
      return { ...outcome, file: journal.file }
    },
    async sweep(file: string) {
      const journal = ProbeJournal.open(file)
      const left = await cleanUp(connect(), journal, { atEnd: true })
      journal.close()
      return left
    },
  }
}
