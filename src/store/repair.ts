import { copyFileSync, existsSync } from 'node:fs'
import { wallClock } from '../basics/real-time.ts'
import { counted } from '../basics/text.ts'
import { hasCode, SimulatorError } from '../contract/simulator-error.ts'
import { checkFixture, exportOf, inOrderOf, type Rows, unnest } from '../fixtures/index.ts'
import { fixtureTables, kinds, partsOf, tableNames } from '../resources/index.ts'
import type { Row } from '../schema/index.ts'
import { baseOf, type LoggedChange, replay } from '../state/index.ts'
import { DatabaseFile } from './database-file.ts'
import { fileCalls } from './file-calls.ts'
import { lock } from './lock.ts'
import { readLog } from './log-line.ts'
import { realFile } from './open-store.ts'
import { isOwnDatabase, parseStored } from './parse-stored.ts'
import { listsIn, salvage } from './salvage.ts'
import { type Stored, storedOf } from './stored.ts'
import { upgrade } from './upgrade.ts'

export interface Repaired {
  backups: string[]
  kept: Record<string, number>
  /** Sentences about what could not be saved; empty when nothing was wrong. */
  lost: string[]
}

interface Saved extends Pick<Stored, 'deleted' | 'order' | 'counters'> {
  records: Rows
  /** Undefined when it is lost. */
  seq?: number
}

/** More than the draws that a process can have made without storing the count. */
const SKIPPED_DRAWS = 1_000_000

/** Saves the longest part of a database that is whole. Its files are backed up first. */
export async function repair(given: string): Promise<Repaired> {
  const file = realFile(given)
  const { release } = await lock(file, fileCalls)
  try {
    const log = `${file}.log`
    if (!existsSync(file) && !existsSync(log))
      throw new SimulatorError('DATABASE_DAMAGED', `there is no ${file} and no log of it: nothing to repair`)
    const bytes = fileCalls.read(file)
    if (bytes && !isOwnDatabase(bytes))
      throw new SimulatorError('DATABASE_FOREIGN', `${file} is not a database of edgesim. Nothing was changed.`)
    const backups = [file, log].filter(existsSync).map(backUp)
    const lost: string[] = []
    const saved = readFile(file, lost)
    const changes = readChanges(log, saved.seq, lost)
    const last = changes.at(-1)
    const counters = { ...(last?.counters ?? saved.counters) }
    counters.op = (counters.op ?? 0) + SKIPPED_DRAWS
    const base = baseOf(toRows(saved), saved.deleted)
    const tables = replay(base, upgrade(base, changes, wallClock()))
    for (const { table, id } of invalidRows(exportOf(tables.rows()), lost)) tables.of(table).remove(id)
    await new DatabaseFile(file, fileCalls, true).write(storedOf(tables, last?.seq ?? saved.seq ?? 0, counters))
    fileCalls.remove(log)
    return { backups, lost, kept: Object.fromEntries(tableNames.map(table => [table, tables.of(table).size])) }
  } finally {
    release()
  }
}

function backUp(file: string): string {
  for (let i = 1; ; i++) {
    const copy = `${file}.${i}.bak`
    if (existsSync(copy)) continue
    copyFileSync(file, copy)
    return copy
  }
}

function readFile(file: string, lost: string[]): Saved {
  const bytes = fileCalls.read(file)
  if (bytes === undefined) {
    lost.push(`${file} is missing: only what its log holds can be saved`)
    return { records: {}, deleted: {}, order: {}, counters: skippedCounters() }
  }
  try {
    const { records, ...rest } = parseStored(bytes, file)
    return { ...rest, records: listsIn(records, lost) }
  } catch (error) {
    if (!hasCode(error, 'DATABASE_DAMAGED')) throw error
    const { rows, line } = salvage(bytes.toString('utf8'))
    const count = Object.values(rows).reduce((sum, list) => sum + list.length, 0)
    lost.push(`${error.message}; saved: ${counted(count, 'record')} before line ${line}`)
    return { records: rows, deleted: {}, order: {}, counters: skippedCounters() }
  }
}

/** The rows of every table, not checked yet. */
function toRows({ records, order }: Saved): Rows {
  const rows = unnest(records as Record<string, Row[]>).lists as Rows
  for (const [table, ids] of Object.entries(order)) rows[table] = inOrderOf(ids, rows[table] ?? [])
  return rows
}

/** The counts of drawn ids are lost with the end of the file: these are higher. */
const skippedCounters = () =>
  Object.fromEntries([...kinds.map(({ prefix }) => prefix), 'token', 'secret'].map(kind => [kind, SKIPPED_DRAWS]))

function readChanges(log: string, seq: number | undefined, lost: string[]): LoggedChange[] {
  const { changes, damage, truncatedBytes } = readLog(fileCalls.read(log) ?? Buffer.alloc(0))
  if (damage) lost.push(`${log} is damaged at line ${damage.line}: ${damage.bytes} bytes from there on were dropped`)
  if (truncatedBytes) lost.push(`${log} ended in ${truncatedBytes} bytes of a line that was cut short`)
  // An op holds the whole new row: applying one that is in the file already changes nothing.
  if (seq === undefined) return changes
  const fresh = changes.filter(change => change.seq > seq)
  if (fresh.length === 0 || fresh[0]!.seq === seq + 1) return fresh
  lost.push(
    `${log} continues at change ${fresh[0]!.seq}, but the file ends at ${seq}; dropped: ${counted(fresh.length, 'change')}`,
  )
  return []
}

/** Records that are not valid, or refer to a lost one: with them, the file could not be read. */
function invalidRows(records: Rows, lost: string[]): { table: string; id: string }[] {
  const found: { table: string; id: string }[] = []
  for (;;) {
    const checked = checkFixture(records, { now: 0, keepOrder: true, dangling: true })
    if (!Array.isArray(checked)) return found
    const dropped = new Set<Row>()
    const drop = (table: string, row: Row) => {
      dropped.add(row)
      found.push({ table, id: row.id })
    }
    for (const { path, message } of checked) {
      const [table, i, list, j] = path as [string, number, string?, number?]
      const record = records[table]![i]!
      const part = partsOf(table).find(({ partOf }) => partOf!.list === list && j !== undefined)
      const row = part ? (record[list!] as Row[])[j!]! : record
      if (dropped.has(row) || dropped.has(record)) continue
      drop(part?.table ?? table, row)
      lost.push(`${row.id} was dropped: ${message}`)
      if (!part)
        for (const { table: inner, partOf } of partsOf(table))
          for (const each of record[partOf!.list] as Row[]) drop(inner, each)
    }
    for (const table of fixtureTables)
      records[table] = records[table]!.filter(row => !dropped.has(row)).map(withoutDropped(table, dropped))
  }
}

const withoutDropped = (table: string, dropped: Set<Row>) => (record: Row) => {
  const lists = partsOf(table).map(({ partOf }) => {
    const parts = record[partOf!.list] as Row[]
    return [partOf!.list, parts.filter(part => !dropped.has(part))] as const
  })
  return lists.length > 0 ? { ...record, ...Object.fromEntries(lists) } : record
}
