import type { Collection, Fields } from '../schema/index.ts'
import { familyOf, holderOf, kinds, modules, operations } from './index.ts'

/** The declarations as data. The page makes its tables and forms from it. */
export function describeResources() {
  return {
    kinds: kinds.map(kind => {
      const { path = null, listAs = null, partOf = null, neighbour = false, stored = {} } = kind as Partial<Collection>
      const { filterable = [] } = kind as Partial<Collection>
      return {
        name: kind.name,
        table: kind.table,
        label: kind.label,
        family: familyOf(kind),
        prefix: kind.prefix,
        section: kind.section,
        path,
        list_as: listAs,
        /** What the API can do with it: `create`, `list`, `get`, `update`, `delete`; none if it has no path. */
        operations: operations.filter(({ resource }) => resource === kind).map(({ kind }) => kind as string),
        /** Other calls of the API on one record; each path has its parameters in braces. */
        actions: [] as ActionDescription[],
        /** The members of its items that a filter may name. */
        filterable,
        neighbour,
        part_of: partOf,
        fields: describeFields(kind.fields),
        /** Fields that only fixtures and exports have. */
        stored: describeFields(stored),
      }
    }),
    modules: modules.map(module => {
      const { name, label, section, of, fields, neighbour = false } = module
      const path = `${holderOf(module).path}/{id}/${of.key}`
      return { name, label, path, section, of, neighbour, fields: describeFields(fields) }
    }),
    operations: operations.map(({ id, method, path, kind, section, neighbour }) => ({
      id,
      method,
      path,
      kind,
      section,
      neighbour,
    })),
  }
}

interface ActionDescription {
  name: string
  /** What its button says, such as `Stop`. */
  label: string
  method: string
  path: string
}

interface FieldDescription {
  name: string
  schema: Record<string, unknown>
  create_only: boolean
  /** Given, and in no answer afterwards. */
  write_only: boolean
  /** Whether a form offers it: a client may give it. */
  asked: boolean
  /** Of the fields inside it, exactly one is given. */
  one_of: boolean
  required: boolean
  default: unknown
  refers_to: string[] | null
  shown_as: string | null
  /** The fields inside it, or inside each of its items. */
  fields: FieldDescription[] | null
}

const describeFields = (fields: Fields): FieldDescription[] =>
  Object.entries(fields).map(([name, field]) => ({
    name,
    schema: field.shape.json,
    create_only: field.createOnly === true,
    write_only: false,
    asked: true,
    one_of: false,
    required: field.required !== undefined,
    default: field.default ?? null,
    refers_to: field.refersTo?.tables ?? null,
    shown_as: field.shownAs ?? null,
    fields: field.group ? describeFields(field.group) : null,
  }))
