import { copyFileSync, statSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NamedFiles } from '../../../src/engine/files/named-files.ts'
import { readFixtureFile } from '../../../src/engine/fixtures/index.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { folderWith } from '../../support/afterwards.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { newDb } from './support.ts'

/** The records that a start with the file as its fixture has, sorted by id. */
async function asFixture(db: string) {
  const alone = newDb()
  copyFileSync(db, alone)
  const fixtures = new NamedFiles('fixtures', folderWith())
  const { rows } = await readFixtureFile(alone, { catalog: ngrok.catalog, fixtures, now: 0, vendor: 'service' })
  return sorted(rows)
}

const sorted = (rows: Record<string, readonly { id: string }[]>) =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [table, list.toSorted((a, b) => (a.id < b.id ? -1 : 1))]),
  )

const logOf = (db: string) => statSync(`${db}.log`).size

/** Resolves when the pause after the last write is over. */
const pause = (db: string) => expect.poll(() => logOf(db), { interval: 1, timeout: 10_000 }).toBe(0)

const stateOf = ({ sandboxes }: Simulated) => sorted(sandboxes.default.tables.rows())

describe('The database file', () => {
  it('alone is the state after each random write and a pause', async () => {
    const db = newDb()
    const sim = await simulate({ db }, { quietMs: 0 })
    const { call } = sim
    const ids: string[] = []
    const create = async (path: string, body: object) => {
      const { body: made, status } = await call('POST', path, body)
      expect(status).toBe(201)
      ids.push(`${path}/${made.id}`)
    }
    const change = (n: number, metadata: string) => () => call('PATCH', ids[n % ids.length]!, { metadata })
    const text = fc.string({ maxLength: 30 })
    const pick = fc.nat()
    const write = fc.oneof(
      { weight: 4, arbitrary: text.map(metadata => () => create('/ip_policies', { metadata })) },
      {
        weight: 2,
        arbitrary: text.map(description => () => create('/backends/static', { description, address: 'a:1' })),
      },
      { weight: 4, arbitrary: fc.tuple(pick, text).map(args => change(...args)) },
      { weight: 3, arbitrary: pick.map(n => () => call('DELETE', ids.splice(n % ids.length, 1)[0]!)) },
      {
        weight: 1,
        arbitrary: text.map(name => () => call('PATCH', '/_sim/db/users/usr_admin', { name: name || 'x' })),
      },
      fc.constant(() => call('PUT', '/_sim/snapshots/one')),
    )
    const writes = fc.sample(write, { numRuns: ALL ? 200 : 30, seed: 5 })
    await create('/ip_policies', {})
    for (const [i, each] of writes.entries()) {
      if (ids.length === 0) await create('/ip_policies', {})
      await each()
      await pause(db)
      expect(await asFixture(db), `write ${i}`).toEqual(stateOf(sim))
    }
    expect(sim.sandboxes.default.seq).toBeGreaterThan(ALL ? 150 : 20)
  })

  it('of more than 4 MiB is not written after every pause', async () => {
    const db = newDb()
    const { call } = await simulate({ db }, { quietMs: 0 })
    const list = Array.from({ length: 15_000 }, (_, i) => ({ id: `ipp_${i}`, metadata: 'x'.repeat(300) }))
    expect(await call('PUT', '/_sim/state', { ip_policies: list })).toMatchObject({ status: 204 })
    await pause(db)
    const { mtimeMs } = statSync(db)
    expect(await call('POST', '/_sim/db/ip_policies', { id: 'ipp_new' })).toMatchObject({ status: 201 })
    // A file of this size would be written before a small one that was changed later.
    const small = newDb()
    const other = await simulate({ db: small }, { quietMs: 0 })
    await other.call('POST', '/ip_policies', {})
    await pause(small)
    expect(logOf(db)).toBeGreaterThan(0)
    expect(statSync(db).mtimeMs).toBe(mtimeMs)
  })
})
