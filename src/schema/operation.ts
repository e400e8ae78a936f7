import type { Collection, Module } from './resource.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Common {
  /** Also its operationId in OpenAPI. */
  id: string
  method: Method
  /** With parameters in braces. */
  path: string
  section: string
  takesBody: boolean
  /** Not described in the API's document. */
  neighbour: boolean
}

export interface CollectionOperation extends Common {
  kind: 'create' | 'get' | 'list' | 'update' | 'delete'
  resource: Collection
}

export interface ModuleOperation extends Common {
  kind: 'replace_module' | 'get_module' | 'delete_module'
  resource: Module
}

export type Operation = CollectionOperation | ModuleOperation

const make = <K, R extends Collection | Module>(kind: K, id: string, method: Method, path: string, resource: R) => ({
  id,
  kind,
  method,
  path,
  section: resource.section,
  takesBody: method !== 'GET' && method !== 'DELETE',
  neighbour: resource.neighbour ?? false,
  resource,
})

export function collectionOperations(resource: Collection): CollectionOperation[] {
  const { name, table, plural = table, path, listAs } = resource
  return [
    make('create', `create_${name}`, 'POST', path, resource),
    ...(listAs ? [make('list' as const, `list_${plural}`, 'GET', path, resource)] : []),
    make('get', `get_${name}`, 'GET', `${path}/{id}`, resource),
    make('update', `update_${name}`, 'PATCH', `${path}/{id}`, resource),
    make('delete', `delete_${name}`, 'DELETE', `${path}/{id}`, resource),
  ]
}

export function moduleOperations(resource: Module, holder: Collection): ModuleOperation[] {
  const { name, of } = resource
  const path = `${holder.path}/{id}/${of.key}`
  return [
    make('replace_module', `replace_${name}`, 'PUT', path, resource),
    make('get_module', `get_${name}`, 'GET', path, resource),
    make('delete_module', `delete_${name}`, 'DELETE', path, resource),
  ]
}
