import { parseDocument } from '../files/document.ts'
import { checkFixture } from '../fixtures/index.ts'
import { type Base, baseOf, type LoggedChange } from '../sandbox/index.ts'
import type { DatabaseFile, Stored } from './database-file.ts'
import { DamagedFile, readLog } from './log-line.ts'

/** The records of a file as a base, checked like a fixture: people may edit it. What does not fit is said with line and column. */
export async function toBase({ rows, deleted }: Stored, { file, calls }: DatabaseFile, now: number): Promise<Base> {
  const fixture = checkFixture(rows, { now, keepOrder: true, dangling: true })
  if (!Array.isArray(fixture)) return baseOf(fixture.rows, deleted)
  const document = await parseDocument(calls.read(file)!.toString('utf8'), file, 'json')
  return document.refuse(fixture)
}

export interface LoadedLog {
  /** Those that are not in the file yet. */
  changes: LoggedChange[]
  /** Bytes of the log that are whole lines. */
  length: number
  warnings: string[]
}

/** The changes that a log adds to a file, or a refusal. */
export function changesSince(seq: number, bytes: Buffer, log: string): LoadedLog {
  const { changes, length, torn, damage } = readLog(bytes)
  if (damage)
    throw new DamagedFile(`${log} is damaged at line ${damage.line}, with ${damage.bytes} bytes from there on`)
  // A process that was killed between writing the file and cutting the log leaves lines that are in both.
  const fresh = changes.filter(change => change.seq > seq)
  const first = fresh[0]?.seq ?? seq + 1
  if (first !== seq + 1) throw new DamagedFile(`${log} continues at change ${first}, but the file ends at ${seq}`)
  const warnings = torn > 0 ? [`${log}: dropped ${torn} bytes of a last line that was cut short`] : []
  return { changes: fresh, length, warnings }
}
