import type { Reply } from '../api.ts'
import type { Operation } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'
import { act, create, get, remove, update } from './collection.ts'
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from './entries.ts'
import { checkQuery, list, sublist } from './list.ts'
import { deleteModule, getModule, replaceModule } from './module.ts'

export { checkDocuments } from './documents.ts'
export { applyDue } from './due.ts'
export { eventsOf } from './present.ts'

/** `key` is the last path segment of an action, or of a list below a record. */
type Handler = (call: Call, resource: never, key: string) => Reply

const handlers: Record<Operation['kind'], Handler> = {
  create,
  get,
  list,
  update,
  delete: remove,
  action: act,
  sublist,
  create_entry: createEntry,
  list_entries: listEntries,
  get_entry: getEntry,
  update_entry: updateEntry,
  delete_entry: deleteEntry,
  replace_module: replaceModule,
  get_module: getModule,
  delete_module: deleteModule,
}

/** Executes the call in one tick, so nothing happens between check and commit. */
export function operate(call: Call): Reply {
  checkQuery(call)
  const operation = call.operation!
  return handlers[operation.kind](call, operation.resource as never, 'key' in operation ? operation.key : '')
}
