import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../../src/sandbox/index.ts'
import type { Row } from '../../src/schema/index.ts'
import { baseOf } from '../../src/state/index.ts'
import { type FileCalls, fileCalls } from '../../src/store/file-calls.ts'
import { FileStore } from '../../src/store/file-store.ts'
import { thisProcess } from '../../src/store/lock.ts'
import { folderWith } from '../support/afterwards.ts'

export const newDb = () => join(folderWith(), 'db.json')

export const key = (id: string, more: object = {}): Row => ({
  id: `ak_${id}`,
  created_at: '2026-01-01T00:00:00Z',
  owner_id: 'usr_admin',
  ...more,
})

const origin = () => ({
  base: baseOf({ users: [{ id: 'usr_admin', admin: true }], api_keys: [key('one'), key('two')] }),
  seed: 'store',
  tokens: [],
  vendor: 'service',
  assumed: {},
})

/** A sandbox with a store, assembled as in the simulator. */
export async function open(store: FileStore, options: { fresh?: boolean } = {}) {
  const sandbox = new Sandbox('default', origin(), () => {})
  const loaded = await store.open(sandbox, options)
  return { sandbox, loaded, store }
}

export const fileStore = (file: string, options: Partial<FileStore['options']> = {}) =>
  new FileStore(file, { durability: 'log', onWarning: () => {}, ...options })

export const put = (sandbox: Sandbox, row: Row, table = 'api_keys') => {
  const before = sandbox.tables.of(table).get(row.id) ?? null
  return sandbox.commit({ kind: 'record' }, [{ table, id: row.id, before, after: row }])
}

export const remove = (sandbox: Sandbox, id: string, table = 'api_keys') =>
  sandbox.commit({ kind: 'record' }, [{ table, id, before: sandbox.tables.of(table).get(id)!, after: null }])

/** The state that memory and disk must agree on, and a restart must keep. */
export const stateOf = ({ tables, seq }: Sandbox) => ({ rows: tables.rows(), order: tables.numbers(), seq })

/** A copy of the files as a kill at this moment would leave them. */
export function leftOf(file: string): string {
  const copy = newDb()
  for (const suffix of ['', '.log', '.snapshots'])
    if (existsSync(file + suffix)) cpSync(file + suffix, copy + suffix, { recursive: true })
  return copy
}

/** A database with an old file, and a log of all later changes. */
export async function killed(file: string, changes = 3) {
  const { sandbox, store } = await open(fileStore(file))
  for (let i = 0; i < changes; i++) put(sandbox, key(`n${i}`))
  const [db, log] = [readFileSync(file), readFileSync(`${file}.log`)]
  const state = stateOf(sandbox)
  await store.close()
  writeFileSync(file, db)
  writeFileSync(`${file}.log`, log)
  return { state, log }
}

/** The state that a start would find on disk; the files are not changed. */
export async function stateOnDisk(file: string) {
  const { sandbox, store } = await open(fileStore(leftOf(file)))
  const state = stateOf(sandbox)
  await store.close()
  return state
}

/** A pid that no process can have. */
const deadPid = 2 ** 30

/** The content of a lock; its process does not run by default. */
export const holder = (given: object) =>
  JSON.stringify({ ...thisProcess(), pid: deadPid, started: '2026-01-01T00:00:00Z', ...given })

/** File calls of which one, or all from one on, can be made to fail. */
export function faultyCalls() {
  let plan: ((name: string) => Error | undefined) | undefined
  const made: string[] = []
  const meet = (name: string) => {
    made.push(name)
    return plan?.(name)
  }
  // Tests check that flushes are made and awaited; real ones would only take time.
  const quick = { ...fileCalls, sync: () => new Promise<void>(done => setImmediate(done)), syncNow: () => {} }
  const calls = Object.fromEntries(
    Object.entries(quick).map(([name, call]) => [
      name,
      (...args: never[]) => {
        const error = meet(name)
        if (error && name === 'sync') return Promise.reject(error)
        if (error) throw error
        return (call as (...args: never[]) => unknown)(...args)
      },
    ]),
  ) as FileCalls
  return {
    calls,
    /** The names of the calls since the last time this was asked for. */
    seen: () => made.splice(0),
    /** After that many calls the next one fails; with `on` all later ones too. */
    failAfter(count: number, code: string, on = false) {
      let left = count
      plan = name => (left-- === 0 || (on && left < 0) ? diskError(code, name) : undefined)
    },
    /** Every call of that name fails. */
    failEvery(name: string, code: string) {
      plan = called => (called === name ? diskError(code, name) : undefined)
    },
    heal() {
      plan = undefined
    },
  }
}

export const diskError = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: as a test wants it, ${syscall}`), { code, syscall })
