import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '../../../src/engine/language/index.ts'
import { Sandbox } from '../../../src/engine/sandbox/index.ts'
import { baseOf } from '../../../src/engine/state/index.ts'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import { FileStore } from '../../../src/engine/store/file-store.ts'
import { thisProcess } from '../../../src/engine/store/lock.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { folderWith } from '../../support/afterwards.ts'

export const newDb = () => join(folderWith(), 'db.json')

export const key = (id: string, more: object = {}): Row => ({
  id: `ak_${id}`,
  created_at: '2026-01-01T00:00:00Z',
  owner_id: 'usr_admin',
  ...more,
})

const origin = () => ({
  api: ngrok,
  base: baseOf(ngrok.catalog, { users: [{ id: 'usr_admin', admin: true }], api_keys: [key('one'), key('two')] }),
  seed: 'store',
  tokens: [],
  vendor: 'service',
  assumed: {},
})

export async function open(store: FileStore, options: { fresh?: boolean } = {}) {
  const sandbox = new Sandbox('default', origin(), () => {})
  const loaded = await store.open(sandbox, options)
  return { sandbox, loaded, store }
}

export const fileStore = (file: string, options: Partial<FileStore['options']> = {}) =>
  new FileStore(file, { catalog: ngrok.catalog, durability: 'log', onWarning: () => {}, ...options })

export const put = (sandbox: Sandbox, row: Row, table = 'api_keys') => {
  const before = sandbox.tables.of(table).get(row.id) ?? null
  return sandbox.commit({ kind: 'record' }, [{ table, id: row.id, before, after: row }])
}

export const remove = (sandbox: Sandbox, id: string, table = 'api_keys') =>
  sandbox.commit({ kind: 'record' }, [{ table, id, before: sandbox.tables.of(table).get(id)!, after: null }])

/** The state that must be equal in memory, on disk and after a restart. */
export const stateOf = ({ tables, seq }: Sandbox) => ({ rows: tables.rows(), order: tables.numbers(), seq })

/** A copy of the files, as after a kill at this moment. */
export function leftOf(file: string): string {
  const copy = newDb()
  for (const suffix of ['', '.log', '.snapshots'])
    if (existsSync(file + suffix)) cpSync(file + suffix, copy + suffix, { recursive: true })
  return copy
}

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

/** The state that a start would load from disk. Does not change the files. */
export async function stateOnDisk(file: string) {
  const { sandbox, store } = await open(fileStore(leftOf(file)))
  const state = stateOf(sandbox)
  await store.close()
  return state
}

const deadPid = 2 ** 30

/** The content of a lock. Its process is dead by default. */
export const holder = (given: object) =>
  JSON.stringify({ ...thisProcess(), pid: deadPid, started: '2026-01-01T00:00:00Z', ...given })

/** File calls with failures on demand. */
export function faultyCalls() {
  let plan: ((name: string) => Error | undefined) | undefined
  const made: string[] = []
  const meet = (name: string) => {
    made.push(name)
    return plan?.(name)
  }
  // Tests only check that flushes are made, so these flushes are fast.
  const quick = { ...fileCalls, syncNow: () => {} }
  const calls = Object.fromEntries(
    Object.entries(quick).map(([name, call]) => [
      name,
      (...args: never[]) => {
        const error = meet(name)
        if (error) throw error
        return (call as (...args: never[]) => unknown)(...args)
      },
    ]),
  ) as FileCalls
  return {
    calls,
    /** Returns and clears the names of the calls. */
    seen: () => made.splice(0),
    /** After `count` calls the next call fails. With `on` all later calls fail. */
    failAfter(count: number, code: string, on = false) {
      let left = count
      plan = name => (left-- === 0 || (on && left < 0) ? diskError(code, name) : undefined)
    },
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
