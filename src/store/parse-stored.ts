import * as z from 'zod'
import { tableNames } from '../resources/index.ts'
import type { Row } from '../schema/index.ts'
import { DamagedFile } from './log-line.ts'
import { FORMAT } from './serialise.ts'
import type { Stored } from './stored.ts'

const count = z.int().nonnegative()

/** The key `_edgesim` of the file: what is to be remembered beside the records. */
const metaSchema = z.object({
  format: count,
  seq: count,
  counters: z.record(z.string(), count),
  /**
   * By table and id: how many rows stand before where the deleted one stood, so that a page can still continue there.
   */
  deleted: z.record(z.string(), z.record(z.string(), count)),
})

/** Anything but a whole JSON object is damage: to start over from it would erase what can still be saved. */
export function parseStored(bytes: Buffer, file: string): Stored {
  const { _edgesim, ...rows } = parseObject(bytes, file)
  if (_edgesim === undefined) return { rows, deleted: {}, seq: 0, counters: {} }
  const { format } = _edgesim as { format?: unknown }
  if (typeof format === 'number' && format !== FORMAT)
    throw new DamagedFile(`${file} has format ${format}; this version of edgesim reads ${FORMAT}`)
  const meta = metaSchema.safeParse(_edgesim)
  if (!meta.success) throw new DamagedFile(`the key _edgesim of ${file} is not as edgesim wrote it`)
  const { seq, counters, deleted } = meta.data
  const lists = Object.entries(deleted).map(([table, places]) => [table, Object.entries(places)] as const)
  return { rows, deleted: Object.fromEntries(lists), seq, counters }
}

/** The first bytes of every file that we wrote. */
const HEAD = Buffer.from(`{\n  ${JSON.stringify(tableNames[0])}: [`)

/** Whether a file is one of ours, whole or damaged. Nothing else may be overwritten. */
export function isOurs(bytes: Buffer): boolean {
  // What a power failure can leave.
  if (bytes.every(byte => byte === 0)) return true
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, '_edgesim')
  } catch {
    return bytes.subarray(0, HEAD.length).equals(HEAD)
  }
}

function parseObject(bytes: Buffer, file: string): Record<string, Row[]> & { _edgesim?: unknown } {
  if (bytes.length === 0) throw new DamagedFile(`${file} is empty`)
  if (bytes.every(byte => byte === 0)) throw new DamagedFile(`${file} holds nothing but NUL bytes`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new DamagedFile(`${file} is not whole JSON: ${(error as Error).message.slice(0, 160)}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, Row[]>
  throw new DamagedFile(`${file} holds ${value === null ? 'null' : 'no object'}`)
}
