import type { Api } from '../api.ts'
import {
  acceptsInput,
  type Collection,
  describedJson,
  type Fields,
  type Module,
  type Operation,
  type RecordKind,
} from '../language/index.ts'

/** The declarations as data, for the tables and forms of the dashboard. */
export function describeResources(api: Api) {
  const { kinds, modules, operations } = api.catalog
  return {
    kinds: kinds.map(kind => describeKind(api, kind)),
    modules: modules.map(module => describeModule(api, module)),
    operations: operations.map(operation => {
      const { id, method, path, kind, section, undocumented } = operation
      return { id, method, path, kind, section, neighbour: undocumented, query: queryOf(api, operation) }
    }),
  }
}

function describeKind({ catalog }: Api, kind: RecordKind & Partial<Collection>) {
  const { path = null, listAs = null, partOf = null, undocumented = false } = kind
  const { stored = {}, filterable = [], actions = {}, unique } = kind
  return {
    name: kind.name,
    table: kind.table,
    label: kind.label,
    family: catalog.familyOf(kind),
    prefix: kind.prefix,
    section: kind.section,
    path,
    list_as: listAs,
    /** `create`, `list`, `get`, `update`, `delete`. Empty without a path. */
    operations: catalog.operations.filter(({ resource }) => resource === kind).map(({ kind }) => kind as string),
    /** Fields for filters. */
    filterable,
    neighbour: undocumented,
    part_of: partOf,
    /** Fields with unique values. */
    distinct: unique ? [unique.field] : [],
    /** Operations below a record's path. */
    actions: Object.entries(actions).map(([name, { label, method }]) => ({
      name,
      label,
      method: method as string,
      path: `${path}/{id}/${name}`,
    })),
    fields: describeFields(kind.fields),
    /** Fields for fixtures and exports only. */
    stored: describeFields(stored),
  }
}

function describeModule({ catalog }: Api, module: Module) {
  const { name, label, section, of, fields, undocumented = false } = module
  const path = `${catalog.holderOf(module).path}/{id}/${of.key}`
  return { name, label, path, section, of, neighbour: undocumented, fields: describeFields(fields) }
}

/** The query parameters of a list. `is_item`: the value is the id of an item. */
function queryOf({ pages, listFilter }: Api, { kind, resource }: Operation) {
  if (kind !== 'list' && kind !== 'sublist') return []
  const paging = Object.entries(pages.parameters).map(([name, { isItem = false }]) => ({ name, is_item: isItem }))
  if (!listFilter || kind !== 'list' || !resource.filterable?.length) return paging
  return [...paging, { name: listFilter.parameter, is_item: false }]
}

interface FieldDescription {
  name: string
  schema: Record<string, unknown>
  create_only: boolean
  required: boolean
  default: unknown
  refers_to: string[] | null
  shown_as: string | null
  /** Whether a request can set it. */
  asked: boolean
  write_only: boolean
  /** Exactly one inner field is set. */
  one_of: boolean
  /** Inner fields. */
  fields: FieldDescription[] | null
}

const describeFields = (fields: Fields): FieldDescription[] =>
  Object.entries(fields)
    .filter(([, { derived }]) => !derived)
    .map(([name, field]) => ({
      name,
      schema: describedJson(field),
      create_only: field.createOnly === true,
      required: field.required !== undefined,
      default: field.default ?? null,
      refers_to: field.refersTo?.tables.length ? field.refersTo.tables : null,
      shown_as: field.shownAs ?? null,
      asked: acceptsInput(field),
      write_only: field.writeOnly === true,
      one_of: field.oneOf !== undefined,
      fields: field.group ? describeFields(field.group) : null,
    }))
