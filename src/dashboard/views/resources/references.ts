import type { FieldInfo, Json, Kind } from '../../types.ts'

/** From a record to others: the names of fields, one inside the other. */
export interface Way {
  names: string[]
  list: boolean
}

const waysIn = (fields: readonly FieldInfo[], table: string): Way[] =>
  fields.flatMap(({ name, schema, refers_to, fields: inner }) => [
    ...(refers_to?.includes(table) ? [{ names: [name], list: schema.type === 'array' }] : []),
    ...waysIn(inner ?? [], table).map(way => ({ ...way, names: [name, ...way.names] })),
  ])

/** How records of a kind may refer to those of a table. That a part belongs to its record is another matter. */
export const waysTo = ({ fields, part_of }: Kind, table: string): Way[] =>
  waysIn(
    fields.filter(({ name }) => !(part_of?.table === table && part_of.by === name)),
    table,
  )

export const leadsTo = (row: Json, { names }: Way, id: string): boolean =>
  [names.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], row)].flat().includes(id)

/**
 * The same as a question in json-server's query language. It cannot look into lists, and takes a record without a group
 * for one that has the value in it.
 */
export function whereLeadsTo(ways: readonly Way[], id: string): Json | undefined {
  if (ways.some(({ names, list }) => list || names.length > 1)) return undefined
  return { or: ways.map(({ names }) => ({ [names[0]!]: { eq: id } })) }
}
