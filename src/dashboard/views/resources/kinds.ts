import { place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import type { Json, Kind, ModuleInfo, Row } from '../../types.ts'

/** The table of an id, by its prefix, among `tables`. */
export function tableOf(id: string, tables: string[]): string | undefined {
  const prefix = id.slice(0, id.indexOf('_'))
  return resources.value?.kinds.find(kind => kind.prefix === prefix && tables.includes(kind.table))?.table
}

/** A kind with a parent, such as the rules of a policy. */
export type PartKind = Kind & { part_of: NonNullable<Kind['part_of']> }

const isPart = (kind: Kind): kind is PartKind => kind.part_of !== null

export const partsOf = (table: string): PartKind[] =>
  resources.value?.kinds.filter(isPart).filter(({ part_of }) => part_of.table === table) ?? []

export const modulesOf = (table: string): ModuleInfo[] =>
  resources.value?.modules.filter(({ of }) => of.table === table) ?? []

/** Edges are the kinds with modules, directly or in their parts. */
export const isEdge = ({ table, part_of }: Kind) =>
  part_of === null && [table, ...partsOf(table).map(part => part.table)].some(each => modulesOf(each).length > 0)

/** The location in the Edges view of an edge, or of the parent edge of a record. */
export function edgeViewOf({ table, part_of }: Kind, row: Row): string[] | undefined {
  const of = part_of ? { table: part_of.table, id: String(row[part_of.by]) } : { table, id: row.id }
  const edge = resources.value?.kinds.find(each => each.table === of.table)
  return edge && isEdge(edge) ? ['edges', of.table, of.id] : undefined
}

/** Fills path parameters from the record's fields. Parameters without a value remain. */
export const fillPath = (path: string, record: Json) =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => (record[name] ? encodeURIComponent(String(record[name])) : whole))

/** The record's path in the API. */
export const pathTo = ({ path }: Kind, row: Row) => fillPath(`${path}/{id}`, row)

export const can = ({ operations }: Kind, operation: 'create' | 'get' | 'update' | 'delete') =>
  operations.includes(operation)

export function noteOf({ path, neighbour, section }: Kind): string | undefined {
  if (!path) return 'State only: the API has no operations for this type'
  return neighbour ? `Not in the API reference. See docs/api.md ${section}` : undefined
}

/** The query of the table, without the parameter of a duplicate. */
export const listQuery = () => ({ ...place.value.query, like: undefined })
