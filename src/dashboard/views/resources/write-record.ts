import { fillPath, pathTo, plural } from '../../state/kinds.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { runBatch } from './batch.tsx'
import { inPath, numbered, type WriteMode } from './record-body.ts'

interface Write {
  kind: Kind
  how: WriteMode
  body: Json
  /** The record to update. Without it, a record is created. */
  row?: Row
  /** The body is the complete record. */
  replace?: boolean
}

export function writeRecord({ kind, how, body, row, replace }: Write): Promise<Json> {
  if (how === 'state') {
    if (!row) return sandboxControl('POST', `/db/${kind.table}`, { body })
    return sandboxControl(replace ? 'PUT' : 'PATCH', `/db/${kind.table}/${encodeURIComponent(row.id)}`, { body })
  }
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !inPath(kind, name)))
  return row ? api('PATCH', pathTo(kind, row), rest) : api('POST', fillPath(kind.path!, body), rest)
}

/** The created records, in order. */
export interface Created {
  records: Json[]
  /** No record failed. */
  complete: boolean
}

/** Creates records with 1, 2, 3 … for `{n}`. Throws if the first one fails. */
export async function createRecords(write: Write, count: number): Promise<Created> {
  if (count === 1) return { records: [await writeRecord(write)], complete: true }
  const records: Json[] = []
  const create = async (n: number) => records.push(await writeRecord({ ...write, body: numbered(write.body, n) }))
  await create(1)
  const complete = await runBatch({
    items: Array.from({ length: count }, (_, i) => i + 1),
    each: async n => n === 1 || create(n),
    nameOf: n => `Number ${n}`,
    what: `${count} ${plural(write.kind)}`,
    doing: 'Creating',
    done: 'created',
  })
  return { records, complete }
}
