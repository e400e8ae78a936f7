import { effect, signal, useSignal } from '@preact/signals'
import { initialValues, sameValue } from '../../parts/form-values.ts'
import { can } from '../../state/kinds.ts'
import { sandbox } from '../../state/place.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { type Draft, formFields, valuesFrom, type WriteMode } from './record-body.ts'

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

/** Drafts are per sandbox and remain while other views are shown. */
const keyOf = (table: string, id: string) => JSON.stringify([sandbox.value, table, id])

export const draftOf = (table: string, id: string): Draft | undefined => drafts.value.get(keyOf(table, id))

/** Stores a draft, or discards the stored one. */
export function storeDraft(table: string, id: string, draft?: Draft) {
  const all = new Map(drafts.value)
  if (draft) all.set(keyOf(table, id), draft)
  else all.delete(keyOf(table, id))
  drafts.value = all
}

// A reload loses drafts, so the browser prompts first.
effect(() => {
  window.onbeforeunload = drafts.value.size > 0 ? event => event.preventDefault() : null
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

/** The draft of an editor, stored from the first change until it is saved or discarded. */
export function useDraft({ kind, row, given, draftId, raw }: EditorStart) {
  const startValues = (how: WriteMode, base: Row | undefined): Json => ({
    ...initialValues(formFields(kind, how, base !== undefined), base),
    ...given,
  })
  const isOffered = can(kind, row ? 'update' : 'create')
  const how = raw || !isOffered ? 'state' : 'api'
  const fresh: Draft = { how, asJson: how === 'state', values: startValues(how, row), base: row, count: 1 }
  const draft = useSignal(draftOf(kind.table, draftId) ?? fresh)

  const isChanged = ({ how, base, values, text }: Draft) =>
    text !== undefined || !sameValue(values, startValues(how, base))

  function set(change: Partial<Draft>) {
    draft.value = { ...draft.value, ...change }
    storeDraft(kind.table, draftId, isChanged(draft.value) ? draft.value : undefined)
  }
  return {
    draft: draft.value,
    changed: isChanged(draft.value),
    set,
    /** Switches between form and JSON. Throws if the form cannot show the edited text. */
    switchView() {
      const { asJson, text, values } = draft.value
      if (!asJson) set({ asJson: true })
      else set({ asJson: false, text: undefined, values: text === undefined ? values : valuesFrom(kind, draft.value) })
    },
    discard: () => storeDraft(kind.table, draftId),
  }
}
