import { SimulatorError } from '../contract/simulator-error.ts'
import { parseDocument } from '../files/document.ts'
import { checkFixture } from '../fixtures/index.ts'
import { type Base, baseOf } from '../state/index.ts'
import type { DatabaseFile } from './database-file.ts'
import type { LogFile } from './log-file.ts'
import { readLog } from './log-line.ts'
import type { Loaded } from './store.ts'
import type { Stored } from './stored.ts'

/** The records of a file as a base, checked like a fixture: people may edit it. Errors name line and column. */
export async function toBase(stored: Stored, { file, calls }: DatabaseFile, now: number): Promise<Base> {
  const { records, order } = stored
  const fixture = checkFixture(records, { now, keepOrder: true, dangling: true })
  if (!Array.isArray(fixture)) return baseOf(fixture.rows, order)
  const document = await parseDocument(calls.read(file)!.toString('utf8'), file, 'json')
  return document.fail(fixture)
}

/** The state in a file and the log beside it, or undefined when there is neither. Does not write to them. */
export async function load(
  stored: Stored | undefined,
  adapter: DatabaseFile,
  log: LogFile,
  now: number,
): Promise<Loaded | undefined> {
  const bytes = adapter.calls.read(log.file)
  if (!stored) {
    if (bytes?.length)
      throw new SimulatorError('DATABASE_DAMAGED', `${adapter.file} is missing, but its log ${log.file} is there`)
    return undefined
  }
  const { changes, length, truncatedBytes, damage } = readLog(bytes ?? Buffer.alloc(0))
  if (damage)
    throw new SimulatorError(
      'DATABASE_DAMAGED',
      `${log.file} is damaged at line ${damage.line}, with ${damage.bytes} bytes from there on`,
    )
  // A process that was killed between writing the file and cutting the log leaves changes that are in both.
  const { seq, counters, written, seeded } = stored
  const fresh = changes.filter(change => change.seq > seq)
  const first = fresh[0]?.seq ?? seq + 1
  if (first !== seq + 1)
    throw new SimulatorError(
      'DATABASE_DAMAGED',
      `${log.file} continues at change ${first}, but the file ends at ${seq}`,
    )
  const base = await toBase(stored, adapter, now)
  log.length = length
  const warnings =
    truncatedBytes > 0 ? [`${log.file}: dropped ${truncatedBytes} bytes of a last line that was cut short`] : []
  return {
    base,
    seq,
    counters,
    changes: fresh,
    clean: bytes === undefined,
    warnings,
    written,
    seeded,
  }
}
