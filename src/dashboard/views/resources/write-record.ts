import { notify } from '../../state/actions.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { runBatch, tell } from './batch.tsx'
import type { How } from './drafts.ts'
import { fillPath, pathTo } from './kinds.ts'
import { plural } from './labels.ts'
import { inPath, numbered } from './record-body.ts'

interface Write {
  kind: Kind
  how: How
  body: Json
  /** The record to change; without it one is created. */
  row?: Row
  /** The body is all of the record, not only what changes. */
  whole?: boolean
}

export function writeRecord({ kind, how, body, row, whole }: Write): Promise<Json> {
  if (how === 'state') {
    if (!row) return sandboxControl('POST', `/db/${kind.table}`, { body })
    return sandboxControl(whole ? 'PUT' : 'PATCH', `/db/${kind.table}/${encodeURIComponent(row.id)}`, { body })
  }
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !inPath(kind, name)))
  return row ? api('PATCH', pathTo(kind, row), rest) : api('POST', fillPath(kind.path!, body), rest)
}

/** What came of making records. */
export interface Made {
  records: Json[]
  /** All of them were made. */
  whole: boolean
}

/** Makes so many records, with 1, 2, 3 … for `{n}`. If the first is refused, it fails, and nothing else is tried. */
export async function makeRecords(write: Write, count: number): Promise<Made> {
  if (count === 1) return { records: [await writeRecord(write)], whole: true }
  const responses: Json[] = []
  const make = async (n: number) => {
    responses.push(await writeRecord({ ...write, body: numbered(write.body, n) }))
  }
  const kinds = plural(write.kind)
  await make(1)
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const { refused, left } = await runBatch(`Making ${count} ${kinds}`, numbers, async n => n === 1 || make(n))
  const whole = refused.length + left.length === 0
  if (whole) notify('done', `${count} ${kinds} were made.`)
  else
    tell(
      `${responses.length} of ${count} ${kinds} were made`,
      [
        ...(refused.length > 0 ? [`Refused: ${refused.length}.`] : []),
        ...(left.length > 0 ? [`Not begun, because it was stopped: ${left.length}.`] : []),
      ],
      refused.map(({ item, error }) => ({ what: `Number ${item}`, error })),
    )
  return { records: responses, whole }
}
