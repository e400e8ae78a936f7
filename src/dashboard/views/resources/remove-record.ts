import { ask } from '../../parts/ask-dialog.tsx'
import { notify } from '../../state/actions.ts'
import { goTo, place } from '../../state/place.ts'
import { api, here } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'
import { partsOf, pathTo } from './kinds.ts'

/** After a question, and through the API where it has a route for it. Answers why not, if it was refused. */
export async function removeRecord(kind: Kind, row: Row): Promise<RequestError | undefined> {
  const { id } = row
  const how = kind.path
    ? `DELETE ${pathTo(kind, row)} is called, like any client would; it appears in the journal.`
    : 'The record is taken out of the state; one that others refer to is not.'
  const along = partsOf(kind.table)
    .map(({ part_of: { list } }) => ({ list, count: (row[list] as Row[]).length }))
    .filter(({ count }) => count > 0)
    .map(({ list, count }) => `Its ${list} (${count}) go with it.`)
  const sentences = [how, ...along, 'A rewind or a snapshot can bring it back.']
  if (!(await ask({ title: `Delete ${id}?`, sentences, action: 'Delete', danger: true }))) return undefined
  try {
    await (kind.path ? api('DELETE', pathTo(kind, row)) : here('DELETE', `/db/${kind.table}/${id}`))
  } catch (error) {
    return toRequestError(error)
  }
  notify('done', `${id} was deleted.`)
  goTo(['resources', kind.table], place.value.query)
  return undefined
}
