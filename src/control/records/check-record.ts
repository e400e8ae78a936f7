import { describeProblem, formatPath, listed, MAX_PROBLEMS } from '../../basics/problem.ts'
import { ApiError } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import { firstOwner, missingIn, noOwner, recordShapeOf, toRow, unnest } from '../../engine/fixtures/index.ts'
import { danglingOf, isPart, type RecordKind, type Row } from '../../engine/language/index.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { findRepeated, type Tables, takenValue } from '../../engine/state/index.ts'

/** A record as a row, and its parts as rows by table. Checked like a fixture. */
export function checkRecord(sandbox: Sandbox, kind: RecordKind, value: unknown) {
  const { tables } = sandbox
  const { catalog } = tables
  const malformed = recordShapeOf(catalog, kind.table).find(value)
  if (malformed) {
    const [first] = malformed
    const messages = malformed.map(problem => describeProblem(problem, 'the record'))
    rejectRecord(messages, first && first.path.length > 0 ? formatPath(first.path) : undefined)
  }
  const { lists } = unnest(catalog, { [kind.table]: [value as Record<string, unknown>] })
  const owner = firstOwner((catalog.keys?.owners ?? []).flatMap(table => [...tables.all(table)]))
  const rowOf = (of: RecordKind, record: Record<string, unknown>) =>
    toRow(of, record, {
      now: sandbox.clock.timestamp(),
      by: owner?.id,
      vendor: sandbox.origin.vendor,
      isTaken: (field, taken) => tables.where(of.table, field, taken).length > 0,
      get: (table, id) => tables.get(table, id),
    })
  const rowsOf = (of: RecordKind) => lists[of.table]!.map(record => rowOf(of, record))
  const own = isPart(kind) ? rowOf(kind, value as Record<string, unknown>) : rowsOf(kind)[0]!
  const row = withOwner(own, kind, owner)
  if (!row) rejectRecord([noOwner(catalog)])
  const parts = catalog.partsOf(kind.table).map(part => ({ table: part.table, rows: rowsOf(part) }))
  const { missing } = missingIn(catalog, table => tables.all(table))
  const danglingIn: DanglingIn = (of, each, at) => {
    const known = {
      has: (table: string, id: string) => tables.get(table, id) !== undefined || missing?.includes(id) === true,
      ids: (table: string) => Array.from(tables.all(table), other => other.id),
      dangling: mayDangle(sandbox),
    }
    return danglingOf(of, each, known).map(({ path, message }) => `${formatPath([...at, ...path])}: ${message}`)
  }
  const problems = [
    ...danglingIn(kind, row, []),
    ...parts.flatMap(({ table, rows }) => problemsOfParts(table, rows, row, tables, danglingIn)),
  ]
  const taken = takenValue(kind, row, tables.get(kind.table, row.id), tables)
  if (taken) problems.push(`${taken.field}: ${taken.existing} already has ${JSON.stringify(taken.value)}`)
  if (row.token_sha256 !== undefined) {
    const holders = catalog.owned.flatMap(table => tables.where(table, 'token_sha256', row.token_sha256))
    const other = holders.find(found => found.id !== row.id)
    if (other) problems.push(`token: ${other.id} already has that token`)
  }
  if (problems.length > 0) rejectRecord(problems)
  return { row, parts }
}

/** Whether records can refer to missing policies. */
export const mayDangle = (sandbox: Sandbox) => sandbox.assumed.unknown_reference === 'accept'

/** `field` is the place of the first problem, if it has one. */
function rejectRecord(problems: string[], field?: string): never {
  const why = `The record is invalid, and nothing was changed: ${listed(problems, each => each)}`
  throw ApiError.of(errors.bad_request, { why, field })
}

type DanglingIn = (kind: RecordKind, row: Row, at: (string | number)[]) => string[]

/** As in a fixture, a key without an owner belongs to the first admin. Undefined without users and bots. */
function withOwner(row: Row, kind: RecordKind, owner: Row | undefined): Row | undefined {
  if (!('ownedBy' in kind) || row.owner_id !== undefined) return row
  return owner && { ...row, owner_id: owner.id }
}

/** Finds parts with a repeated id, the id of another record's part, or missing references. */
function problemsOfParts(table: string, rows: Row[], record: Row, tables: Tables, danglingIn: DanglingIn): string[] {
  const kind = tables.catalog.kindOf(table)
  if (!isPart(kind)) return []
  const { by, list } = kind.partOf
  const problems: string[] = []
  const ids = new Set<string>()
  for (const [i, part] of rows.entries()) {
    if (ids.has(part.id)) problems.push(`${list}: duplicate id ${part.id}`)
    ids.add(part.id)
    const other = tables.get(table, part.id)
    if (other && other[by] !== record.id) problems.push(`${list}: ${part.id} already belongs to ${other[by]}`)
    const { [by]: _record, ...rest } = part
    problems.push(...danglingIn(kind, rest as Row, [list, i]))
    if (problems.length >= MAX_PROBLEMS) return problems
  }
  for (const { place, first, field, value } of findRepeated(tables.catalog, { [table]: rows }).slice(0, MAX_PROBLEMS)) {
    const isOld = (part: Row) => tables.get(table, part.id)?.[field] === value
    if (isOld(rows[place]!) && isOld(rows[first[1]]!)) continue
    problems.push(`${list}[${place}].${field}: duplicate ${JSON.stringify(value)}, first used in ${list}[${first[1]}]`)
  }
  return problems
}
