import { acceptsInput, type Collection, type Fields } from '../schema/index.ts'
import { familyOf, holderOf, kinds, modules, operations } from './index.ts'

/** The declarations as data. The page makes its tables and forms from it. */
export function describeResources() {
  return {
    kinds: kinds.map(kind => {
      const { path = null, listAs = null, partOf = null, neighbour = false, stored = {} } = kind as Partial<Collection>
      const { filterable = [], actions = {}, unique } = kind as Partial<Collection>
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
        /** The members of its items that a filter may name. */
        filterable,
        neighbour,
        part_of: partOf,
        /** The fields whose values no other record may have. */
        distinct: [...(unique ? [unique.field] : []), ...(partOf?.distinct?.fields ?? [])],
        /** What can be done with a record by a path below its own. */
        actions: Object.entries(actions).map(([name, { label, method }]) => ({
          name,
          label,
          method: method as string,
          path: `${path}/{id}/${name}`,
        })),
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

interface FieldDescription {
  name: string
  schema: Record<string, unknown>
  create_only: boolean
  required: boolean
  default: unknown
  refers_to: string[] | null
  shown_as: string | null
  /** Whether a request can give it. */
  asked: boolean
  write_only: boolean
  /** Exactly one of the fields inside it is given. */
  one_of: boolean
  /** The fields inside it. */
  fields: FieldDescription[] | null
}

const describeFields = (fields: Fields): FieldDescription[] =>
  Object.entries(fields)
    .filter(([, { derived }]) => !derived)
    .map(([name, field]) => ({
      name,
      schema: field.shape.json,
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
