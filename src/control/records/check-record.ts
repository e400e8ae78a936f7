import { describeProblem, formatPath } from '../../basics/problem.ts'
import { firstOwner, NO_OWNER, recordShapes, toRow, unnest } from '../../fixtures/index.ts'
import { isPart, kindOf, partsOf } from '../../resources/index.ts'
import { danglingOf, type RecordKind, type Row } from '../../schema/index.ts'
import { duplicateOf, findDuplicates, type RecordView } from '../../state/index.ts'

interface Options {
  now: number
  /** Policies that do not exist may be named, under `unknown_reference=accept`. */
  dangling: boolean
}

export interface CheckedRecord {
  row: Row
  /** By table; a table without parts is included. */
  parts: { table: string; rows: Row[] }[]
}

/** Returns a record and its parts as rows, or what is wrong with it by the rules of a fixture. */
export function checkRecord(
  kind: RecordKind,
  value: unknown,
  view: RecordView,
  options: Options,
): CheckedRecord | string[] {
  const malformed = recordShapes.get(kind.table)!.find(value)
  if (malformed) return malformed.map(problem => describeProblem(problem, 'the record'))
  const { lists } = unnest({ [kind.table]: [value as Record<string, unknown>] })
  const rowsOf = (of: RecordKind) => lists[of.table]!.map(record => toRow(of, record, options.now))
  const own = isPart(kind) ? toRow(kind, value as Record<string, unknown>, options.now) : rowsOf(kind)[0]!
  const row = withOwner(own, kind, view)
  if (!row) return [NO_OWNER]
  const parts = partsOf(kind.table).map(part => ({ table: part.table, rows: rowsOf(part) }))
  const problems = [
    ...danglingIn(kind, row, [], view, options),
    ...parts.flatMap(({ table, rows }) => problemsOfParts(table, rows, row, view, options)),
  ]
  const duplicate = duplicateOf(kind, row, view)
  if (duplicate) problems.push(duplicate.describe(duplicate.id))
  if (row.token_sha256 !== undefined) {
    const other = view.where(kind.table, 'token_sha256', row.token_sha256).find(found => found.id !== row.id)
    if (other) problems.push(`token: ${other.id} has that token already`)
  }
  return problems.length > 0 ? problems : { row, parts }
}

function danglingIn(kind: RecordKind, row: Row, at: (string | number)[], view: RecordView, { dangling }: Options) {
  const known = {
    has: (table: string, id: string) => view.get(table, id) !== undefined,
    ids: (table: string) => Array.from(view.all(table), other => other.id),
    dangling,
  }
  return danglingOf(kind, row, known).map(({ path, message }) => `${formatPath([...at, ...path])}: ${message}`)
}

/** As in a fixture, a key without an owner belongs to the first admin; undefined if there is no user or bot. */
function withOwner(row: Row, kind: RecordKind, view: RecordView): Row | undefined {
  if (kind.table !== 'api_keys' || row.owner_id !== undefined) return row
  const owner = firstOwner([...view.all('users'), ...view.all('bots')])
  return owner && { ...row, owner_id: owner.id }
}

/** Finds parts with a repeated id, with the id of another record's part, or with references to nothing. */
function problemsOfParts(table: string, rows: Row[], record: Row, view: RecordView, options: Options): string[] {
  const kind = kindOf(table)
  if (!isPart(kind)) return []
  const { by, list } = kind.partOf
  const problems: string[] = []
  const ids = new Set<string>()
  for (const [i, part] of rows.entries()) {
    if (ids.has(part.id)) problems.push(`${list}: ${part.id} is there twice`)
    ids.add(part.id)
    const other = view.get(table, part.id)
    if (other && other[by] !== record.id) problems.push(`${list}: ${part.id} is in ${other[by]} already`)
    const { [by]: _record, ...rest } = part
    problems.push(...danglingIn(kind, rest as Row, [list, i], view, options))
  }
  for (const { place, first, describe } of findDuplicates(kind, rows))
    problems.push(`${list}[${place}]: ${describe(`${list}[${first}]`)}`)
  return problems
}
