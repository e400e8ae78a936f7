import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { baseOf, Tables } from '../../../src/engine/state/index.ts'
import type { FileStore } from '../../../src/engine/store/file-store.ts'
import { openStore } from '../../../src/engine/store/open-store.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { fileStore, key, newDb, open, put, remove, stateOf } from './support.ts'

interface Subject {
  make(): () => FileStore
  /** Whether the state outlives the process. */
  keeps: boolean
}

const subjects: Record<string, Subject> = {
  'a file': {
    make() {
      const db = newDb()
      return () => fileStore(db)
    },
    keeps: true,
  },
  'a file with fsync': {
    make() {
      const db = newDb()
      return () => fileStore(db, { durability: 'fsync' })
    },
    keeps: true,
  },
  'a file with constant rewrites': {
    make() {
      const db = newDb()
      return () => fileStore(db, { compactAt: 1 })
    },
    keeps: true,
  },
  'a file with constant rewrites and fsync': {
    make() {
      const db = newDb()
      return () => fileStore(db, { compactAt: 1, durability: 'fsync' })
    },
    keeps: true,
  },
  'a temporary file': {
    make: () => () =>
      openStore(undefined, undefined, { catalog: ngrok.catalog, durability: 'log', onWarning: () => {} }),
    keeps: false,
  },
}

describe.each(Object.entries(subjects))('A store in %s', (_, { make, keeps }) => {
  it('is empty at first', async () => {
    const { store, loaded } = await open(make()())
    expect(loaded).toBeUndefined()
    await store.close()
  })

  it('does not change the sandbox state', async () => {
    const { sandbox, store } = await open(make()())
    put(sandbox, key('three'))
    remove(sandbox, 'ak_one')
    expect(sandbox.tables.rows().api_keys!.map(row => row.id)).toEqual(['ak_two', 'ak_three'])
    expect(sandbox.seq).toBe(2)
    await store.close()
  })

  it.runIf(keeps)('restores rows in order, places of deleted rows, seq and counters', async () => {
    const reopen = make()
    const first = await open(reopen())
    for (let i = 0; i < 40; i++) put(first.sandbox, key(`n${i}`, { description: 'é"\n\u2028'.repeat(i % 30) }))
    for (let i = 0; i < 40; i += 3) remove(first.sandbox, `ak_n${i}`)
    put(first.sandbox, key('n3', { description: 'back in its place' }))
    first.sandbox.ids.token('ak_one')
    put(first.sandbox, key('one', { description: 'changed' }))
    const before = stateOf(first.sandbox)
    await first.store.close()
    const { sandbox, store, loaded } = await open(reopen())
    expect(stateOf(sandbox)).toEqual(before)
    expect(sandbox.ids.counters).toEqual(first.sandbox.ids.counters)
    expect(loaded!.warnings).toEqual([])
    await store.close()
  })

  it.runIf(keeps)('restores a state that was replaced, restored from a snapshot or reset', async () => {
    const reopen = make()
    const idsOf = ({ tables }: Awaited<ReturnType<typeof open>>['sandbox']) =>
      tables.rows().api_keys!.map(({ id }) => id)
    const first = await open(reopen())
    remove(first.sandbox, 'ak_one')
    const { rows, order } = stateOf(first.sandbox)
    for (const name of ['early', 'other']) await first.sandbox.snapshots.save(name)
    await first.sandbox.snapshots.remove('other')
    const given = { users: [{ id: 'usr_admin', admin: true }], api_keys: [key('b'), key('a')] }
    first.sandbox.replace({ kind: 'state' }, new Tables(baseOf(ngrok.catalog, given)))
    await first.store.close()

    const replaced = await open(reopen())
    expect(idsOf(replaced.sandbox)).toEqual(['ak_b', 'ak_a'])
    expect(replaced.sandbox.snapshots.list()).toEqual([{ name: 'early', at: null, seq: null, request: null }])
    await replaced.sandbox.snapshots.restore('early')
    await replaced.store.close()

    const restored = await open(reopen())
    expect(stateOf(restored.sandbox)).toEqual({ ...stateOf(replaced.sandbox), rows, order })
    restored.sandbox.ids.token('ak_one')
    restored.sandbox.reset()
    put(restored.sandbox, key('three'))
    await restored.store.close()

    const { sandbox, store } = await open(reopen())
    expect(idsOf(sandbox)).toEqual(['ak_one', 'ak_two', 'ak_three'])
    expect(stateOf(sandbox)).toEqual(stateOf(restored.sandbox))
    expect(sandbox.ids.counters).toEqual(restored.sandbox.ids.counters)
    await store.close()
  })

  it.runIf(!keeps)('is created with the first change, and removed at the end', async () => {
    const reopen = make()
    const { sandbox, store } = await open(reopen())
    const folder = dirname(store.file)
    expect(dirname(folder)).toBe(tmpdir())
    expect(existsSync(folder)).toBe(false)
    put(sandbox, key('three'))
    await expect.poll(() => existsSync(store.file)).toBe(true)
    await store.close()
    expect(existsSync(folder)).toBe(false)
    const next = await open(reopen())
    expect(next.sandbox.tables.rows().api_keys).toHaveLength(2)
    await next.store.close()
  })

  it('can be closed twice', async () => {
    const { sandbox, store } = await open(make()())
    put(sandbox, key('three'))
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
  })

  it('accepts changes while it writes the whole state', async () => {
    const reopen = make()
    const { sandbox, store } = await open(reopen())
    for (let i = 0; i < 200; i++) {
      put(sandbox, key(`n${i}`, { description: 'x'.repeat(100) }))
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    expect(sandbox.tables.rows().api_keys).toHaveLength(202)
    await store.close()
    if (!keeps) return
    const next = await open(reopen())
    expect(stateOf(next.sandbox)).toEqual(stateOf(sandbox))
    await next.store.close()
  })
})

describe('A store in a file', () => {
  it('has no other file after a clean exit', async () => {
    const db = newDb()
    const { sandbox, store } = await open(fileStore(db, { compactAt: 1 }))
    put(sandbox, key('three'))
    await new Promise(setImmediate)
    put(sandbox, key('four'))
    await store.close()
    expect(readdirSync(dirname(db))).toEqual(['db.json'])
  })

  it('starts from the fixture with --fresh', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    put(first.sandbox, key('three'))
    await first.store.close()
    const { sandbox, store } = await open(fileStore(db), { fresh: true })
    expect(sandbox.tables.rows().api_keys).toHaveLength(2)
    put(sandbox, key('four'))
    await store.close()
    const next = await open(fileStore(db))
    expect(next.sandbox.tables.rows().api_keys!.map(row => row.id)).toEqual(['ak_one', 'ak_two', 'ak_four'])
    await next.store.close()
  })

  it('is locked for a second store in the same process', async () => {
    const db = newDb()
    const { store } = await open(fileStore(db))
    // As after a long pause of the process.
    utimesSync(`${db}.lock`, 0, 0)
    await expect(open(fileStore(db))).rejects.toThrow(`is locked by process ${process.pid} on`)
    await store.close()
    const again = await open(fileStore(db))
    expect(again.loaded).toBeDefined()
    await again.store.close()
  })
})
