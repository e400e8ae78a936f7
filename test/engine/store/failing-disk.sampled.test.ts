import { readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import type { TestResponse } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL, LONG, LONG_MS } from '../../support/long.ts'
import {
  diskError,
  faultyCalls,
  fileStore,
  key,
  killed,
  leftOf,
  newDb,
  open,
  put,
  stateOf,
  stateOnDisk,
} from './support.ts'

const CODES = ['ENOSPC', 'EIO', 'EACCES'] as const
const FIXTURE = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
}

type Simulated = Awaited<ReturnType<typeof simulate>>

const withDisk = async (durability: 'log' | 'fsync', compactAt: number) => {
  const db = newDb()
  const disk = faultyCalls()
  const sim = await simulate({ db, durability, fixture: FIXTURE, seed: 1 }, { files: disk.calls, compactAt })
  disk.seen()
  return { db, disk, sim, sandbox: sim.sandboxes.default }
}

/** Every kind of write. The file is rewritten in between. */
const WRITES: ((sim: Simulated) => Promise<TestResponse>)[] = [
  ({ call }) => call('POST', '/api_keys', { description: 'first', metadata: 'x'.repeat(600) }),
  ({ call }) => call('PATCH', '/api_keys/ak_admin', { description: 'changed' }),
  ({ call }) => call('POST', '/_sim/db/ip_policies', { id: 'ipp_one' }),
  ({ call }) => call('PUT', '/_sim/snapshots/kept'),
  ({ call }) => call('POST', '/ip_restrictions', { type: 'agent', ip_policy_ids: ['ipp_one'] }),
  ({ call }) => call('PUT', '/_sim/state', { ...FIXTURE, ip_policies: [{ id: 'ipp_two' }] }),
  ({ call }) => call('POST', '/_sim/snapshots/kept/restore'),
  ({ call }) => call('POST', '/_sim/reset'),
  ({ call }) => call('POST', '/api_keys', { description: 'last', metadata: 'y'.repeat(600) }),
]

const refusal = (call: string) => (response: TestResponse) => {
  expect(response, call).toMatchObject({ status: 503, body: { error_code: 'ERR_EDGESIM_503', status_code: 503 } })
  expect(response.body.msg).toMatch(/as a test wants it/)
}

/** Between two requests, the state in memory equals the state that a start would load. */
async function expectMemoryOnDisk(db: string, { sandboxes }: Simulated, when: string) {
  expect(await stateOnDisk(db), when).toEqual(stateOf(sandboxes.default))
}

describe.each(['log', 'fsync'] as const)('A disk that fails once with --durability %s', durability => {
  it(
    'rejects or executes each write completely',
    async () => {
      const { db, disk, sim, sandbox } = await withDisk(durability, 1000)
      for (const write of WRITES) await write(sim)
      const calls = disk.seen()
      expect(new Set(calls)).toContain('rename')
      for (let n = 0; n < calls.length + 5; n += LONG ? 1 : ALL ? 7 : 21) {
        for (const code of LONG ? CODES : [CODES[n % 3]!]) {
          const when = `${code} at call ${n}`
          disk.failAfter(n, code)
          for (const write of WRITES) {
            const before = stateOf(sandbox)
            const response = await write(sim)
            if (response.status >= 500) refusal(when)(response)
            if (response.status >= 300) expect(stateOf(sandbox), when).toEqual(before)
            if (response.status >= 300 || LONG) await expectMemoryOnDisk(db, sim, when)
          }
          await expectMemoryOnDisk(db, sim, when)
          disk.heal()
          expect((await sim.call('POST', '/_sim/reset')).status, when).toBe(204)
        }
      }
    },
    LONG_MS,
  )

  it('loses nothing if it fails during close', async () => {
    const db = newDb()
    const disk = faultyCalls()
    const store = () => fileStore(db, { durability, calls: disk.calls })
    const first = await open(store())
    disk.seen()
    await first.store.close()
    for (const n of disk.seen().keys()) {
      const { sandbox, store: last } = await open(store())
      put(sandbox, key(`n${n}`))
      disk.failAfter(n, 'EIO')
      await last.close().catch(error => expect(error.code).toBe('EIO'))
      disk.heal()
      rmSync(`${db}.lock`, { force: true })
      expect(await stateOnDisk(db), `at call ${n}`).toEqual(stateOf(sandbox))
    }
  })
})

describe.each(['log', 'fsync'] as const)('A temporarily full disk with --durability %s', durability => {
  it('rejects every write and serves every read', async () => {
    const { db, disk, sim, sandbox } = await withDisk(durability, 1_000_000)
    const { body: made } = await sim.call('POST', '/api_keys', { description: 'before' })
    const before = stateOf(sandbox)
    disk.failAfter(0, 'ENOSPC', true)
    for (const write of WRITES.filter((_, i) => i !== 6)) {
      const response = await write(sim)
      if (response.status !== 400) refusal('while it is full')(response)
      expect((await sim.call('GET', `/api_keys/${made.id}`)).body.description).toBe('before')
      expect((await sim.call('GET', '/api_keys')).body.keys).toHaveLength(2)
    }
    expect(stateOf(sandbox)).toEqual(before)
    disk.heal()
    expect((await sim.call('POST', '/api_keys', { description: 'after' })).status).toBe(201)
    await expectMemoryOnDisk(db, sim, 'after')
  })

  it('is logged once, as is its end, and the journal explains each rejection', async () => {
    const { disk, sim, db } = await withDisk(durability, 1_000_000)
    disk.failAfter(0, 'ENOSPC', true)
    for (let i = 0; i < 3; i++) await sim.call('POST', '/api_keys', { description: 'no' })
    const { body } = await sim.call('POST', '/api_keys', { description: 'no' })
    const { body: entry } = await sim.call('GET', `/_sim/requests/${body.details.operation_id}`)
    expect(entry).toMatchObject({ status: 503, change: null, explanation: { decided_by: 'cannot_write' } })
    expect(entry.explanation.text).toMatch(/Cannot write the change to disk: .*ENOSPC.* It was not applied/)
    disk.heal()
    await sim.call('POST', '/api_keys', {})
    expect(sim.notices).toEqual([
      { level: 'warn', text: expect.stringMatching(`Cannot write ${db}, so changes are rejected: ENOSPC`) },
      { level: 'warn', text: `Writing ${db} works again.` },
    ])
  })
})

describe('A disk that fails to rewrite the file', () => {
  it('is logged, and the change log continues', async () => {
    const { db, disk, sim } = await withDisk('log', 500)
    disk.failEvery('rename', 'EIO')
    for (let i = 0; i < 12; i++) expect((await sim.call('POST', '/api_keys', {})).status).toBe(201)
    await expectMemoryOnDisk(db, sim, 'with a long log')
    expect(sim.notices[0]!.text).toMatch(/Cannot rewrite .*: EIO: .*\. Changes are still appended to its log\./)
    expect(sim.notices.length).toBeLessThan(5)
    disk.heal()
    expect(readdirSync(dirname(db)).filter(name => name.endsWith('.tmp'))).toEqual([])
    await sim.close()
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
  })
})

describe('A disk that does not confirm a written change', () => {
  it('undoes the change before the 503 response', async () => {
    const { db, disk, sim, sandbox } = await withDisk('fsync', 1_000_000)
    const before = stateOf(sandbox)
    disk.failEvery('syncNow', 'EIO')
    const response = await sim.call('POST', '/api_keys', { description: 'lost' })
    refusal('flush')(response)
    expect(response.body.msg).toMatch(/Cannot write the change to disk: EIO.* It was not applied/)
    expect(stateOf(sandbox)).toEqual(before)
    await expectMemoryOnDisk(db, sim, 'after it was taken back')
    const { body: entry } = await sim.call('GET', `/_sim/requests/${response.body.details.operation_id}`)
    expect(entry).toMatchObject({ status: 503, change: null })
    expect(sim.notices.at(-1)!.text).toMatch(/Cannot write .*, so changes are rejected: EIO/)
    for (let i = 0; i < 3; i++) expect((await sim.call('POST', '/api_keys', {})).status).toBe(503)
    expect(sim.notices).toHaveLength(1)
    disk.heal()
    expect((await sim.call('POST', '/api_keys', {})).status).toBe(201)
    expect(sandbox.seq).toBe(before.seq + 1)
    expect(sim.notices.at(-1)!.text).toMatch(/Writing .* works again/)
  })

  it.each<[what: string, write: (sim: Simulated, id: string) => Promise<TestResponse>]>([
    ['a rewind', ({ call }, id) => call('POST', `/_sim/requests/${id}/rewind`)],
    ['a scenario with a state', ({ call }) => call('PUT', '/_sim/scenario', { state: { users: [{ id: 'usr_new' }] } })],
    ['a sandbox created again', ({ call }) => call('PUT', '/_sim/sandboxes/default', {})],
    ['a sandbox with another fixture', ({ call }) => call('PUT', '/_sim/sandboxes/default', { fixture: 'empty' })],
    ['a restored snapshot', ({ call }) => call('POST', '/_sim/snapshots/kept/restore')],
    ['a raw record', ({ call }) => call('PUT', '/_sim/db/users/usr_new', {})],
  ])('delays %s until it confirms', async (_, write) => {
    const { db, disk, sim, sandbox } = await withDisk('fsync', 1_000_000)
    await sim.call('PUT', '/_sim/snapshots/kept')
    await sim.call('POST', '/api_keys', { description: 'stays' })
    const { body } = await sim.call('GET', '/_sim/requests?limit=1')
    const before = stateOf(sandbox)
    disk.failEvery('syncNow', 'EIO')
    refusal('flush')(await write(sim, body.requests[0].id))
    expect(stateOf(sandbox)).toEqual(before)
    disk.heal()
    await expectMemoryOnDisk(db, sim, 'after it was taken back')
  })
})

describe('A disk that writes only some of the bytes', () => {
  it.each([1, 7, 100])('gets all bytes, %i at a time', async most => {
    const calls: FileCalls = { ...fileCalls, write: (fd, bytes) => fileCalls.write(fd, bytes.subarray(0, most)) }
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db, { calls, compactAt: 2000 }))
    for (let i = 0; i < 20; i++) {
      put(sandbox, key(`n${i}`, { description: 'é€𝄞'.repeat(i + 1) }))
      await new Promise(setImmediate)
    }
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
    await store.close()
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
  })

  it('causes no half-written line in the log', async () => {
    const disk = faultyCalls()
    const half = {
      ...disk.calls,
      write: (fd: number, bytes: Uint8Array) => disk.calls.write(fd, bytes.subarray(0, Math.ceil(bytes.length / 2))),
    }
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db, { calls: half }))
    put(sandbox, key('three'))
    disk.failAfter(1, 'ENOSPC')
    expect(() => put(sandbox, key('four'))).toThrow(/ENOSPC/)
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
    put(sandbox, key('five'))
    expect(await stateOnDisk(db)).toEqual(stateOf(sandbox))
    await store.close()
  })

  it('causes an error if it writes nothing', async () => {
    let full = false
    const calls: FileCalls = { ...fileCalls, write: (fd, bytes) => (full ? 0 : fileCalls.write(fd, bytes)) }
    const { sandbox, store } = await open(fileStore(newDb(), { calls }))
    full = true
    expect(() => put(sandbox, key('three'))).toThrow(/accepts no more bytes/)
    full = false
    put(sandbox, key('three'))
    await store.close()
  })
})

describe('A disk that fails at startup', () => {
  it.each(ALL ? CODES : CODES.slice(0, 1))('stops the simulator from starting, or has no effect (%s)', async code => {
    const db = newDb()
    const before = await preparedDb(db)
    const disk = faultyCalls()
    const healthy = await simulate({ db, durability: 'fsync' }, { files: disk.calls })
    const calls = disk.seen()
    await healthy.close()
    for (const [n, name] of calls.entries()) {
      disk.failAfter(n, code)
      const sim = await simulate({ db, durability: 'fsync' }, { files: disk.calls }).catch(error => {
        expect(error, `${code} at call ${n}, ${name}`).toMatchObject({ code: 'DATABASE_UNUSABLE' })
        expect(error.cause.message).toContain(diskError(code, name).message)
      })
      disk.heal()
      await sim?.close()
      expect(await stateOnDisk(db), `${code} at call ${n}, ${name}`).toEqual(before)
    }
  })

  it('does not change the old state if --fresh fails', async () => {
    const db = newDb()
    const before = await preparedDb(db)
    const disk = faultyCalls()
    disk.failEvery('write', 'ENOSPC')
    await expect(simulate({ db, fresh: true }, { files: disk.calls })).rejects.toMatchObject({
      cause: { code: 'ENOSPC' },
    })
    expect(await stateOnDisk(db)).toEqual(before)
    disk.failEvery('rename', 'EIO')
    await expect(simulate({ db, fresh: true }, { files: disk.calls })).rejects.toMatchObject({ cause: { code: 'EIO' } })
    expect(await stateOnDisk(db)).toEqual(before)
  })

  it.each(
    LONG ? CODES : CODES.slice(0, 1),
  )('has the old or the new state if --fresh is interrupted (%s)', async code => {
    const disk = faultyCalls()
    const fresh = async (db: string) => open(fileStore(db, { calls: disk.calls }), { fresh: true })
    const began = await fresh(leftOf(await killedDb()))
    const calls = disk.seen()
    await began.store.close()
    const initial = stateOf(began.sandbox).rows
    const outcomes = new Set<string>()
    for (const [n, name] of calls.entries()) {
      const db = await killedDb()
      const { rows: old } = await stateOnDisk(db)
      disk.failAfter(n, code)
      await fresh(db).catch(error => expect(error.code).toBe(code))
      disk.heal()
      rmSync(`${db}.lock`, { force: true })
      const { rows } = await stateOnDisk(db)
      const isOld = rows.api_keys!.length === old.api_keys!.length
      expect(rows, `${code} at call ${n}, ${name}`).toEqual(isOld ? old : initial)
      outcomes.add(isOld ? 'old' : 'new')
    }
    expect([...outcomes].sort()).toEqual(['new', 'old'])
  })
})

async function killedDb() {
  const db = newDb()
  await killed(db)
  return db
}

async function preparedDb(db: string) {
  const sim = await simulate({ db })
  await sim.call('POST', '/api_keys', { description: 'in the file' })
  await sim.close()
  const { sandbox, store } = await open(fileStore(db))
  put(sandbox, key('three'))
  const state = stateOf(sandbox)
  await store.close()
  return state
}
