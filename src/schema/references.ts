import { nearest, withHint } from '../basics/nearest.ts'
import type { Path } from '../basics/problem.ts'
import type { Row } from '../contract/journal-entry.ts'
import { referencesIn } from './field.ts'
import type { RecordKind } from './resource.ts'

/** The records there are, as far as references need to know. */
interface Known {
  has(table: string, id: string): boolean
  ids(table: string): Iterable<string>
  /** Under `unknown_reference=accept` a list may name what does not exist. */
  dangling: boolean
}

/** The references of a row that lead nowhere, each with what to say about it. */
export function danglingOf(kind: RecordKind, row: Row, known: Known): { path: Path; message: string }[] {
  const found: { path: Path; message: string }[] = []
  for (const { path, field, id } of referencesIn(kind.fields, row)) {
    const { tables } = field.refersTo!
    if (tables.some(table => known.has(table, id))) continue
    if (known.dangling && typeof path.at(-1) === 'number') continue
    const ids = tables.flatMap(table => [...known.ids(table)])
    found.push({ path, message: withHint(`there is no ${id} in ${tables.join(' or ')}`, nearest(id, ids)) })
  }
  return found
}
