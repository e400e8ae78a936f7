import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { folderWith } from '../../support/afterwards.ts'
import { type Call, callsOf, operationOf, type TestResponse } from '../../support/http.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { Model, ofEach, type State, TABLES, type Table } from './model.ts'
import { leftOf } from './support.ts'

const FIXTURE = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  ip_policies: [{ id: 'ipp_one', rules: [{ id: 'ipr_one', action: 'allow', cidr: '::/0' }] }, { id: 'ipp_two' }],
  ip_restrictions: [{ id: 'ipx_one', type: 'agent', created_at: '2026-01-01T00:00:00Z' }],
}
const INITIAL: State = {
  api_keys: new Map([['ak_admin', '']]),
  ip_restrictions: new Map([['ipx_one', '']]),
  ip_policy_rules: new Map([['ipr_one', '']]),
}
/** Rules of two policies. On disk they are inside their policies, without their creation order. */
const newOne = (description: string) => ({
  api_keys: {},
  ip_restrictions: { type: 'endpoints', ip_policy_ids: ['ipp_one'] },
  ip_policy_rules: { action: 'deny', cidr: '::/0', ip_policy_id: description === 'one' ? 'ipp_one' : 'ipp_two' },
})

class Real {
  #simulator: Awaited<ReturnType<typeof runSimulator>> | undefined
  #call: Call | undefined
  readonly seen = ofEach(() => new Set<string>())
  constructor(public db: string) {}

  async start() {
    this.#simulator = await runSimulator({ port: 0, db: this.db, fixture: FIXTURE }, {}, { compactAt: 4000 })
    this.#call = callsOf(this.#simulator).call
  }
  async stop() {
    await this.#simulator?.close()
  }
  /** Like a kill: the next run uses a copy of the current files. */
  async kill() {
    const next = leftOf(this.db)
    await this.stop()
    this.db = next
  }
  /** An API call, for the journal and rewinds. */
  async request(model: Model, method: string, path: string, body?: unknown): Promise<TestResponse> {
    const before = model.moment()
    const response = await this.#call!(method, path, body)
    model.journal.push({ id: operationOf(response), ...before })
    return response
  }
  control = (method: string, path: string, body?: unknown) => this.#call!(method, `/_sim${path}`, body)
}

type Step = (model: Model, real: Real) => Promise<void>
/** A command without a precondition: it picks from the current records. */
const command = (name: string, run: Step) => ({ check: () => true, run, toString: () => name })

const pick = <T>(list: T[], n: number): T | undefined => list[n % list.length]
const table = fc.constantFrom<Table>(...TABLES)
const number = fc.nat(100)
const text = fc.constantFrom('one', 'two', 'é€𝄞"\\\n', 'x'.repeat(60))
const name = fc.constantFrom('a', 'b')

async function checkPage(model: Model, real: Real, where: Table, limit: number, before?: string) {
  const query = `limit=${limit}${before ? `&before_id=${before}` : ''}`
  const { status, body } = await real.control('GET', `/db/${where}`)
  expect(status).toBe(200)
  expect(body.map((row: { id: string }) => row.id).toReversed()).toEqual(model.page(where, 1000))
  const response = await real.request(model, 'GET', `/${where}?${query}`)
  expect(response.status).toBe(200)
  const found: { id: string; description?: string }[] = response.body.keys ?? response.body[where]
  const expected = model.page(where, limit, before)
  expect(found.map(({ id, description = '' }) => [id, description])).toEqual(
    expected.map(id => [id, model.state[where].get(id)]),
  )
}

const commands = [
  fc.tuple(table, text).map(([where, description]) =>
    command(`create ${where}`, async (model, real) => {
      const { status, body } = await real.request(model, 'POST', `/${where}`, {
        ...newOne(description)[where],
        description,
      })
      expect(status).toBe(201)
      model.put(where, body.id, description)
      real.seen[where].add(body.id)
    }),
  ),
  fc.tuple(table, number, text).map(([where, n, description]) =>
    command(`update ${where} ${n}`, async (model, real) => {
      const id = pick(model.past[where], n) ?? 'none'
      const { status } = await real.request(model, 'PATCH', `/${where}/${id}`, { description })
      expect(status).toBe(model.state[where].has(id) ? 200 : 404)
      if (status === 200) model.put(where, id, description)
    }),
  ),
  fc.tuple(table, number).map(([where, n]) =>
    command(`delete ${where} ${n}`, async (model, real) => {
      const others = model.past[where].filter(each => each !== 'ak_admin')
      const id = pick(others, n)
      if (!id) return
      const { status } = await real.request(model, 'DELETE', `/${where}/${id}`)
      expect(status).toBe(model.state[where].delete(id) ? 204 : 404)
    }),
  ),
  fc.tuple(fc.nat(3), text).map(([n, description]) =>
    command(`put record ${n}`, async (model, real) => {
      const { status } = await real.control('PUT', `/db/api_keys/ak_x${n}`, { description })
      expect(status).toBe(model.state.api_keys.has(`ak_x${n}`) ? 200 : 201)
      model.put('api_keys', `ak_x${n}`, description)
      real.seen.api_keys.add(`ak_x${n}`)
    }),
  ),
  fc.tuple(table, fc.integer({ min: 1, max: 5 }), fc.option(number)).map(([where, limit, n]) =>
    command(`list ${where} ${limit} ${n}`, async (model, real) => {
      await checkPage(model, real, where, limit, n === null ? undefined : pick(model.past[where], n))
    }),
  ),
  name.map(each =>
    command(`snapshot ${each}`, async (model, real) => {
      expect((await real.control('PUT', `/snapshots/${each}`)).status).toBe(201)
      model.snapshots.set(each, model.moment())
    }),
  ),
  name.map(each =>
    command(`restore ${each}`, async (model, real) => {
      const { status } = await real.control('POST', `/snapshots/${each}/restore`)
      expect(status).toBe(model.snapshots.has(each) ? 204 : 404)
      if (status === 204) model.restore(each)
    }),
  ),
  fc.constant(
    command('reset', async (model, real) => {
      expect((await real.control('POST', '/reset')).status).toBe(204)
      model.reset()
    }),
  ),
  fc.subarray(['ak_x0', 'ak_x1', 'ak_x2', 'ak_x3']).map(ids =>
    command(`state ${ids}`, async (model, real) => {
      const keys = ids.map(id => ({ id, owner_id: 'usr_admin' }))
      const state = { ...FIXTURE, api_keys: [...FIXTURE.api_keys, ...keys], ip_restrictions: [] }
      expect((await real.control('PUT', '/state', state)).status).toBe(204)
      model.replace({
        ...INITIAL,
        api_keys: new Map(['ak_admin', ...ids].map(id => [id, ''])),
        ip_restrictions: new Map(),
      })
    }),
  ),
  number.map(n =>
    command(`rewind ${n}`, async (model, real) => {
      const moment = pick(model.journal, n)
      if (!moment) return
      expect((await real.control('POST', `/requests/${moment.id}/rewind`)).status).toBe(204)
      model.rewind(moment)
    }),
  ),
  fc.constantFrom('stop', 'kill').map(how =>
    command(`${how} and start`, async (model, real) => {
      await real[how as 'stop']()
      await real.start()
      model.restart()
    }),
  ),
]

it(
  'A simulator with a database behaves like a simple model in random sequences of actions',
  async () => {
    const folder = folderWith()
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: LONG ? 40 : 12, size: '+1' }), async steps => {
        const real = new Real(join(folder, `${count++}.json`))
        const model = new Model(INITIAL)
        await real.start()
        try {
          await fc.asyncModelRun(() => ({ model, real }), steps)
          for (const where of TABLES) {
            await checkPage(model, real, where, 100)
            for (const id of model.past[where]) await checkPage(model, real, where, 2, id)
            const unknown = [...real.seen[where]].filter(id => !model.past[where].includes(id))
            for (const id of unknown)
              expect((await real.request(model, 'GET', `/${where}?before_id=${id}`)).status).toBe(400)
          }
        } finally {
          await real.stop()
        }
      }),
      { numRuns: LONG ? 2000 : 20, ...(LONG ? {} : { seed: 7 }) },
    )
  },
  LONG_MS * 3,
)
