import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Catalog, Row } from '../../../src/engine/language/index.ts'
import { Sandbox } from '../../../src/engine/sandbox/index.ts'
import { baseOf, Tables } from '../../../src/engine/state/index.ts'
import { type FileCalls, fileCalls } from '../../../src/engine/store/file-calls.ts'
import { FileStore } from '../../../src/engine/store/file-store.ts'
import { thisProcess } from '../../../src/engine/store/lock.ts'
import { folderWith } from '../../support/afterwards.ts'
import { tiny } from '../tiny-api.ts'

export const newDb = () => join(folderWith(), 'db.json')

/** A record of the tiny API. */
const project = (id: number, name = `Project ${id}`): Row => ({
  id: String(id),
  created_at: '2026-01-01T00:00:00Z',
  name,
})

export const tablesOf = (...ids: number[]) => new Tables(baseOf(tiny.catalog, { projects: ids.map(id => project(id)) }))

export async function open(store: FileStore, options: { fresh?: boolean } = {}) {
  const { base } = tablesOf(1, 2)
  const origin = { api: tiny, base, seed: 'store', tokens: [], vendor: 'service', assumed: {} }
  const sandbox = new Sandbox('default', origin, () => {})
  const loaded = await store.open(sandbox, options)
  return { sandbox, loaded, store }
}

export const fileStore = (file: string, options: Partial<FileStore['options']> = {}) =>
  new FileStore(file, { catalog: tiny.catalog, durability: 'log', onWarning: () => {}, ...options })

export const put = (sandbox: Sandbox, id: number, name?: string) => {
  const after = project(id, name)
  const before = sandbox.tables.of('projects').get(after.id) ?? null
  return sandbox.commit({ kind: 'record' }, [{ table: 'projects', id: after.id, before, after }])
}

export const remove = (sandbox: Sandbox, id: number) => {
  const before = sandbox.tables.of('projects').get(String(id))!
  sandbox.commit({ kind: 'record' }, [{ table: 'projects', id: String(id), before, after: null }])
}

export const idsOf = ({ tables }: Sandbox) => tables.rows().projects!.map(({ id }) => Number(id))

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
  for (let i = 0; i < changes; i++) put(sandbox, 10 + i)
  const [db, log] = [readFileSync(file), readFileSync(`${file}.log`)]
  const state = stateOf(sandbox)
  await store.close()
  writeFileSync(file, db)
  writeFileSync(`${file}.log`, log)
  return { state, log }
}

/** The state that a start would load from disk. Does not change the files. */
export async function stateOnDisk(file: string, catalog: Catalog = tiny.catalog) {
  const { sandbox, store } = await open(fileStore(leftOf(file), { catalog }))
  const state = stateOf(sandbox)
  await store.close()
  return state
}

export const expectOnDisk = async (file: string, sandbox: Sandbox, when?: string) =>
  expect(await stateOnDisk(file, sandbox.tables.catalog), when).toEqual(stateOf(sandbox))

const deadPid = 2 ** 30

/** The content of a lock. Its process is dead by default. */
export const holder = (given: object) =>
  JSON.stringify({ ...thisProcess(), pid: deadPid, started: '2026-01-01T00:00:00Z', ...given })

/** File calls that call `meet` first, with their name and second argument. */
export const callsMeeting = (meet: (name: string, to?: unknown) => void) =>
  Object.fromEntries(
    // Tests only check that flushes are made, so these flushes are fast.
    Object.entries({ ...fileCalls, syncNow: () => {} }).map(([name, call]) => [
      name,
      (...args: never[]) => {
        meet(name, args[1])
        return (call as (...args: never[]) => unknown)(...args)
      },
    ]),
  ) as FileCalls

/** As if the process was killed before it cuts the log. */
export const killedAtLogCut = callsMeeting((name, to) => {
  if (name === 'rename' && String(to).endsWith('.log')) throw new Error('killed here')
})

/** File calls with failures on demand. */
export function faultyCalls() {
  let plan: ((name: string) => Error | undefined) | undefined
  const made: string[] = []
  const calls = callsMeeting(name => {
    made.push(name)
    const error = plan?.(name)
    if (error) throw error
  })
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

const diskError = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: as a test wants it, ${syscall}`), { code, syscall })
