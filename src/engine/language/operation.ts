import type { Collection, CollectionKind, Entries, Module } from './resource.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Common {
  /** Also its operationId in OpenAPI. */
  id: string
  method: Method
  /** With parameters in braces. */
  path: string
  section: string
  takesBody: boolean
  /** The API's document only refers to it. */
  undocumented: boolean
}

export interface CollectionOperation extends Common {
  kind: CollectionKind
  resource: Collection
}

/** An action, or a list below a record. `key` is the last part of its path. */
export interface BelowOperation extends Common {
  kind: 'action' | 'sublist'
  key: string
  resource: Collection
}

export interface ModuleOperation extends Common {
  kind: 'replace_module' | 'get_module' | 'delete_module'
  resource: Module
}

export interface EntryOperation extends Common {
  kind: 'create_entry' | 'list_entries' | 'get_entry' | 'update_entry' | 'delete_entry'
  resource: Entries
}

export type Operation = CollectionOperation | BelowOperation | ModuleOperation | EntryOperation

const make = <K, R extends Collection | Module | Entries>(
  kind: K,
  id: string,
  method: Method,
  path: string,
  resource: R,
) => ({
  id,
  kind,
  method,
  path,
  section: resource.section,
  takesBody: method !== 'GET' && method !== 'DELETE',
  undocumented: resource.undocumented ?? false,
  resource,
})

export function collectionOperations(resource: Collection): CollectionOperation[] {
  const { name, table, plural = table, path, listAs } = resource
  const all: CollectionOperation[] = [
    make('create', `create_${name}`, 'POST', path, resource),
    ...(listAs ? [make('list' as const, `list_${plural}`, 'GET', path, resource)] : []),
    make('get', `get_${name}`, 'GET', `${path}/{id}`, resource),
    make('update', `update_${name}`, 'PATCH', `${path}/{id}`, resource),
    make('delete', `delete_${name}`, 'DELETE', `${path}/{id}`, resource),
  ]
  return resource.only ? all.filter(({ kind }) => resource.only!.includes(kind)) : all
}

export function operationsBelow(resource: Collection): BelowOperation[] {
  const { path, actions = {}, lists = {} } = resource
  return [
    ...Object.entries(lists).map(([key, { id }]) => ({
      ...make('sublist' as const, id, 'GET', `${path}/{id}/${key}`, resource),
      key,
    })),
    ...Object.entries(actions).map(([key, { id, method }]) => ({
      ...make('action' as const, id, method, `${path}/{id}/${key}`, resource),
      key,
    })),
  ]
}

export function entryOperations(resource: Entries, holder: Collection): EntryOperation[] {
  const { name, by, of } = resource
  const all = `${holder.path}/{${of.parameter}}/${of.key}`
  const one = `${all}/{${by}}`
  return [
    make('create_entry', `create_${name}`, 'POST', all, resource),
    make('list_entries', `list_${name}s`, 'GET', all, resource),
    make('get_entry', `get_${name}`, 'GET', one, resource),
    make('update_entry', `update_${name}`, 'PATCH', one, resource),
    make('delete_entry', `delete_${name}`, 'DELETE', one, resource),
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
