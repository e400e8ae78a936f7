import { effect, signal } from '@preact/signals'
import { sandbox } from '../../state/place.ts'
import type { Json, Row } from '../../types.ts'

/** How a record is written or deleted: with a call of the API, or in the state, past the rules of a scenario. */
export type How = 'api' | 'state'

/** What was typed in an editor. */
export interface Draft {
  how: How
  values: Json
  /** The text, while the record is edited as JSON. */
  text?: string
  /** The record as it was when editing began. */
  base?: Row
  /** How many new records to make. */
  count: number
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

/** Drafts are kept while other records and views are shown, each for its sandbox. `id` is `new` for a new record. */
const keyOf = (table: string, id: string) => JSON.stringify([sandbox.value, table, id])

export const draftOf = (table: string, id: string): Draft | undefined => drafts.value.get(keyOf(table, id))

/** Keeps a draft; without one, forgets what was kept. */
export function keepDraft(table: string, id: string, draft?: Draft) {
  const all = new Map(drafts.value)
  if (draft) all.set(keyOf(table, id), draft)
  else if (!all.delete(keyOf(table, id))) return
  drafts.value = all
}

const askBefore = (event: BeforeUnloadEvent) => event.preventDefault()

// A reload forgets drafts, so the browser asks first.
effect(() => {
  if (drafts.value.size > 0) addEventListener('beforeunload', askBefore)
  else removeEventListener('beforeunload', askBefore)
})
