import { ask } from '../../parts/ask-dialog.tsx'
import { notify } from '../../state/actions.ts'
import { goTo, place } from '../../state/place.ts'
import { api, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { can, partsOf, pathTo } from './kinds.ts'

/** Asks first. Deletes through the API if that can, else in the state. Returns the error if it was refused. */
export async function removeRecord(kind: Kind, row: Row): Promise<RequestError | undefined> {
  const { id } = row
  const throughApi = can(kind, 'delete')
  const how = throughApi
    ? `DELETE ${pathTo(kind, row)} is called; it appears in the journal.`
    : 'The record is removed from the state, unless others refer to it.'
  const along = partsOf(kind.table)
    .map(({ part_of: { list } }) => ({ list, count: (row[list] as Row[]).length }))
    .filter(({ count }) => count > 0)
    .map(({ list, count }) => `Its ${list} (${count}) are deleted too.`)
  const sentences = [how, ...along, 'A rewind or a snapshot can bring it back.']
  if (!(await ask({ title: `Delete ${id}?`, sentences, action: 'Delete', danger: true }))) return undefined
  try {
    await (throughApi ? api('DELETE', pathTo(kind, row)) : sandboxControl('DELETE', `/db/${kind.table}/${id}`))
  } catch (error) {
    return toRequestError(error)
  }
  notify('done', `${id} was deleted.`)
  goTo(['resources', kind.table], place.value.query)
  return undefined
}
