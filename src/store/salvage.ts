import { isObject } from '../basics/json.ts'
import type { Rows } from '../fixtures/index.ts'
import { fixtureTables, partsOf } from '../resources/index.ts'
import type { Row } from '../schema/index.ts'

/** Reads a file that is not whole JSON, a record a line, up to the first line that cannot be read. */
export function salvage(text: string): { rows: Rows; line: number } {
  const rows: Rows = {}
  let table: string | undefined
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    const opened = /^ {2}"(\w+)": \[(\],?)?$/.exec(line)
    if (opened && fixtureTables.includes(opened[1]!)) {
      table = opened[1]!
      rows[table] = []
      continue
    }
    if (line === '{' || /^ {2}\],?$/.test(line)) continue
    const row = parseRow(line)
    if (!row || !table) return { rows, line: i + 1 }
    rows[table]!.push(row)
  }
  return { rows, line: lines.length }
}

function parseRow(line: string): Row | undefined {
  try {
    const row = JSON.parse(line.trim().replace(/,$/, ''))
    return isRow(row) ? row : undefined
  } catch {
    return undefined
  }
}

const isRow = (value: unknown): value is Row => typeof (value as Row | null)?.id === 'string'

/** Reads a file that is JSON: of the known lists, the records that have an id of their own. */
export function listsIn(given: Record<string, unknown>, lost: string[]): Rows {
  const rows: Rows = {}
  for (const [table, list] of Object.entries(given)) {
    if (table === '$schema') continue
    if (!fixtureTables.includes(table)) lost.push(`"${table}" was dropped: edgesim has no such records`)
    else if (!Array.isArray(list)) lost.push(`"${table}" was dropped: it is not a list`)
    else rows[table] = rowsIn(table, list, lost).map(row => withWholeLists(table, row, lost))
  }
  return rows
}

/** Drops the parts of a record if they are not a list of records. */
function withWholeLists(table: string, row: Row, lost: string[]): Row {
  const whole: Record<string, unknown> = { ...row }
  for (const { partOf } of partsOf(table)) {
    const { list } = partOf!
    const parts = whole[list]
    if (parts === undefined || (Array.isArray(parts) && parts.every(isObject))) continue
    lost.push(`the ${list} of ${row.id} were dropped: they are not a list of records`)
    delete whole[list]
  }
  return whole as Row
}

function rowsIn(table: string, list: unknown[], lost: string[]): Row[] {
  const seen = new Set<string>()
  return list.filter((row, i): row is Row => {
    const why = !isRow(row) ? 'it has no id' : seen.has(row.id) ? `${row.id} is there before it too` : undefined
    if (why) lost.push(`${table}[${i}] was dropped: ${why}`)
    else seen.add((row as Row).id)
    return !why
  })
}
