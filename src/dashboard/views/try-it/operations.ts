import { computed } from '@preact/signals'
import { plainField } from '../../parts/form-values.ts'
import { resources } from '../../state/simulator.ts'
import type { FieldInfo, Resources } from '../../types.ts'

type OperationInfo = Resources['operations'][number]

/** An operation, and what the declarations say about it. */
export interface Operation extends OperationInfo {
  /** What it is about, such as `IP policy`. */
  label: string
  /** The fields of its body; undefined if none are declared. */
  fields: readonly FieldInfo[] | undefined
  /** Of an update: the table of the record that it changes. */
  table: string | undefined
  /** The members that the filter of a list may name. */
  filterable: readonly string[]
  /** What is searched by typing. */
  words: string
}

/** The table of the records that a path leads to. */
const kindAt = (path: string) => resources.value?.kinds.find(kind => kind.path === path)

function describe(operation: OperationInfo): Operation {
  const { id, method, path, kind: what } = operation
  const kind = kindAt(path) ?? kindAt(path.replace(/\/\{id\}.*$/, ''))
  const module = resources.value?.modules.find(each => each.path === path)
  const label = module ? `${kind?.label ?? ''} ${module.label}`.trim() : (kind?.label ?? '')
  const declared = what === 'replace_module' ? module : what === 'create' || what === 'update' ? kind : undefined
  const fields = declared?.fields.filter(({ asked, name }) => asked && !path.includes(`{${name}}`))
  return {
    ...operation,
    label,
    fields,
    table: what === 'update' ? kind?.table : undefined,
    filterable: kind?.filterable ?? [],
    words: `${id} ${method} ${path} ${label}`.toLowerCase(),
  }
}

export const operations = computed<readonly Operation[]>(() => resources.value?.operations.map(describe) ?? [])

/** Those that have all the words, in any order. */
export function findOperations(typed: string): readonly Operation[] {
  const wanted = typed.toLowerCase().split(/\s+/)
  return operations.value.filter(({ words }) => wanted.every(word => words.includes(word)))
}

/** The operation that a method and a path, with its query or not, would meet. */
export function operationAt(method: string, path: string): Operation | undefined {
  const [bare] = path.split('?')
  return operations.value.find(
    each => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare!),
  )
}

/** The parameters of the path. The part of it before one tells what records it names. */
export const pathFields = ({ path }: Operation): FieldInfo[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name, index }) => {
    const table = kindAt(path.slice(0, index - 1))?.table
    return plainField(name!, { required: true, refers_to: table ? [table] : null })
  })

/** What the query of a list may have. */
export function queryFields({ kind, path, filterable }: Operation): FieldInfo[] {
  if (!['list', 'sublist', 'list_entries'].includes(kind)) return []
  const table = kindAt(path)?.table
  const list = [plainField('limit'), plainField('before_id', { refers_to: table ? [table] : null })]
  return filterable.length > 0 ? [...list, plainField('filter')] : list
}
