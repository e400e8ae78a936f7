import { copyFileSync, existsSync } from 'node:fs'
import { checkFixture, type Rows } from '../fixtures/index.ts'
import { tableNames } from '../resources/index.ts'
import { baseOf, type LoggedChange, Tables } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { DatabaseFile, FORMAT, type Meta, parseStored } from './database-file.ts'
import { fileCalls } from './file-calls.ts'
import { lock } from './lock.ts'
import { DamagedFile, readLog } from './log-file.ts'

export interface Repaired {
  backups: string[]
  kept: Record<string, number>
  /** What could not be saved, a sentence each; empty when nothing was wrong. */
  lost: string[]
}

/** Saves the longest part of a database that is whole. What was there is copied aside first. */
export async function repair(file: string): Promise<Repaired> {
  const unlock = lock(file, fileCalls)
  try {
    const log = `${file}.log`
    if (!existsSync(file) && !existsSync(log))
      throw new DamagedFile(`there is no ${file} and no log of it: nothing to repair`)
    const backups = [file, log].filter(existsSync).map(backUp)
    const lost: string[] = []
    const { rows, meta } = readRows(file, lost)
    const changes = readChanges(log, meta, lost)
    const tables = replay(rows, changes)
    const whole = dropMisfits(tables.rows(), lost)
    const deleted = meta?.deleted ?? {}
    const last = changes.at(-1)
    const counters = last?.counters ?? meta?.counters ?? {}
    // Requests after the last line may have drawn operation ids that nobody wrote down.
    if (last) counters.op = (counters.op ?? 0) + 1_000_000
    const seq = last?.seq ?? meta?.seq ?? 0
    await new DatabaseFile(file, fileCalls, true).write({
      rows: whole,
      meta: { format: FORMAT, seq, counters, deleted },
    })
    fileCalls.remove(log)
    const kept = Object.fromEntries(tableNames.map(table => [table, whole[table]!.length]))
    return { backups, kept, lost }
  } finally {
    unlock()
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

function readRows(file: string, lost: string[]): { rows: Rows; meta: Meta | undefined } {
  const bytes = fileCalls.read(file)
  if (bytes === undefined) {
    lost.push(`${file} is missing: only what its log holds can be saved`)
    return { rows: {}, meta: undefined }
  }
  try {
    const { rows, meta } = parseStored(bytes, file)
    return { rows: rows as Rows, meta }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    const salvaged = salvage(bytes.toString('utf8'))
    const count = Object.values(salvaged.rows).reduce((sum, list) => sum + list.length, 0)
    lost.push(`${error.message}; ${count} records before the damage, at line ${salvaged.line}, were saved`)
    return { rows: salvaged.rows, meta: undefined }
  }
}

/** The file has a record a line: those before the first line that cannot be read are whole. */
function salvage(text: string): { rows: Rows; line: number } {
  const rows: Rows = {}
  let table: string | undefined
  let line = 0
  for (const content of text.split('\n')) {
    line++
    const opened = /^ {2}"(\w+)": \[(\],?)?$/.exec(content)
    if (opened) {
      table = opened[1]!
      if (tableNames.includes(table)) rows[table] = []
      continue
    }
    if (content === '{' || /^ {2}\],?$/.test(content)) continue
    const row = parseRow(content)
    if (!row || !table || !rows[table]) return { rows, line }
    rows[table]!.push(row)
  }
  return { rows, line }
}

function parseRow(line: string): Row | undefined {
  try {
    const row = JSON.parse(line.trim().replace(/,$/, ''))
    return typeof row?.id === 'string' ? row : undefined
  } catch {
    return undefined
  }
}

function readChanges(log: string, meta: Meta | undefined, lost: string[]): LoggedChange[] {
  const { changes, damage, torn } = readLog(fileCalls.read(log) ?? Buffer.alloc(0))
  if (damage) lost.push(`${log} is damaged at line ${damage.line}: ${damage.bytes} bytes from there on were dropped`)
  if (torn) lost.push(`${log} ended in ${torn} bytes of a line that was cut short`)
  if (!meta) return changes
  const fresh = changes.filter(({ seq }) => seq > meta.seq)
  if (fresh.length === 0 || fresh[0]!.seq === meta.seq + 1) return fresh
  lost.push(
    `${log} continues at change ${fresh[0]!.seq}, but the file ends at ${meta.seq}: its ${fresh.length} changes were dropped`,
  )
  return []
}

function replay(rows: Rows, changes: LoggedChange[]): Tables {
  let tables = new Tables(baseOf(rows))
  for (const { ops, state } of changes) {
    if (state) tables = new Tables(baseOf(state))
    else tables.apply(ops)
  }
  return tables
}

/** Records that refer to something that was lost would keep the file from being read. */
function dropMisfits(rows: Rows, lost: string[]): Rows {
  for (;;) {
    const checked = checkFixture(rows, { now: 0, keepOrder: true, dangling: true })
    if (!Array.isArray(checked)) return rows
    const misfits = new Set<Row>()
    for (const { path, message } of checked) {
      const row = rows[path[0] as string]?.[path[1] as number]
      if (!row) throw new DamagedFile(`what was saved does not fit together: ${message}`)
      misfits.add(row)
      lost.push(`${row.id} was dropped: ${message}`)
    }
    for (const table of Object.keys(rows)) rows[table] = rows[table]!.filter(row => !misfits.has(row))
  }
}
