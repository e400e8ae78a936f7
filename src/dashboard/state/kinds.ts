import { isObject } from '../../basics/json.ts'
import { capital, counted, pluralOf } from '../../basics/text.ts'
import type { Json, Kind, ModuleInfo, Row } from '../types.ts'
import { hrefTo, place } from './place.ts'
import { resources } from './simulator.ts'

/** The kind of an id, by its prefix. */
export function kindOfId(id: string): Kind | undefined {
  const [, prefix] = /^([a-z0-9]+)_\w+$/.exec(id) ?? []
  return prefix === undefined ? undefined : resources.value?.kinds.find(kind => kind.prefix === prefix)
}

/** Where a string from a request or response leads: an id, a `uri` or an operation. */
export function hrefOf(text: string, query: { sandbox?: string } = {}): string | undefined {
  if (/^op_\w+$/.test(text)) return hrefTo(['requests', text], query)
  const kind = kindOfId(text)
  if (kind) return hrefTo(['resources', kind.table, text], query)
  if (resources.value?.operations.some(({ id }) => id === text))
    return hrefTo(['console'], { ...query, operation: text })
  const [, path] = /^(?:https?:\/\/[^/]+)?((?:\/[\w-]+)+)(?:\?|$)/.exec(text) ?? []
  const last = path?.slice(path.lastIndexOf('/') + 1)
  if (last && kindOfId(last)) return hrefOf(last, query)
  const listed = resources.value?.kinds.find(each => each.path && path?.endsWith(each.path))
  return listed && hrefTo(['resources', listed.table], query)
}

/** A kind with a parent, such as the rules of a policy. */
export type PartKind = Kind & { part_of: NonNullable<Kind['part_of']> }

export const partsOf = (table: string): PartKind[] =>
  resources.value?.kinds.filter((kind): kind is PartKind => kind.part_of?.table === table) ?? []

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

export const plural = ({ label }: Pick<Kind, 'label'>) => capital(pluralOf(label))

/** A value on one line of a table. */
export function brief(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (Array.isArray(value))
    return value.every(item => typeof item === 'string') ? value.join(', ') : counted(value.length, 'item')
  return isObject(value) ? briefGroup(value) : String(value)
}

/** Fields, or the names in a module: `team: web`, `ipp_office`, `– off, ipp_office`, `✓ on`. */
function briefGroup(group: Json): string {
  const { enabled, ...rest } = group
  if (typeof enabled !== 'boolean')
    return Object.entries(group)
      .map(([name, value]) => `${name}: ${brief(value)}`)
      .join(', ')
  const named = Object.values(rest).filter(value => typeof value === 'string' || Array.isArray(value))
  const names = named.map(brief).filter(Boolean).join(', ')
  if (!names) return enabled ? '✓ on' : '– off'
  return enabled ? names : `– off, ${names}`
}

/** The required fields, which distinguish records of a kind, without the parent. */
export const summaryOf = ({ fields, part_of }: Kind, row: Json): string =>
  fields
    .filter(({ name, required }) => required && name !== part_of?.by)
    .map(({ name }) => brief(row[name]))
    .join(' ')
