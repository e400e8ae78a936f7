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

export function collectionOperations(resource: Collection): CollectionOperation[] {
  const { name, table, plural = table, path, section, listAs, neighbour = false } = resource
  const one = `${path}/{id}`
  const make = (kind: CollectionOperation['kind'], method: Method, at: string, subject = name) => ({
    id: `${kind}_${subject}`,
    kind,
    method,
    path: at,
    section,
    takesBody: kind === 'create' || kind === 'update',
    neighbour,
    resource,
  })
  return [
    make('create', 'POST', path),
    ...(listAs ? [make('list', 'GET', path, plural)] : []),
    make('get', 'GET', one),
    make('update', 'PATCH', one),
    make('delete', 'DELETE', one),
  ]
}

export function moduleOperations(resource: Module, holder: Collection): ModuleOperation[] {
  const { name, section, neighbour = false } = resource
  const make = (verb: 'replace' | 'get' | 'delete', method: Method) => ({
    id: `${verb}_${name}`,
    kind: `${verb}_module` as const,
    method,
    path: `${holder.path}/{id}/${resource.of.key}`,
    section,
    takesBody: verb === 'replace',
    neighbour,
    resource,
  })
  return [make('replace', 'PUT'), make('get', 'GET'), make('delete', 'DELETE')]
}
