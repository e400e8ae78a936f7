import { effect, signal, useSignal } from '@preact/signals'
import { initialValues, sameValue } from '../../parts/form-values.ts'
import { can } from '../../state/kinds.ts'
import { sandbox } from '../../state/place.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { type Draft, formFields, textOf, valuesFrom, type WriteMode } from './record-body.ts'

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

/** The initial content of an editor. */
export interface EditorStart {
  kind: Kind
  /** The record to edit. Without it, records are created. */
  row?: Row
  /** Prefilled values of a new record. */
  given?: Json
  /** The key of the draft: the record id, or `new` with an optional suffix. */
  draftId: string
  /** Edit as JSON, directly in the state. */
  raw?: boolean
}

const startValues = ({ kind, given }: EditorStart, how: WriteMode, row: Row | undefined): Json => ({
  ...initialValues(formFields(kind, how, row !== undefined), row),
  ...given,
})

function newDraft(start: EditorStart): Draft {
  const { kind, row, raw } = start
  const how = raw || !can(kind, row ? 'update' : 'create') ? 'state' : 'api'
  const draft: Draft = { how, values: startValues(start, how, row), base: row, count: 1 }
  return how === 'state' ? { ...draft, text: textOf(kind, draft) } : draft
}

/** The draft of an editor, stored from the first change until it is saved or discarded. */
export function useDraft(start: EditorStart) {
  const { kind, draftId } = start
  const draft = useSignal(draftOf(kind.table, draftId) ?? newDraft(start))

  const isTyped = (now: Draft) => now.text !== undefined && now.text !== textOf(kind, now)
  const isChanged = (now: Draft) => isTyped(now) || !sameValue(now.values, startValues(start, now.how, now.base))

  function set(change: Partial<Draft>) {
    draft.value = { ...draft.value, ...change }
    storeDraft(kind.table, draftId, isChanged(draft.value) ? draft.value : undefined)
  }
  return {
    draft: draft.value,
    changed: isChanged(draft.value),
    set,
    /** Regenerates the text for the other mode, unless it was edited. */
    setHow(how: WriteMode) {
      const now = { ...draft.value, how }
      set({ how, text: now.text === undefined || isTyped(draft.value) ? now.text : textOf(kind, now) })
    },
    /** Switches between form and JSON. Throws if the form cannot show the text. */
    switchView() {
      const now = draft.value
      if (now.text === undefined) set({ text: textOf(kind, now) })
      else set({ text: undefined, values: isTyped(now) ? valuesFrom(kind, now) : now.values })
    },
    discard: () => storeDraft(kind.table, draftId),
  }
}
