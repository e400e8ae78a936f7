import { existsSync, utimesSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileStore } from '../../../src/engine/store/file-store.ts'
import { openStore } from '../../../src/engine/store/open-store.ts'
import { tiny } from '../tiny-api.ts'
import { fileStore, idsOf, newDb, open, put, remove, stateOf, tablesOf } from './support.ts'

interface Subject {
  make(): () => FileStore
  /** Whether the state outlives the process. */
  keeps: boolean
}

const inFile = (options: Parameters<typeof fileStore>[1]): Subject => ({
  make() {
    const db = newDb()
    return () => fileStore(db, options)
  },
  keeps: true,
})

const subjects: Record<string, Subject> = {
  'a file': inFile({}),
  'a file with constant rewrites and fsync': inFile({ compactAt: 1, durability: 'fsync' }),
  'a temporary file': {
    make: () => () =>
      openStore(undefined, undefined, { catalog: tiny.catalog, durability: 'log', onWarning: () => {} }),
    keeps: false,
  },
}

describe.each(Object.entries(subjects))('A store in %s', (_, { make, keeps }) => {
  it.runIf(keeps)('restores rows in order, places of deleted rows, seq and counters', async () => {
    const reopen = make()
    const first = await open(reopen())
    for (let i = 10; i < 50; i++) put(first.sandbox, i, 'é"\n\u2028'.repeat((i % 30) + 1))
    for (let i = 10; i < 50; i += 3) remove(first.sandbox, i)
    put(first.sandbox, 13, 'created again')
    first.sandbox.ids.token('one')
    put(first.sandbox, 1, 'changed')
    const before = stateOf(first.sandbox)
    expect(before).toMatchObject({ seq: 56, order: { projects: { deleted: { 10: 2 } } } })
    await first.store.close()
    const { sandbox, store, loaded } = await open(reopen())
    expect(stateOf(sandbox)).toEqual(before)
    expect(sandbox.ids.counters).toEqual(first.sandbox.ids.counters)
    expect(loaded!.warnings).toEqual([])
    await store.close()
  })

  it.runIf(keeps)('restores a state that was replaced, restored from a snapshot or reset', async () => {
    const reopen = make()
    const first = await open(reopen())
    remove(first.sandbox, 1)
    const { rows, order } = stateOf(first.sandbox)
    for (const name of ['early', 'other']) await first.sandbox.snapshots.save(name)
    await first.sandbox.snapshots.remove('other')
    first.sandbox.replace({ kind: 'state' }, tablesOf(5, 4))
    await first.store.close()

    const replaced = await open(reopen())
    expect(idsOf(replaced.sandbox)).toEqual([5, 4])
    expect(replaced.sandbox.snapshots.list()).toEqual([{ name: 'early', at: null, seq: null, request: null }])
    await replaced.sandbox.snapshots.restore('early')
    await replaced.store.close()

    const restored = await open(reopen())
    expect(stateOf(restored.sandbox)).toEqual({ ...stateOf(replaced.sandbox), rows, order })
    restored.sandbox.ids.token('one')
    restored.sandbox.reset()
    put(restored.sandbox, 3)
    await restored.store.close()

    const { sandbox, store } = await open(reopen())
    expect(idsOf(sandbox)).toEqual([1, 2, 3])
    expect(stateOf(sandbox)).toEqual(stateOf(restored.sandbox))
    expect(sandbox.ids.counters).toEqual(restored.sandbox.ids.counters)
    await store.close()
  })

  it.runIf(!keeps)('is created with the first change, and removed at the end', async () => {
    const reopen = make()
    const { sandbox, store, loaded } = await open(reopen())
    expect(loaded).toBeUndefined()
    const folder = dirname(store.file)
    expect(dirname(folder)).toBe(tmpdir())
    expect(existsSync(folder)).toBe(false)
    put(sandbox, 3)
    await expect.poll(() => existsSync(store.file)).toBe(true)
    await store.close()
    expect(existsSync(folder)).toBe(false)
    const next = await open(reopen())
    expect(idsOf(next.sandbox)).toEqual([1, 2])
    await next.store.close()
  })

  it('can be closed twice', async () => {
    const { sandbox, store } = await open(make()())
    put(sandbox, 3)
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
  })

  it('accepts changes while it writes the whole state', async () => {
    const reopen = make()
    const { sandbox, store } = await open(reopen())
    for (let i = 0; i < 200; i++) {
      put(sandbox, 10 + i, 'x'.repeat(100))
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    expect(idsOf(sandbox)).toHaveLength(202)
    await store.close()
    if (!keeps) return
    const next = await open(reopen())
    expect(stateOf(next.sandbox)).toEqual(stateOf(sandbox))
    await next.store.close()
  })
})

describe('A store in a file', () => {
  it('starts from the fixture with --fresh', async () => {
    const db = newDb()
    const first = await open(fileStore(db))
    expect(first.loaded).toBeUndefined()
    put(first.sandbox, 3)
    await first.store.close()
    const { sandbox, store } = await open(fileStore(db), { fresh: true })
    expect(idsOf(sandbox)).toEqual([1, 2])
    put(sandbox, 4)
    await store.close()
    const next = await open(fileStore(db))
    expect(idsOf(next.sandbox)).toEqual([1, 2, 4])
    await next.store.close()
  })

  it('is locked for a second store in the same process', async () => {
    const db = newDb()
    const { store } = await open(fileStore(db))
    // As after a long pause of the process.
    utimesSync(`${db}.lock`, 0, 0)
    const { message } = await open(fileStore(db)).catch(error => error)
    expect(message).toContain(`db.json is locked by process ${process.pid} on ${hostname()}, since 2`)
    expect(message).toMatch(/Stop that process, or set --db to another file\./)
    await store.close()
    const again = await open(fileStore(db))
    expect(again.loaded).toBeDefined()
    await again.store.close()
  })
})
