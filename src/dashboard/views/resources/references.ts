import { isObject } from '../../../basics/json.ts'
import type { FieldInfo, Json, Kind } from '../../types.ts'

/** A field that refers to other records, with the names of its parent fields. */
export interface ReferringField {
  names: string[]
  /** The field has several ids. */
  list: boolean
}

const referringFieldsIn = (fields: readonly FieldInfo[], table: string): ReferringField[] =>
  fields.flatMap(({ name, schema, refers_to, fields: inner }) => [
    ...(refers_to?.includes(table) ? [{ names: [name], list: schema.type !== 'string' }] : []),
    ...referringFieldsIn(inner ?? [], table).map(field => ({ ...field, names: [name, ...field.names] })),
  ])

/** The fields of a kind that may refer to a table, without the reference to the parent. */
export const referringFields = ({ fields, part_of }: Kind, table: string): ReferringField[] =>
  referringFieldsIn(
    fields.filter(({ name }) => !(part_of?.table === table && part_of.by === name)),
    table,
  )

export const refersTo = (row: Json, { names }: ReferringField, id: string): boolean =>
  idsIn(names.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], row)).includes(id)

/** The ids in a reference: an id, a list, or the keys of an object. */
const idsIn = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [value].flat().map(String))

/**
 * The same as a json-server query. Undefined if a query cannot express it: queries don't search lists, and a record
 * without a group matches any value in the group.
 */
export function whereRefersTo(fields: readonly ReferringField[], id: string): Json | undefined {
  if (fields.some(({ names, list }) => list || names.length > 1)) return undefined
  return { or: fields.map(({ names }) => ({ [names[0]!]: { eq: id } })) }
}
