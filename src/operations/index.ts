import type { Call } from '../sandbox/index.ts'
import { create, get, remove, update } from './collection.ts'
import { checkQuery, list } from './list.ts'
import { deleteModule, getModule, replaceModule } from './module.ts'
import type { Reply } from './present.ts'

export { deliveriesOf } from './events.ts'
export { filteredList, filterOf } from './list.ts'
export type { Reply } from './present.ts'

/** Carries out the call in one tick, so that nothing happens between check and commit. */
export function operate(call: Call): Reply {
  checkQuery(call)
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
    case 'replace_module':
      return replaceModule(call, operation.resource)
    case 'get_module':
      return getModule(call, operation.resource)
    case 'delete_module':
      return deleteModule(call, operation.resource)
  }
}
