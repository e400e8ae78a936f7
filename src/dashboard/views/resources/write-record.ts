import { fillPath, pathTo, plural } from '../../state/kinds.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind } from '../../types.ts'
import { runBatch } from './batch.tsx'
import { type Draft, inPath, numbered } from './record-body.ts'

/** Creates a record, or updates the base of the draft. In the state, JSON replaces the whole record. */
export function writeRecord(kind: Kind, { how, base, asJson }: Draft, body: Json): Promise<Json> {
  if (how === 'state') {
    if (!base) return sandboxControl('POST', `/db/${kind.table}`, { body })
    return sandboxControl(asJson ? 'PUT' : 'PATCH', `/db/${kind.table}/${encodeURIComponent(base.id)}`, { body })
  }
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !inPath(kind, name)))
  return base ? api('PATCH', pathTo(kind, base), rest) : api('POST', fillPath(kind.path!, body), rest)
}

/** The created records, in order. */
export interface Created {
  records: Json[]
  /** No record failed. */
  complete: boolean
}

/** Creates records with 1, 2, 3 … for `{n}`. Throws if the first one fails. */
export async function createRecords(kind: Kind, draft: Draft, body: Json): Promise<Created> {
  const { count } = draft
  if (count === 1) return { records: [await writeRecord(kind, draft, body)], complete: true }
  const records: Json[] = []
  const create = async (n: number) => records.push(await writeRecord(kind, draft, numbered(body, n)))
  await create(1)
  const complete = await runBatch({
    items: Array.from({ length: count }, (_, i) => i + 1),
    each: async n => n === 1 || create(n),
    nameOf: n => `Number ${n}`,
    what: `${count} ${plural(kind)}`,
    doing: 'Creating',
    done: 'created',
  })
  return { records, complete }
}
