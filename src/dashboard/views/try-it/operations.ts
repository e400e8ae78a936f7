import { plainField } from '../../parts/form-values.ts'
import type { FieldInfo, Resources } from '../../types.ts'

type OperationInfo = Resources['operations'][number]

const kindAt = ({ kinds }: Resources, path: string) => kinds.find(kind => kind.path === path)

export const operationsOf = (resources: Resources) =>
  resources.operations.map(operation => describe(resources, operation))

/** An operation with its parameters and fields. */
export type Operation = ReturnType<typeof describe>

function describe(resources: Resources, operation: OperationInfo) {
  const { id, method, path, kind: what } = operation
  const kind = kindAt(resources, path) ?? kindAt(resources, path.replace(/\/\{id\}.*$/, ''))
  const module = resources.modules.find(each => each.path === path)
  const label = module ? `${kind?.label ?? ''} ${module.label}`.trim() : (kind?.label ?? '')
  const declared = what === 'replace_module' ? module : what === 'create' || what === 'update' ? kind : undefined
  return {
    ...operation,
    pathFields: pathFields(resources, path),
    /** Query parameters of a list. */
    queryFields: queryFields(resources, operation, kind?.filterable ?? []),
    /** Body fields. Undefined if none are declared. */
    fields: declared?.fields.filter(({ asked, name }) => asked && !path.includes(`{${name}}`)),
    /** The table of the record to update. */
    table: what === 'update' ? kind?.table : undefined,
    /** Searchable text, with the resource, such as `IP policy`. */
    words: `${id} ${method} ${path} ${label}`,
  }
}

/** The path before a parameter identifies the table that the parameter references. */
const pathFields = (resources: Resources, path: string): FieldInfo[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name, index }) => {
    const table = kindAt(resources, path.slice(0, index - 1))?.table
    return plainField(name!, { required: true, refers_to: table ? [table] : null })
  })

function queryFields(resources: Resources, { kind, path }: OperationInfo, filterable: readonly string[]): FieldInfo[] {
  if (!['list', 'sublist', 'list_entries'].includes(kind)) return []
  const table = kindAt(resources, path)?.table
  const list = [plainField('limit'), plainField('before_id', { refers_to: table ? [table] : null })]
  return filterable.length > 0 ? [...list, plainField('filter')] : list
}
