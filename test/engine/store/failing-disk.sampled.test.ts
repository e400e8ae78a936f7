import { readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import type { TestResponse } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { ALL, LONG, LONG_MS } from '../../support/long.ts'
import {
  expectOnDisk,
  faultyCalls,
  fileStore,
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
            if (response.status >= 300 || LONG) await expectOnDisk(db, sandbox, when)
          }
          await expectOnDisk(db, sandbox, when)
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
      put(sandbox, 10 + n)
      disk.failAfter(n, 'EIO')
      await last.close().catch(error => expect(error.code).toBe('EIO'))
      disk.heal()
      rmSync(`${db}.lock`, { force: true })
      await expectOnDisk(db, sandbox, `at call ${n}`)
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
    await expectOnDisk(db, sandbox, 'after')
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
  it('is logged once, and the change log continues', async () => {
    const { db, disk, sim, sandbox } = await withDisk('log', 500)
    disk.failEvery('rename', 'EIO')
    for (let i = 0; i < 12; i++) expect((await sim.call('POST', '/api_keys', {})).status).toBe(201)
    await expectOnDisk(db, sandbox, 'with a long log')
    expect(disk.seen().filter(name => name === 'rename').length).toBeGreaterThan(1)
    expect(sim.notices.map(({ text }) => text)).toEqual([
      expect.stringMatching(/Cannot rewrite .*: EIO: .*\. Changes are still appended to its log\./),
    ])
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
    refusal('flush')(await sim.call('POST', '/api_keys', { description: 'lost' }))
    expect(stateOf(sandbox)).toEqual(before)
    await expectOnDisk(db, sandbox, 'after it was taken back')
    disk.heal()
    expect((await sim.call('POST', '/api_keys', {})).status).toBe(201)
    expect(sandbox.seq).toBe(before.seq + 1)
  })
})

describe('A disk that writes only some of the bytes', () => {
  it.each([1, 100])('gets all bytes, %i at a time', async most => {
    const calls: FileCalls = { ...fileCalls, write: (fd, bytes) => fileCalls.write(fd, bytes.subarray(0, most)) }
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db, { calls, compactAt: 2000 }))
    for (let i = 0; i < 20; i++) {
      put(sandbox, 10 + i, 'é€𝄞'.repeat(i + 1))
      await new Promise(setImmediate)
    }
    await expectOnDisk(db, sandbox)
    await store.close()
    await expectOnDisk(db, sandbox)
  })

  it('causes no half-written line in the log', async () => {
    const disk = faultyCalls()
    const half = {
      ...disk.calls,
      write: (fd: number, bytes: Uint8Array) => disk.calls.write(fd, bytes.subarray(0, Math.ceil(bytes.length / 2))),
    }
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db, { calls: half }))
    put(sandbox, 3)
    disk.failAfter(1, 'ENOSPC')
    expect(() => put(sandbox, 4)).toThrow(/ENOSPC/)
    await expectOnDisk(db, sandbox)
    put(sandbox, 5)
    await expectOnDisk(db, sandbox)
    await store.close()
  })

  it('causes an error if it writes nothing', async () => {
    let full = false
    const calls: FileCalls = { ...fileCalls, write: (fd, bytes) => (full ? 0 : fileCalls.write(fd, bytes)) }
    const { sandbox, store } = await open(fileStore(newDb(), { calls }))
    full = true
    expect(() => put(sandbox, 3)).toThrow(/accepts no more bytes/)
    full = false
    put(sandbox, 3)
    await store.close()
  })
})

describe('A disk that fails at startup', () => {
  it.each(ALL ? CODES : CODES.slice(0, 1))('stops the simulator from starting, or has no effect (%s)', async code => {
    const db = newDb()
    const disk = faultyCalls()
    const start = () => simulate({ db, durability: 'fsync' }, { files: disk.calls })
    const first = await start()
    await first.call('POST', '/api_keys', { description: 'in the file' })
    await first.close()
    disk.seen()
    const healthy = await start()
    const calls = disk.seen()
    await healthy.close()
    for (const [n, name] of calls.entries()) {
      disk.failAfter(n, code)
      const sim = await start().catch(error => {
        expect(error, `${code} at call ${n}, ${name}`).toMatchObject({ code: 'DATABASE_UNUSABLE' })
        expect(error.cause.message).toContain(`${code}: as a test wants it, ${name}`)
      })
      disk.heal()
      await sim?.close()
      await expectOnDisk(db, first.sandboxes.default, `${code} at call ${n}, ${name}`)
    }
  })

  it.each(
    LONG ? CODES : CODES.slice(0, 1),
  )('has the old or the new state if --fresh is interrupted (%s)', async code => {
    const disk = faultyCalls()
    const fresh = async (db: string) => open(fileStore(db, { calls: disk.calls }), { fresh: true })
    const db = newDb()
    const { state } = await killed(db)
    const began = await fresh(leftOf(db))
    const calls = disk.seen()
    await began.store.close()
    const initial = stateOf(began.sandbox).rows
    const outcomes = new Set<string>()
    for (const [n, name] of calls.entries()) {
      const copy = leftOf(db)
      disk.failAfter(n, code)
      await fresh(copy).catch(error => expect(error.code).toBe(code))
      disk.heal()
      rmSync(`${copy}.lock`, { force: true })
      const { rows } = await stateOnDisk(copy)
      const isOld = rows.projects!.length === state.rows.projects!.length
      expect(rows, `${code} at call ${n}, ${name}`).toEqual(isOld ? state.rows : initial)
      outcomes.add(isOld ? 'old' : 'new')
    }
    expect([...outcomes].sort()).toEqual(['new', 'old'])
  })
})
