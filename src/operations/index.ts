import type { Call } from '../sandbox/index.ts'
import { act, create, get, remove, update } from './collection.ts'
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from './entries.ts'
import { checkQuery, list, sublist } from './list.ts'
import { deleteModule, getModule, replaceModule } from './module.ts'
import type { Reply } from './present.ts'
import { settle } from './settle.ts'

export { deliveriesOf } from './events.ts'
export { filteredList, filterOf } from './list.ts'
export type { Reply } from './present.ts'

/** Carries out the call in one tick, so that nothing happens between check and commit. */
export function operate(call: Call): Reply {
  checkQuery(call)
  settle(call)
  const operation = call.operation!
  switch (operation.kind) {
    case 'create':
      return create(call, operation.resource)
    case 'get':
      return get(call, operation.resource)
    case 'list':
      return list(call, operation.resource)
    case 'update':
      return update(call, operation.resource)
    case 'delete':
      return remove(call, operation.resource)
    case 'action':
      return act(call, operation.resource, operation.key)
    case 'sublist':
      return sublist(call, operation.resource, operation.key)
    case 'create_entry':
      return createEntry(call, operation.resource)
    case 'list_entries':
      return listEntries(call, operation.resource)
    case 'get_entry':
      return getEntry(call, operation.resource)
    case 'update_entry':
      return updateEntry(call, operation.resource)
    case 'delete_entry':
      return deleteEntry(call, operation.resource)
    case 'replace_module':
      return replaceModule(call, operation.resource)
    case 'get_module':
      return getModule(call, operation.resource)
    case 'delete_module':
      return deleteModule(call, operation.resource)
  }
}
