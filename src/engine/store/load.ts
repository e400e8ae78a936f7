import { parseDocument } from '../files/document.ts'
import { checkFixture } from '../fixtures/index.ts'
import type { Catalog } from '../language/index.ts'
import { type Base, baseOf, type SavedSandbox } from '../state/index.ts'
import type { DatabaseFile } from './database-file.ts'
import type { LogFile } from './log-file.ts'
import { readLog } from './log-line.ts'
import { damaged } from './parse-stored.ts'
import type { Stored } from './stored.ts'

export interface Loaded extends SavedSandbox, Pick<Stored, 'written' | 'seeded'> {
  warnings: string[]
}

/** Converts stored records to a base. Validates them like a fixture, because the file may have been edited. */
export async function toBase(
  catalog: Catalog,
  stored: Stored,
  { file, calls }: DatabaseFile,
  now: number,
): Promise<Base> {
  const { records, order } = stored
  const fixture = checkFixture(records, { catalog, now, keepOrder: true, dangling: true, isNew: () => false })
  if (!Array.isArray(fixture)) return baseOf(catalog, fixture.rows, order)
  const document = await parseDocument(calls.read(file)!.toString('utf8'), file, 'json')
  return document.fail(fixture)
}

/** Reads the state from a file and its log. Undefined if neither exists. Writes nothing. */
export async function load(
  catalog: Catalog,
  stored: Stored | undefined,
  adapter: DatabaseFile,
  log: LogFile,
  now: number,
): Promise<Loaded | undefined> {
  const found = adapter.calls.read(log.file)
  const bytes = found ?? Buffer.alloc(0)
  if (!stored) {
    if (bytes.length > 0) throw damaged(`${adapter.file} is missing, but its log ${log.file} exists`)
    return undefined
  }
  const { changes, length, damagedLine } = readLog(bytes)
  const rest = bytes.length - length
  if (damagedLine) throw damaged(`${log.file} is damaged at line ${damagedLine} (${rest} bytes to the end)`)
  // If the process was killed between writing the file and cutting the log, both contain the same changes.
  const { seq, counters, written, seeded } = stored
  const fresh = changes.filter(change => change.seq > seq)
  const first = fresh[0]?.seq ?? seq + 1
  if (first !== seq + 1) throw damaged(`${log.file} continues at change ${first}, but the file ends at ${seq}`)
  const base = await toBase(catalog, stored, adapter, now)
  log.length = length
  const warnings = rest > 0 ? [`${log.file}: dropped ${rest} bytes of an incomplete last line.`] : []
  return {
    base,
    seq,
    counters,
    changes: fresh,
    clean: found === undefined,
    warnings,
    written,
    seeded,
  }
}
