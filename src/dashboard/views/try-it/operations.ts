import { plainField } from '../../parts/form-values.ts'
import type { FieldInfo, Resources } from '../../types.ts'

type OperationInfo = Resources['operations'][number]

/** An operation with its parameters and fields. */
export interface Operation extends OperationInfo {
  /** The resource, such as `IP policy`. */
  label: string
  pathFields: readonly FieldInfo[]
  /** Query parameters of a list. */
  queryFields: readonly FieldInfo[]
  /** Body fields. Undefined if none are declared. */
  fields: readonly FieldInfo[] | undefined
  /** The table of the record to update. */
  table: string | undefined
  /** Searchable text, in lower case. */
  words: string
}

const kindAt = ({ kinds }: Resources, path: string) => kinds.find(kind => kind.path === path)

export const operationsOf = (resources: Resources): readonly Operation[] =>
  resources.operations.map(operation => describe(resources, operation))

function describe(resources: Resources, operation: OperationInfo): Operation {
  const { id, method, path, kind: what } = operation
  const kind = kindAt(resources, path) ?? kindAt(resources, path.replace(/\/\{id\}.*$/, ''))
  const module = resources.modules.find(each => each.path === path)
  const label = module ? `${kind?.label ?? ''} ${module.label}`.trim() : (kind?.label ?? '')
  const declared = what === 'replace_module' ? module : what === 'create' || what === 'update' ? kind : undefined
  const fields = declared?.fields.filter(({ asked, name }) => asked && !path.includes(`{${name}}`))
  return {
    ...operation,
    label,
    pathFields: pathFields(resources, path),
    queryFields: queryFields(resources, operation, kind?.filterable ?? []),
    fields,
    table: what === 'update' ? kind?.table : undefined,
    words: `${id} ${method} ${path} ${label}`.toLowerCase(),
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

/** The operation that matches a method and a path. Ignores the query. */
export function operationAt(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const [pathname] = path.split('?')
  return operations.find(
    each => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname!),
  )
}
