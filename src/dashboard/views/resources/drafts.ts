import { effect, signal } from '@preact/signals'
import { sandbox } from '../../state/place.ts'
import type { Json, Row } from '../../types.ts'

/** Whether a record is written through the API, or directly in the state, which bypasses scenario rules. */
export type WriteMode = 'api' | 'state'

/** Unsaved changes in an editor. */
export interface Draft {
  how: WriteMode
  values: Json
  /** Set while the record is edited as JSON. */
  text?: string
  /** The record before editing. */
  base?: Row
  /** Number of records to create. */
  count: number
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

/** Drafts are per sandbox and remain while other views are shown. */
const keyOf = (table: string, id: string) => JSON.stringify([sandbox.value, table, id])

export const draftOf = (table: string, id: string): Draft | undefined => drafts.value.get(keyOf(table, id))

/** Stores a draft, or discards the stored one. */
export function storeDraft(table: string, id: string, draft?: Draft) {
  const all = new Map(drafts.value)
  if (draft) all.set(keyOf(table, id), draft)
  else if (!all.delete(keyOf(table, id))) return
  drafts.value = all
}

const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault()

// A reload loses drafts, so the browser prompts first.
effect(() => {
  if (drafts.value.size > 0) addEventListener('beforeunload', confirmUnload)
  else removeEventListener('beforeunload', confirmUnload)
})
