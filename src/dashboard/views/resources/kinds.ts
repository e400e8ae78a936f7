import { place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import type { Json, Kind, ModuleInfo, Row } from '../../types.ts'

/** The table an id belongs to, by its prefix; only among those given. */
export function tableOf(id: string, tables: string[]): string | undefined {
  const prefix = id.slice(0, id.indexOf('_'))
  return resources.value?.kinds.find(kind => kind.prefix === prefix && tables.includes(kind.table))?.table
}

/** A kind whose records belong to a record of another. */
export type PartKind = Kind & { part_of: NonNullable<Kind['part_of']> }

const isPart = (kind: Kind): kind is PartKind => kind.part_of !== null

export const partsOf = (table: string): PartKind[] =>
  resources.value?.kinds.filter(isPart).filter(({ part_of }) => part_of.table === table) ?? []

export const modulesOf = (table: string): ModuleInfo[] =>
  resources.value?.modules.filter(({ of }) => of.table === table) ?? []

/** Edges are the kinds that carry modules, themselves or in their parts. */
export const isEdge = ({ table, part_of }: Kind) =>
  part_of === null && [table, ...partsOf(table).map(part => part.table)].some(each => modulesOf(each).length > 0)

/** Where the page shows the edge that this record is, or is a part of. */
export function pictureOf({ table, part_of }: Kind, row: Row): string[] | undefined {
  const of = part_of ? { table: part_of.table, id: String(row[part_of.by]) } : { table, id: row.id }
  const edge = resources.value?.kinds.find(each => each.table === of.table)
  return edge && isEdge(edge) ? ['edges', of.table, of.id] : undefined
}

/** Fills the parameters of a path from the record's fields; a parameter that has no value yet stays. */
export const fillPath = (path: string, record: Json) =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => (record[name] ? encodeURIComponent(String(record[name])) : whole))

/** The record's path in the API. */
export const pathTo = ({ path }: Kind, row: Row) => fillPath(`${path}/{id}`, row)

export const can = ({ operations }: Kind, operation: 'create' | 'get' | 'update' | 'delete') =>
  operations.includes(operation)

/** What is special about a kind. */
export function noteOf({ path, neighbour, section }: Kind): string | undefined {
  if (!path) return 'Only in the state: the API has no routes for it'
  return neighbour ? `Not in the API's document: docs/api.md ${section}` : undefined
}

/** The query of the table: without what only the place of a new record has. */
export const listQuery = () => ({ ...place.value.query, like: undefined })
