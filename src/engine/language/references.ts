import { isObject } from '../../basics/json.ts'
import { nearest, withHint } from '../../basics/nearest.ts'
import { MAX_PROBLEMS, type Path } from '../../basics/problem.ts'
import { listOf, textShape } from '../../basics/shape.ts'
import { anyOf } from '../../basics/text.ts'
import type { Row } from '../../contract/journal-entry.ts'
import type { Field, Fields, RefersTo } from './field.ts'
import type { RecordKind } from './resource.ts'

/** The id of a record in one of these tables. */
export function reference(
  tables: string[],
  options: Omit<RefersTo, 'tables'> &
    Pick<Field, 'createOnly' | 'required' | 'unlessGiven' | 'shownAs' | 'unset' | 'describe'>,
): Field<string> {
  const { missing, malformed, whenDeleted, ...rest } = options
  const refersTo = { tables, missing, malformed, whenDeleted }
  return { shape: textShape({ 'x-refers-to': tables }), refersTo, ...rest }
}

/** Ids of records in these tables. A repeated id is stored once. */
export function references(
  tables: string[],
  options: Omit<RefersTo, 'tables'> & Pick<Field, 'notEmpty' | 'shownAs' | 'describe'>,
): Field<string[]> {
  const { shownAs, notEmpty, describe, ...rest } = options
  return {
    shape: listOf(textShape({ 'x-refers-to': tables })),
    default: [],
    refersTo: { tables, ...rest },
    notEmpty,
    shownAs,
    describe,
  }
}

/** An id in a value, with its path. */
export interface Reference {
  path: Path
  field: Field
  id: string
}

/** All references in the values, including groups. */
export function referencesIn(fields: Fields, values: Record<string, unknown>, at: Path = []): Reference[] {
  const found: Reference[] = []
  for (const name in fields) {
    const value = values[name]
    if (value === undefined || value === null) continue
    const field = fields[name]!
    if (field.group) {
      if (!Array.isArray(value))
        found.push(...referencesIn(field.group, value as Record<string, unknown>, [...at, name]))
      else for (const [i, each] of value.entries()) found.push(...referencesIn(field.group, each, [...at, name, i]))
    }
    if (!field.refersTo || field.refersTo.unchecked) continue
    if (Array.isArray(value)) for (const [i, id] of value.entries()) found.push({ path: [...at, name, i], field, id })
    else if (isObject(value)) for (const id of Object.keys(value)) found.push({ path: [...at, name, id], field, id })
    else found.push({ path: [...at, name], field, id: String(value) })
  }
  return found
}

/** Whether one of these fields can name a record in that table. */
export const canReferTo = (table: string, fields: Fields): boolean =>
  Object.values(fields).some(
    ({ refersTo, group }) =>
      (refersTo && !refersTo.unchecked && refersTo.tables.includes(table)) || (group && canReferTo(table, group)),
  )

/** Removes the references to that record. */
export function withoutReference(
  fields: Fields,
  values: Record<string, unknown>,
  table: string,
  id: string,
): Record<string, unknown> {
  const left = { ...values }
  for (const name in fields) {
    const { group, refersTo } = fields[name]!
    const value = values[name]
    if (value === undefined) continue
    if (group) {
      const without = (each: Record<string, unknown>) => withoutReference(group, each, table, id)
      left[name] = Array.isArray(value) ? value.map(without) : without(value as Record<string, unknown>)
    }
    if (!refersTo?.tables.includes(table)) continue
    if (Array.isArray(value)) left[name] = value.filter(each => each !== id)
    else if (isObject(value)) left[name] = Object.fromEntries(Object.entries(value).filter(([each]) => each !== id))
    else if (value === id) delete left[name]
  }
  return left
}

/** The records that a reference can name. */
interface Targets {
  has(table: string, id: string): boolean
  ids(table: string): Iterable<string>
  /** Under `unknown_reference=accept` a list may name records that do not exist. */
  dangling: boolean
}

/** The references in a row to unknown records, each with a message. */
export function danglingOf(kind: RecordKind, row: Row, targets: Targets): { path: Path; message: string }[] {
  const found: { path: Path; message: string }[] = []
  for (const { path, field, id } of referencesIn(kind.fields, row)) {
    const { tables } = field.refersTo!
    if (tables.some(table => targets.has(table, id))) continue
    if (targets.dangling && typeof path.at(-1) === 'number') continue
    const ids = tables.flatMap(table => [...targets.ids(table)])
    found.push({ path, message: withHint(`${id} not found in ${anyOf(tables)}`, nearest(id, ids)) })
    if (found.length === MAX_PROBLEMS) break
  }
  return found
}
