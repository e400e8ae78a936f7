import type { Collection, Module } from './resource.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Common {
  /** Also the operationId of OpenAPI. */
  id: string
  method: Method
  /** With parameters in braces. */
  path: string
  section: string
  takesBody: boolean
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
  const { name, table, path, section } = resource
  const one = `${path}/{id}`
  const make = (kind: CollectionOperation['kind'], method: Method, at: string, subject = name) => ({
    id: `${kind}_${subject}`,
    kind,
    method,
    path: at,
    section,
    takesBody: kind === 'create' || kind === 'update',
    resource,
  })
  return [
    make('create', 'POST', path),
    make('list', 'GET', path, table),
    make('get', 'GET', one),
    make('update', 'PATCH', one),
    make('delete', 'DELETE', one),
  ]
}

export function moduleOperations(resource: Module): ModuleOperation[] {
  const { name, path, section } = resource
  const make = (verb: 'replace' | 'get' | 'delete', method: Method) => ({
    id: `${verb}_${name}`,
    kind: `${verb}_module` as const,
    method,
    path,
    section,
    takesBody: verb === 'replace',
    resource,
  })
  return [make('replace', 'PUT'), make('get', 'GET'), make('delete', 'DELETE')]
}
